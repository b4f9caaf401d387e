import { isTypo } from "../text/spelling.ts";
import type { Point } from "./geography.ts";
import { townNames, townText } from "./towns.ts";

/**
 * Towns by ISO 3166 code of their country, the largest first: their names, separated by "|", and nine digits in base 36 for each, which are
 * hundredths of a degree north of -90° and east of -180°, and thousands of people.
 */
export type Gazetteer = Readonly<Record<string, { names: string; codes: string }>>;

/** A town on the map. */
export interface Town extends Point {
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
}
