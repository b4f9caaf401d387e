import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { countryCodeOf } from "../places/countries.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { type AreaQuery, nameMatch } from "./area-query.ts";

/** A town that vehicles report. */
export interface FleetTown {
  name: string;
  /** ISO 3166 code or, if that is unknown, the country as reported; undefined if none is. */
  country: string | undefined;
  /** The vehicles that report it. Never includes vehicles on private journeys, whose whereabouts the view does not hold. */
  inside: Position[];
}

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

/** Returns the towns that a query names: those with exactly this name or, if there are none, with this name in another language or with a longer name. */
export function townsFor({ words, country }: AreaQuery, towns: readonly FleetTown[]): FleetTown[] {
  const matches = towns.flatMap((town) => {
    const match = country === undefined || town.country === country ? nameMatch(words, town.name) : undefined;
    return match ? [{ town, match }] : [];
  });
  for (const best of ["same", "foreign", "longer"]) {
    const found = matches.flatMap(({ town, match }) => (match === best ? [town] : []));
    if (found.length > 0) return found;
  }
  return [];
}
