import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { countryCodeOf } from "../places/geography.ts";
import { townsCalled, townWords } from "../places/towns.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { isTypo } from "../text/spelling.ts";
import type { AreaQuery } from "./area-query.ts";

/** A town that vehicles report. */
export interface FleetTown {
  name: string;
  /** ISO 3166 code or, if that is unknown, the country as reported; undefined if none is. */
  country: string | undefined;
  /** The vehicles that report it. Never includes vehicles on private journeys, whose whereabouts the view does not hold. */
  inside: Position[];
}

/** The codes of countries as reported, which a fleet has few of. */
const codes = new Map<string, string>();
const MAX_CODES = 1_000;

/** Returns the ISO 3166 code of a reported country, or the text if it is not known. */
export function reportedCountry({ country }: Position): string | undefined {
  if (!country) return undefined;
  const known = codes.get(country);
  if (known !== undefined) return known;
  if (codes.size >= MAX_CODES) codes.clear();
  const code = countryCodeOf(country) ?? country;
  codes.set(country, code);
  return code;
}

/** The towns that the fleet reports. */
export function fleetTowns(fleet: FleetView): Promise<readonly FleetTown[]> {
  return fleet.once("towns", async () => {
    const towns = new Map<string, FleetTown>();
    await forEachInSlices(fleet.positions, (position) => {
      const { city } = position;
      if (!city) return;
      const country = reportedCountry(position);
      const key = `${country} ${city}`;
      const known = towns.get(key);
      if (known) known.inside.push(position);
      else towns.set(key, { name: city, country, inside: [position] });
    });
    return [...towns.values()];
  });
}

/** How a town's name relates to the words of a query: it has that name, that name in another language, or a longer one. */
function nameMatch(words: readonly string[], name: string): "same" | "foreign" | "longer" | undefined {
  const own = townWords(name);
  if (words.length === 0 || own.length === 0) return undefined;
  if (words.join(" ") === own.join(" ")) return "same";
  const called = townsCalled(own);
  if (townsCalled(words).some((town) => called.includes(town))) return "foreign";
  return words.every((word, at) => own[at] === word) ? "longer" : undefined;
}

/** Whether a town may be in the country of a query. */
export const isThere = (query: AreaQuery, town: { country: string | undefined }): boolean =>
  query.country === undefined || town.country === query.country;

/** Returns the towns that a query names: those with exactly this name or, if there are none, with this name in another language or with a longer name. */
export function townsFor(query: AreaQuery, towns: readonly FleetTown[]): FleetTown[] {
  const named = towns.filter((town) => isThere(query, town));
  for (const match of ["same", "foreign", "longer"]) {
    const found = named.filter(({ name }) => nameMatch(query.words, name) === match);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the towns in the country of a query whose names it misspells. */
export const townsLike = (query: AreaQuery, towns: readonly FleetTown[]): FleetTown[] =>
  towns.filter((town) => isThere(query, town) && isTypo(query.words.join(" "), townWords(town.name).join(" ")));
