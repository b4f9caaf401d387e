import type { FactOf } from "@fleetwire/core/internal";
import anyAscii from "any-ascii";
import { isKnownValue } from "../recording/value-kinds.ts";

const MAX_VALUES = 60;
const MAX_WORDS = 100_000;
/** A word that few records of a response have may be a name. A record may be in many responses. */
const MIN_RECORDS = 3;
/** Undocumented values that services commonly use. They reveal nothing, even if a vehicle happens to be named like one. */
const COMMON = new Set(
  `ACTIVE INACTIVE SOLD RETIRED ARCHIVED ON OFF UNKNOWN NONE OTHER TRUCK VAN CAR TRAILER BUS COACH MOTORCYCLE TRACTOR EQUIPMENT ASSET VEHICLE DRIVER
CARD MANUAL DRIVE DRIVING WORK AVAILABILITY REST BREAK OIL FUEL ENGINE BRAKE ECM ECU ABS`.split(/\s+/),
);
/** Code-like uppercase words, or numbers of up to three digits. */
const CAPITALS = /^(\$?[A-Z]{2,24}([_-][A-Z]{2,24}){0,3}|\d{1,3})$/;
const WORDS = /^\p{L}[\p{L} _-]{0,38}\p{L}$/u;
/** A sentence is no status, and a model would read it. */
const MAX_VALUE_WORDS = 3;
/** A longer text is no name. */
const MAX_NAME_WORDS = 5;
const MAX_NAME_LENGTH = 80;

/** What differs between transliterations of one name, such as Юлия: YULIYA, JULIJA and IULIIA. */
const SPELLINGS: [written: RegExp, as: string][] = [
  [/[^A-Z]/g, ""],
  [/([AOU])E/g, "$1"],
  [/SH?(?:CH)?T?S?CH/g, "SH"],
  [/DJ/g, "D"],
  [/W/g, "V"],
  [/[JY]/g, "I"],
  [/(.)\1+/g, "$1"],
];

/** The words of a text, so that every spelling of a name is the same word: Jürgen, JUERGEN and Jurgen, Петров and PETROV, O'Brien and OBRIEN. */
const nameWords = (text: string): string[] =>
  [...(text.match(/\p{L}[\p{L}\p{M}]+/gu) ?? []), ...(text.match(/\p{L}+(?:['’`]\p{L}[\p{L}\p{M}]*)+/gu) ?? [])].map((word) =>
    SPELLINGS.reduce((rest, [written, as]) => rest.replace(written, as), anyAscii(word).toUpperCase()),
  );

/** The words of texts that may be people's names, which are not shown as values of any field. They stay in memory. */
export class PeopleNames {
  readonly #words = new Set<string>();

  add(value: unknown): void {
    if (typeof value === "string" && this.#words.size < MAX_WORDS) for (const word of nameWords(value)) this.#words.add(word);
  }

  /** Remembers a text of a field that may hold anything, and its words if it is written like a name. A word and a number are rather a vehicle or a code. */
  addPossible(value: unknown): void {
    if (typeof value !== "string" || value.length > MAX_NAME_LENGTH || this.#words.size >= MAX_WORDS) return;
    this.#words.add(nameWords(value).join(" "));
    const words = value.match(/[\p{L}\p{M}]{2,}/gu) ?? [];
    const capitalized = words.filter((word) => /^[^\p{Ll}]/u.test(word));
    const isName = words.length <= MAX_NAME_WORDS && words.every((word) => word.length <= 3 || capitalized.includes(word));
    if (isName && words.length >= (/\d/.test(value) ? 2 : 1)) this.add(capitalized.join(" "));
  }

  /** Whether a text contains a word of a name; any text might, if there are too many names to remember. */
  isIn(text: string): boolean {
    const words = nameWords(text);
    return this.#words.size >= MAX_WORDS || [...words, words.join(" ")].some((one) => this.#words.has(one));
  }
}

type Listed = FactOf<"values">["values"];

/** Counts the values of a field. */
export class ValueCounts {
  readonly #counts = new Map<string, { records: number; body: unknown; inBody: number; most: number }>();
  /** Records with values beyond those that are counted. */
  #others = 0;

  add(value: unknown, body: unknown): void {
    const known = typeof value === "string" ? this.#counts.get(value) : undefined;
    if (typeof value === "string" && value.length <= 40 && (known !== undefined || this.#counts.size < MAX_VALUES)) {
      const inBody = known && known.body === body ? known.inBody + 1 : 1;
      this.#counts.set(value, { records: (known?.records ?? 0) + 1, body, inBody, most: Math.max(known?.most ?? 0, inBody) });
    } else this.#others++;
  }

  /** The values that identify nobody, sorted, and the number of records with others. */
  shown(people: PeopleNames): { values: Listed; withheld: number } {
    const isShown = (value: string, most: number) =>
      isKnownValue(value) ||
      COMMON.has(value.toUpperCase().replace(/[ -]/g, "_")) ||
      (value.split(/[ _-]+|(?<=\p{Ll})(?=\p{Lu})/u).length <= MAX_VALUE_WORDS &&
        (CAPITALS.test(value) || (most >= MIN_RECORDS && WORDS.test(value))) &&
        !people.isIn(value));
    const values = [...this.#counts]
      .filter(([value, { most }]) => value !== "" && isShown(value, most))
      .map(([value, { records }]) => ({ value, records }))
      .sort((a, b) => (a.value < b.value ? -1 : 1));
    const listed = values.reduce((sum, { records }) => sum + records, 0);
    const all = [...this.#counts.values()].reduce((sum, { records }) => sum + records, this.#others);
    return { values, withheld: all - listed };
  }
}
