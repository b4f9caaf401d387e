import { FleetError } from "@fleetwire/core";
import { isTypo } from "../text/spelling.ts";
import { distanceKm, type Point } from "./geography.ts";
import { townNames, townText } from "./towns.ts";

/**
 * Towns by ISO 3166 code of their country, the largest first: their names, separated by "|", and nine digits in base 36 for each, which are
 * hundredths of a degree north of -90° and east of -180°, and thousands of people.
 */
type Gazetteer = Readonly<Record<string, { names: string; codes: string }>>;

/** A town on the map. */
interface Town extends Point {
  name: string;
  /** ISO 3166 code, such as DE. */
  country: string;
  population: number;
}

/** A town whose name is the query or, as with Frankfurt am Main, begins with it. */
export interface TownMatch {
  town: Town;
  isWhole: boolean;
}

interface Country {
  code: string;
  names: readonly string[];
  /** The names as {@link townText} writes them. */
  texts: readonly string[];
  codes: string;
}

const DIGITS = 3;

/** Whether a name consists of these words, or begins with them. */
const begins = (name: string, words: string) => name.startsWith(words) && (name.length === words.length || name[words.length] === " ");

/** The names in other languages, by country and name in the gazetteer. */
const otherNames = townNames.flatMap(({ country, name, names }) => names.map((other) => ({ country, name, text: townText(other) })));

/** Finds towns by name, in any of the languages of {@link townNames}. */
export class TownIndex {
  readonly #countries: readonly Country[];
  #grid: Map<string, Town[]> | undefined;

  constructor(gazetteer: Gazetteer) {
    this.#countries = Object.entries(gazetteer).map(([code, { names, codes }]) => ({
      code,
      names: names.split("|"),
      // All names at once, which is much faster than one by one.
      texts: townText(names).split("|"),
      codes,
    }));
  }

  #townAt({ code, names, codes }: Country, at: number): Town {
    const number = (index: number) => {
      const start = (3 * at + index) * DIGITS;
      return Number.parseInt(codes.slice(start, start + DIGITS), 36);
    };
    return {
      name: names[at] as string,
      country: code,
      latitude: (number(0) - 9_000) / 100,
      longitude: (number(1) - 18_000) / 100,
      population: number(2) * 1000,
    };
  }

  /** Returns the towns with a name that begins with these words of `townWords`. */
  named(words: readonly string[]): TownMatch[] {
    const said = words.join(" ");
    if (said === "") return [];
    const others = otherNames.filter(({ text }) => begins(text, said));
    return this.#countries.flatMap((country) => {
      const foreign = new Map<number, boolean>();
      for (const other of others)
        if (other.country === country.code) {
          const at = country.names.indexOf(other.name);
          foreign.set(at, foreign.get(at) === true || other.text === said);
        }
      return country.texts.flatMap((text, at): TownMatch[] =>
        foreign.has(at) || begins(text, said)
          ? [{ town: this.#townAt(country, at), isWhole: text === said || foreign.get(at) === true }]
          : [],
      );
    });
  }

  /** Returns the towns with at least as many people whose names differ from these words by a typo. */
  spelledLike(words: readonly string[], population: number): TownMatch[] {
    const said = words.join(" ");
    return this.#countries.flatMap((country) => {
      const towns: TownMatch[] = [];
      for (const [at, text] of country.texts.entries()) {
        if (!isTypo(said, text)) continue;
        const town = this.#townAt(country, at);
        if (town.population >= population) towns.push({ town, isWhole: true });
      }
      return towns;
    });
  }

  /** The towns with at least as many people. */
  largerThan(population: number): Town[] {
    return this.#countries.flatMap((country) => {
      const towns: Town[] = [];
      for (let at = 0; at < country.names.length; at++) {
        const town = this.#townAt(country, at);
        if (town.population < population) break;
        towns.push(town);
      }
      return towns;
    });
  }

  /** Returns the nearest town; undefined if none is within 100 km. */
  nearest(point: Point): { town: Town; km: number } | undefined {
    this.#grid ??= gridOf(this.largerThan(0));
    let nearest: { town: Town; km: number } | undefined;
    const [row, column] = cellOf(point);
    // A cell is 33 km high, and narrower in the north.
    const reach = Math.ceil(4 / Math.max(0.2, Math.cos((point.latitude * Math.PI) / 180)));
    for (let ring = 0; ring <= reach && !(nearest && nearest.km < (ring - 1) * CELL_KM * 0.3); ring++) {
      for (const [dRow, dColumn] of ringOf(ring)) {
        for (const town of this.#grid.get(`${row + dRow},${column + dColumn}`) ?? []) {
          const km = distanceKm(point, town);
          if (km <= MAX_KM && km < (nearest?.km ?? Number.POSITIVE_INFINITY)) nearest = { town, km };
        }
      }
    }
    return nearest;
  }
}

const MAX_KM = 100;
const CELL_DEGREES = 0.3;
const CELL_KM = 33;

const cellOf = ({ latitude, longitude }: Point): [number, number] => [
  Math.floor(latitude / CELL_DEGREES),
  Math.floor(longitude / CELL_DEGREES),
];

function gridOf(towns: readonly Town[]): Map<string, Town[]> {
  const grid = new Map<string, Town[]>();
  for (const town of towns) {
    const cell = cellOf(town).join();
    const existing = grid.get(cell);
    if (existing) existing.push(town);
    else grid.set(cell, [town]);
  }
  return grid;
}

/** Returns the cells around one at a distance. */
function ringOf(ring: number): [number, number][] {
  const side = Array.from({ length: 2 * ring + 1 }, (_, at) => at - ring);
  return side.flatMap((row) =>
    side.flatMap((column): [number, number][] => (Math.max(Math.abs(row), Math.abs(column)) === ring ? [[row, column]] : [])),
  );
}

/** Loads a module with a gazetteer. */
export type LoadGazetteer = () => Promise<{ gazetteer: Gazetteer }>;

/** Indexes by gazetteer, so that a process that serves many customers holds only one. */
const indexes = new WeakMap<Gazetteer, TownIndex>();

/** Returns a function that loads the towns on its first call; after a failure, the next call tries again. */
export function townsOf(load: LoadGazetteer | undefined): () => Promise<TownIndex | undefined> {
  let towns: Promise<TownIndex> | undefined;
  return async () => {
    if (!load) return undefined;
    towns ??= load().then(({ gazetteer }) => {
      const index = indexes.get(gazetteer) ?? new TownIndex(gazetteer);
      indexes.set(gazetteer, index);
      return index;
    });
    try {
      return await towns;
    } catch {
      towns = undefined;
      throw new FleetError("network", "the map of towns could not be loaded", {
        advice: "Call again with a vehicle, driver, location or coordinates instead of the town",
      });
    }
  };
}
