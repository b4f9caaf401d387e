import type { FactOf } from "@fleetwire/core/internal";
import { isKnownValue, isOfKind } from "../recording/index.ts";

const MAX_VALUES = 60;
const MAX_WORDS = 100_000;
/** A word that few records have may be a name. */
const MIN_RECORDS = 3;
const WORDS = /^\p{L}[\p{L} _-]{0,38}\p{L}$/u;

const wordsIn = (text: string) => text.toUpperCase().match(/\p{L}{2,}/gu) ?? [];

/** The words of people's names in the traffic, which are not shown as values of any field. They stay in memory. */
export class PeopleNames {
  readonly #words = new Set<string>();

  add(value: unknown): void {
    if (typeof value === "string" && this.#words.size < MAX_WORDS) for (const word of wordsIn(value)) this.#words.add(word);
  }

  /** Whether a text contains a word of a name; any text might, if there are too many names to remember. */
  isIn(text: string): boolean {
    return this.#words.size >= MAX_WORDS || wordsIn(text).some((word) => this.#words.has(word));
  }
}

type Listed = FactOf<"values">["values"];

/** Counts the values of a field. */
export class ValueCounts {
  readonly #counts = new Map<string, number>();
  /** Records with values beyond those that are counted. */
  #others = 0;

  add(value: unknown): void {
    const known = typeof value === "string" ? this.#counts.get(value) : undefined;
    if (typeof value === "string" && value.length <= 40 && (known !== undefined || this.#counts.size < MAX_VALUES))
      this.#counts.set(value, (known ?? 0) + 1);
    else this.#others++;
  }

  /** The values that identify nobody, sorted, and the number of records with others. */
  shown(people: PeopleNames): { values: Listed; withheld: number } {
    const isShown = (value: string, records: number) =>
      isKnownValue(value) || ((isOfKind(value, "label") || (records >= MIN_RECORDS && WORDS.test(value))) && !people.isIn(value));
    const values = [...this.#counts]
      .filter(([value, records]) => value !== "" && isShown(value, records))
      .map(([value, records]) => ({ value, records }))
      .sort((a, b) => (a.value < b.value ? -1 : 1));
    const listed = values.reduce((sum, { records }) => sum + records, 0);
    const all = [...this.#counts.values()].reduce((sum, records) => sum + records, this.#others);
    return { values, withheld: all - listed };
  }
}
