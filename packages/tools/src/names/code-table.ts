import type { TimeSlices } from "../runtime/time-slices.ts";
import { plateOf } from "../text/spelling.ts";
import type { Code, CodeProperty, Entry } from "./name-entry.ts";
import { areAmong, fewestEdits, grown, letterBit, type Outline, OutlineTable, outlineOf, pairBit } from "./outline-table.ts";

const FIRST_SIZE = 256;
const NONE = -1;
const NEVER = Number.POSITIVE_INFINITY;

const isLetterOrDigit = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57);

/**
 * The codes of all entities, by hash. Their normalized forms are not stored, because creating and garbage-collecting hundreds of
 * thousands of strings would take longer than the rest of an index.
 */
export class CodeTable<Value> {
  readonly #properties: readonly CodeProperty<Value>[];
  readonly #limit: number;
  readonly #entries = new OutlineTable<Entry<Value>>();
  /** For each row: the property, the hash, and the next row in the same bucket of `#heads`. */
  #property = new Int32Array(FIRST_SIZE);
  #hashes = new Int32Array(FIRST_SIZE);
  #next = new Int32Array(FIRST_SIZE);
  #heads = new Int32Array(2 * FIRST_SIZE).fill(NONE);
  // The code read last; reusing these fields avoids an object for each code.
  #hash = 0;
  readonly #outline: Outline = { letters: 0, pairs: 0, length: 0 };

  /** Codes are read only up to this number of characters. */
  constructor(properties: readonly CodeProperty<Value>[], limit: number) {
    this.#properties = properties;
    this.#limit = limit;
  }

  /** Adds the code that an entity has in the property at an index, if it has one. */
  add(at: number, entry: Entry<Value>): void {
    if (!this.#readCode(at, entry.value)) return;
    const row = this.#entries.add(entry, this.#outline);
    if (row === this.#hashes.length) this.#grow();
    this.#property[row] = at;
    this.#hashes[row] = this.#hash;
    this.#link(row);
  }

  /** Removes the code that an entity had in the property at an index while it had this value. */
  remove(at: number, entry: Entry<Value>, value: Value): void {
    if (!this.#readCode(at, value)) return;
    const head = this.#headOf(this.#hash);
    let before = NONE;
    for (let row = this.#heads[head] as number; row !== NONE; row = this.#next[row] as number) {
      if (this.#entries.at(row) === entry && this.#property[row] === at) {
        if (before === NONE) this.#heads[head] = this.#next[row] as number;
        else this.#next[before] = this.#next[row] as number;
        this.#entries.remove(row);
        return;
      }
      before = row;
    }
  }

  /** Returns the codes that have this normalized form. */
  written(text: string): Code<Value>[] {
    this.#read(text, true);
    const hash = this.#hash;
    const found: Code<Value>[] = [];
    for (let row = this.#heads[this.#headOf(hash)] as number; row !== NONE; row = this.#next[row] as number) {
      if (this.#hashes[row] !== hash) continue;
      const code = this.#codeIn(row);
      if (code.text === text) found.push(code);
    }
    // Rows are linked from last to first.
    return found.reverse();
  }

  /** Returns the codes that contain a text in their normalized form. */
  async containing(text: string, slices: TimeSlices): Promise<Code<Value>[]> {
    const outline = outlineOf(text);
    const mayContain = (letters: number, pairs: number) => areAmong(outline.letters, letters) && areAmong(outline.pairs, pairs);
    const found: Code<Value>[] = [];
    await this.#entries.visit(mayContain, slices, (row) => {
      const code = this.#codeIn(row);
      if (code.text.includes(text)) found.push(code);
    });
    return found;
  }

  /** Visits the codes that may contain a text, or differ from it by at most as many edits as `most` returns at that moment. */
  async visitNear(text: string, most: () => number, slices: TimeSlices, visit: (code: Code<Value>) => void): Promise<void> {
    const outline = outlineOf(text);
    const mayBeNear = (letters: number, pairs: number, length: number) =>
      Math.max(Math.abs(length - outline.length), fewestEdits(letters, outline.letters)) <= most() ||
      (areAmong(outline.letters, letters) && areAmong(outline.pairs, pairs));
    await this.#entries.visit(mayBeNear, slices, (row) => visit(this.#codeIn(row)));
  }

  #codeIn(row: number): Code<Value> {
    const entry = this.#entries.at(row) as Entry<Value>;
    const property = this.#properties[this.#property[row] as number] as CodeProperty<Value>;
    const { by, of, minPartLength = NEVER, minSuffixLength = NEVER } = property;
    const written = (of(entry.value) ?? "").slice(0, this.#limit);
    return { entry, by, text: plateOf(written), minPartLength, minSuffixLength, written };
  }

  #headOf(hash: number): number {
    return hash & (this.#heads.length - 1);
  }

  #link(row: number): void {
    const head = this.#headOf(this.#hashes[row] as number);
    this.#next[row] = this.#heads[head] as number;
    this.#heads[head] = row;
  }

  /** Doubles the table, in which every row is in use. */
  #grow(): void {
    const rows = this.#hashes.length;
    this.#property = grown(this.#property, 2 * rows);
    this.#hashes = grown(this.#hashes, 2 * rows);
    this.#next = grown(this.#next, 2 * rows);
    this.#heads = new Int32Array(4 * rows).fill(NONE);
    for (let row = 0; row < rows; row++) this.#link(row);
  }

  #readCode(at: number, value: Value): boolean {
    const text = this.#properties[at]?.of(value);
    if (text === undefined || text === "") return false;
    this.#read(text);
    return this.#outline.length > 0;
  }

  /** Reads a code letter by letter, as `compact` would normalize it. */
  #read(text: string, isNormalized = false): void {
    let [hash, letters, pairs, length, before] = [0, 0, 0, 0, 0];
    const end = isNormalized ? text.length : Math.min(text.length, this.#limit);
    for (let at = 0; at < end; at++) {
      let code = text.charCodeAt(at);
      if (!isNormalized) {
        if (code > 127) {
          this.#read(plateOf(text.slice(0, this.#limit)), true);
          return;
        }
        if (code >= 65 && code <= 90) code += 32;
        if (!isLetterOrDigit(code)) continue;
      }
      hash = Math.imul(hash ^ code, 0x01000193);
      letters |= letterBit(code);
      if (length > 0) pairs |= pairBit(before, code);
      before = code;
      length++;
    }
    this.#hash = hash ^ (hash >>> 15);
    this.#outline.letters = letters;
    this.#outline.pairs = pairs;
    this.#outline.length = length;
  }
}
