import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { withoutFillers } from "../names/word-meanings.ts";
import { countryCodeOf } from "../places/geography.ts";
import { townsCalled, townWords } from "../places/towns.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { isTypo } from "../text/spelling.ts";

/** An area as someone describes it: a town, a country, or both. */
export interface AreaQuery {
  /** The words of the town's name; empty if only a country is named. */
  words: readonly string[];
  /** ISO 3166 code. */
  country: string | undefined;
}

const MAX_LENGTH = 100;
const MAX_COUNTRY_WORDS = 3;

/** Words that may precede a town's name. */
const TOWN_WORDS = new Set(
  "city town stadt ville ciudad citta cidade stad miasto mesto area region near around bei pres cerca vicino perto bij kolo nara".split(
    " ",
  ),
);

const withoutTownWords = (text: string) => withoutFillers(text).filter((word) => !TOWN_WORDS.has(word));

/** The words of a town's name: all of them, and those without filler words. Some names contain such words: Den Haag, Monaco di Baviera. */
function wordings(text: string): string[][] {
  const [all, fewer] = [townWords(text), townWords(withoutTownWords(text).join(" "))];
  return fewer.length === 0 || all.join(" ") === fewer.join(" ") ? [all] : [all, fewer];
}

/** Returns what a text may mean, most likely first: "Lyon", "Lyon, France", "Lyon France" or "France". */
export function readArea(text: string): AreaQuery[] {
  const clipped = text.slice(0, MAX_LENGTH);
  const whole = countryCodeOf(clipped) ?? countryCodeOf(withoutTownWords(clipped).join(" "));
  const queries: AreaQuery[] = whole === undefined ? [] : [{ words: [], country: whole }];
  for (const words of wordings(clipped)) if (words.length > 0) queries.push({ words, country: undefined });
  const words = clipped.split(/[\s,()]+/).filter(Boolean);
  for (let count = Math.min(MAX_COUNTRY_WORDS, words.length - 1); count > 0; count--) {
    const last = words.slice(-count).join(" ");
    // A code such as IN or DE may be a word of a name, unless it is written like a code.
    const country = last.length > 2 || last === last.toUpperCase() ? countryCodeOf(last) : undefined;
    if (country === undefined) continue;
    for (const town of wordings(words.slice(0, -count).join(" "))) queries.push({ words: town, country });
  }
  return queries;
}

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
