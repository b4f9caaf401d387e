import type { TimeSlices } from "../runtime/time-slices.ts";

/** The letters, pairs of letters and length of a text, which rule out most texts in a search without reading them. */
export interface Outline {
  letters: number;
  pairs: number;
  length: number;
}

/** Tests an outline, passed as three numbers rather than one object per test. */
export type OutlineTest = (letters: number, pairs: number, length: number) => boolean;

/** Returns a bit for a letter or digit; some share one. Digits take the bits after those of a to z. */
export const letterBit = (code: number) => 1 << ((code < 64 ? code + 11 : code) & 31);

/** Returns a bit for two letters in a row; some share one. */
export const pairBit = (first: number, second: number) => 1 << ((Math.imul(first, 37) + second) & 31);

const SPACE = 32;

/** Returns the outline of words joined by spaces, without joining them. */
export function outlineOfWords(words: readonly string[]): Outline {
  let [letters, pairs, length, before] = [0, 0, 0, 0];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    for (let letter = at > 0 ? -1 : 0; letter < word.length; letter++) {
      const code = letter < 0 ? SPACE : word.charCodeAt(letter);
      letters |= letterBit(code);
      if (length > 0) pairs |= pairBit(before, code);
      before = code;
      length++;
    }
  }
  return { letters, pairs, length };
}

export const outlineOf = (text: string): Outline => outlineOfWords([text]);

/** Whether all of these bits are among the others: a text cannot contain one that has letters, or pairs of letters, that it lacks. */
export const areAmong = (bits: number, others: number) => (bits & ~others) === 0;

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns a lower bound for the edits between texts with these letters: each edit adds or removes at most one. */
export const fewestEdits = (a: number, b: number) => Math.max(bitCount(a & ~b), bitCount(b & ~a));

const FIRST_SIZE = 256;
/** The length recorded for a removed text, which is not near any other. */
const REMOVED = -1_000_000;
/** Rows between clock checks. */
const BATCH = 256;

/** Returns a larger copy. */
export function grown(numbers: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size);
  larger.set(numbers);
  return larger;
}

/** Items with the outlines of their texts, in rows. Searching 300,000 outlines takes a millisecond or two. */
export class OutlineTable<Thing> {
  readonly #things: (Thing | undefined)[] = [];
  readonly #free: number[] = [];
  #letters = new Int32Array(FIRST_SIZE);
  #pairs = new Int32Array(FIRST_SIZE);
  #lengths = new Int32Array(FIRST_SIZE);

  /** Adds an item, and returns its row. */
  add(thing: Thing, { letters, pairs, length }: Outline): number {
    const row = this.#free.pop() ?? this.#things.length;
    if (row === this.#lengths.length) {
      this.#letters = grown(this.#letters, 2 * row);
      this.#pairs = grown(this.#pairs, 2 * row);
      this.#lengths = grown(this.#lengths, 2 * row);
    }
    this.#things[row] = thing;
    this.#letters[row] = letters;
    this.#pairs[row] = pairs;
    this.#lengths[row] = length;
    return row;
  }

  remove(row: number): void {
    this.#things[row] = undefined;
    this.#letters[row] = this.#pairs[row] = 0;
    this.#lengths[row] = REMOVED;
    this.#free.push(row);
  }

  at(row: number): Thing | undefined {
    return this.#things[row];
  }

  /** Visits the rows whose outlines pass a test. */
  async visit(test: OutlineTest, slices: TimeSlices, visit: (row: number) => void): Promise<void> {
    for (let row = 0; row < this.#things.length; row++) {
      if (test(this.#letters[row] as number, this.#pairs[row] as number, this.#lengths[row] as number)) visit(row);
      if (row % BATCH === 0 && slices.isOver) await slices.next();
    }
  }
}
