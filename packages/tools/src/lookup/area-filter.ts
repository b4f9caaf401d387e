import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { MAX_CANDIDATES, NameQuestion } from "../names/name-question.ts";
import { countryNameOf } from "../places/countries.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townsCalled, townWords } from "../places/towns.ts";
import { singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import { editDistance } from "../text/spelling.ts";
import { type AreaQuery, readArea, townLabel } from "./area-query.ts";
import { type FleetTown, fleetTowns, reportedCountry, townsFor } from "./fleet-towns.ts";

/** Selects the vehicles in a country or town. */
export interface AreaFilter {
  /** The place as understood, such as "Lyon, France". */
  label: string;
  /** Whether a vehicle reports this place. Never true on a private journey. */
  includes: (position: Position) => boolean;
}

const PLACE: Noun = ["country or city", "countries and cities"];
const MAX_COUNTRIES_NAMED = 12;
const MAX_NAME_LENGTH = 40;

const labelOf = ({ name, country }: FleetTown) => singleLine(townLabel(name, country), MAX_NAME_LENGTH);

const candidateOf = (town: FleetTown) => ({
  label: `${labelOf(town)} (${pluralize(town.inside.length, ["vehicle", "vehicles"])})`,
  record: { city: singleLine(town.name, MAX_NAME_LENGTH), country: town.country && countryNameOf(town.country) },
});

/** The towns whose names differ least from the words. */
function similarTowns(words: readonly string[], towns: readonly FleetTown[]): FleetTown[] {
  const said = words.join(" ");
  const most = Math.max(1, Math.floor(said.length / 4));
  return towns
    .map((town) => ({ town, distance: editDistance(said, townWords(town.name).join(" "), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .map(({ town }) => town);
}

function countriesIn(fleet: FleetView): string[] {
  const countries = new Set(fleet.positions.flatMap((position) => reportedCountry(position) ?? []));
  return [...countries].map((country) => singleLine(countryNameOf(country), MAX_NAME_LENGTH)).sort();
}

/** Whether a query names a town that exists, wherever the fleet is. */
async function isTown(queries: readonly AreaQuery[], gazetteer: () => Promise<TownIndex | undefined>): Promise<boolean> {
  if (queries.some(({ words }) => townsCalled(words).length > 0)) return true;
  const index = await gazetteer();
  return queries.some(({ words, country }) =>
    index?.named(words).some(({ isWhole, town }) => isWhole && (country === undefined || town.country === country)),
  );
}

/**
 * Returns a filter for a country or town, named in any of ten languages. A place that exists, but that no vehicle reports, yields a filter
 * that includes none. Throws a {@link NameQuestion} if there are several such towns or none.
 */
export async function areaFilter(
  text: string,
  field: string,
  fleet: FleetView,
  gazetteer: () => Promise<TownIndex | undefined>,
): Promise<AreaFilter> {
  const queries = readArea(text);
  const [{ words, country } = { words: [], country: undefined }] = queries;
  if (words.length === 0 && country !== undefined)
    return { label: countryNameOf(country), includes: (position) => reportedCountry(position) === country };
  const towns = await fleetTowns(fleet);
  const found = queries.map((query) => townsFor(query, towns)).find(({ length }) => length > 0) ?? [];
  const question = (result: "ambiguous" | "notFound", candidates: readonly FleetTown[], alternative?: string) =>
    new NameQuestion({
      ...{ result, field, query: text, noun: PLACE, distinguishedBy: "name, with the country", alternative },
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
  const isKnown = await isTown(queries, gazetteer);
  if (isKnown) return { label: singleLine(text, MAX_NAME_LENGTH), includes: () => false };
  const countries = countriesIn(fleet);
  const more = countries.length - MAX_COUNTRIES_NAMED;
  const reported = `${countries.slice(0, MAX_COUNTRIES_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  throw question("notFound", similarTowns(words, towns), reported && `Countries reported: ${reported}; regions are not.`);
}
