import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { MAX_CANDIDATES, NameQuestion } from "../names/name-question.ts";
import { countryNameOf, townLabel } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townsCalled } from "../places/towns.ts";
import { singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import { labelsOf } from "./find-entities.ts";
import { type AreaQuery, type FleetTown, fleetTowns, isThere, readArea, reportedCountry, townsFor, townsLike } from "./fleet-towns.ts";

/** Selects the vehicles in a country or town. */
export interface AreaFilter {
  /** The area as understood, such as "Lyon, France". */
  label: string;
  /** Whether a vehicle reports this area. Never true on a private journey. */
  includes: (position: Position) => boolean;
}

const AREA: Noun = ["country or city", "countries and cities"];
const MAX_COUNTRIES_NAMED = 12;
const MAX_NAME_LENGTH = 40;

const labelOf = ({ name, country }: FleetTown) => singleLine(townLabel(name, country), MAX_NAME_LENGTH);

const candidateOf = (town: FleetTown) => ({
  label: `${labelOf(town)} (${pluralize(town.inside.length, ["vehicle", "vehicles"])})`,
  record: { city: singleLine(town.name, MAX_NAME_LENGTH), country: town.country && countryNameOf(town.country) },
});

function countriesIn(fleet: FleetView): string[] {
  const countries = new Set(fleet.positions.flatMap((position) => reportedCountry(position) ?? []));
  return [...countries].map((country) => singleLine(countryNameOf(country), MAX_NAME_LENGTH)).sort();
}

/** Whether a query names a town that exists, wherever the fleet is. */
async function isTown(query: AreaQuery, gazetteer: () => Promise<TownIndex | undefined>): Promise<boolean> {
  if (townsCalled(query.words).some((town) => isThere(query, town))) return true;
  const matches = (await gazetteer())?.named(query.words) ?? [];
  return matches.some(({ isWhole, town }) => isWhole && isThere(query, town));
}

/**
 * Returns a filter for a country or town, named in any of ten languages. One that exists, but that no vehicle reports, yields a filter that
 * includes none. Throws a {@link NameQuestion} if there are several such towns or none.
 */
export async function areaFilter(
  text: string,
  field: string,
  fleet: FleetView,
  gazetteer: () => Promise<TownIndex | undefined>,
): Promise<AreaFilter> {
  const queries = readArea(text);
  const [first] = queries;
  if (first?.words.length === 0 && first.country !== undefined) {
    const { country } = first;
    return { label: countryNameOf(country), includes: (position) => reportedCountry(position) === country };
  }
  const towns = await fleetTowns(fleet);
  const found = queries.map((query) => townsFor(query, towns)).find(({ length }) => length > 0) ?? [];
  const question = (result: "ambiguous" | "notFound", candidates: readonly FleetTown[], alternative?: string) =>
    new NameQuestion({
      ...{ result, field, query: text, noun: AREA, distinguishedBy: "name, with the country", alternative },
      total: candidates.length,
      candidates: candidates.slice(0, MAX_CANDIDATES).map(candidateOf),
    });
  if (found.length > 1) throw question("ambiguous", found);
  const [town] = found;
  if (town) {
    return {
      label: labelOf(town),
      includes: (position) => position.city === town.name && reportedCountry(position) === town.country,
    };
  }
  for (const query of queries)
    if (await isTown(query, gazetteer)) return { label: singleLine(text, MAX_NAME_LENGTH), includes: () => false };
  const reported = labelsOf(countriesIn(fleet), String, MAX_COUNTRIES_NAMED);
  const similar = new Set(queries.flatMap((query) => townsLike(query, towns)));
  throw question("notFound", [...similar], reported && `Countries reported: ${reported}; regions are not.`);
}
