import type { Point } from "../aggregate/geography.ts";
import { placeWords, townNames } from "./towns.ts";

/** A town on the map. */
export interface Town extends Point {
  name: string;
  /** ISO 3166 code, such as DE. */
  country: string;
  population: number;
}

/** A list of towns; of those with the same country and name, the largest comes first. */
export interface Gazetteer {
  towns: () => readonly Town[];
}

/** A town whose name is the query, or begins with it, as that of Frankfurt am Main does. */
export interface TownMatch {
  town: Town;
  isWhole: boolean;
}

/** Finds towns by name, in any of the languages of {@link townNames}. */
export class TownIndex {
  readonly #towns: readonly Town[];
  /** The towns by the first word of their name. */
  readonly #byWord = new Map<string, { town: Town; words: readonly string[] }[]>();

  constructor({ towns }: Gazetteer) {
    this.#towns = towns();
    const others = new Map(townNames.map(({ country, name, names }) => [`${country} ${name}`, names]));
    for (const town of this.#towns) {
      const row = `${town.country} ${town.name}`;
      const names = new Set([town.name, ...(others.get(row) ?? [])].map((name) => placeWords(name).join(" ")));
      for (const name of names) this.#add(town, name.split(" "));
      // The largest town of a country comes first, and only it has names in other languages.
      others.delete(row);
    }
  }

  #add(town: Town, words: readonly string[]): void {
    const [first = ""] = words;
    const known = this.#byWord.get(first);
    if (known) known.push({ town, words });
    else this.#byWord.set(first, [{ town, words }]);
  }

  /** Returns the towns with a name that begins with these words of {@link placeWords}. */
  named(words: readonly string[]): TownMatch[] {
    const [first] = words;
    if (first === undefined) return [];
    const matches = new Map<Town, TownMatch>();
    for (const { town, words: name } of this.#byWord.get(first) ?? []) {
      if (!words.every((word, at) => name[at] === word)) continue;
      const isWhole = name.length === words.length || matches.get(town)?.isWhole === true;
      matches.set(town, { town, isWhole });
    }
    return [...matches.values()];
  }

  /** The towns that satisfy a condition. */
  where(condition: (town: Town) => boolean): Town[] {
    return this.#towns.filter(condition);
  }
}
