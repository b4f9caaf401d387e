import type { TimeSlices } from "../runtime/time-slices.ts";
import { compact, fold, isCompact, latinLetters, nameTokens, rawWords } from "../text/spelling.ts";
import { CodeTable } from "./code-table.ts";
import { type Code, type CodeProperty, type Entry, type Hit, holdersOf, type IndexedName, type Name, type Naming } from "./name-entry.ts";
import { NameTable } from "./name-table.ts";
import { type Found, QueryWords } from "./query-words.ts";
import type { Similarity } from "./similarity.ts";

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

/** No question offers a longer label. */
const MAX_LABEL_LENGTH = 200;

const NEVER = Number.POSITIVE_INFINITY;

/** Whether a code is the key of its entity, and matches only as a whole. Keys are compared verbatim. */
function isFoundByKey<Value>({ of, minPartLength, minSuffixLength }: CodeProperty<Value>, value: Value, key: unknown): boolean {
  if (minPartLength !== undefined || minSuffixLength !== undefined) return false;
  const code = of(value);
  return code !== undefined && code === key && code.length <= MAX_NAME_LENGTH && isCompact(code);
}

const isPartial = ({ minPartLength, minSuffixLength }: { minPartLength: number; minSuffixLength: number }) =>
  Math.min(minPartLength, minSuffixLength) < MAX_NAME_LENGTH;

/** Returns the indices at which the words and numbers of a code begin, and its length. */
export function boundariesOf({ written }: { written: string }): Set<number> {
  let at = 0;
  return new Set([0, ...rawWords(fold(written)).map(({ length }) => (at += length))]);
}

/**
 * An index of entities by the words of their names and by their codes. Entities are added, replaced and removed one by one, at almost no cost if
 * their names stay the same.
 */
export class NameIndex<Value> {
  readonly #naming: Naming<Value>;
  readonly #entries = new Map<unknown, Entry<Value>>();
  /** All names; a name leads to the entities that have it. */
  readonly names: NameTable<Value>;
  /** All codes, except those that are also the key and match only as a whole. */
  readonly #codes: CodeTable<Value>;
  #added = 0;
  /** The fewest characters with which a code can be found in part. */
  readonly minPartLength: number;

  constructor(naming: Naming<Value>) {
    this.#naming = naming;
    this.#codes = new CodeTable(naming.codes, MAX_NAME_LENGTH);
    this.names = new NameTable(naming.names, MAX_NAME_LENGTH);
    this.minPartLength = Math.min(
      ...naming.codes.flatMap(({ minPartLength, minSuffixLength }) => [minPartLength ?? NEVER, minSuffixLength ?? NEVER]),
    );
  }

  /** The entities, in the order in which they were added. */
  entries(): IterableIterator<Entry<Value>> {
    return this.#entries.values();
  }

  keyed(): IterableIterator<[unknown, Entry<Value>]> {
    return this.#entries.entries();
  }

  get(key: unknown): Entry<Value> | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entity, or replaces the one with the same key. */
  set(key: unknown, value: Value): Entry<Value> {
    const known = this.#entries.get(key);
    if (known) {
      this.replace(known, key, value);
      return known;
    }
    const entry: Entry<Value> = { value, names: [], list: 0, serial: this.#added++ };
    this.#entries.set(key, entry);
    this.names.add(entry);
    this.#addCodes(entry, key);
    return entry;
  }

  /** Replaces the entity of an entry. */
  replace(entry: Entry<Value>, key: unknown, value: Value): void {
    const before = entry.value;
    const { names, codes } = this.#naming;
    const isRenamed = names.some(({ of }) => of(before) !== of(value));
    if (isRenamed) this.names.remove(entry);
    entry.value = value;
    if (isRenamed) this.names.add(entry);
    if (codes.every(({ of }) => of(before) === of(value))) return;
    this.#removeCodes(entry, before);
    this.#addCodes(entry, key);
  }

  delete(key: unknown): void {
    const known = this.#entries.get(key);
    if (!known) return;
    this.#entries.delete(key);
    this.names.remove(known);
    this.#removeCodes(known, known.value);
  }

  #addCodes(entry: Entry<Value>, key: unknown): void {
    const { codes } = this.#naming;
    for (let at = 0; at < codes.length; at++) {
      if (!isFoundByKey(codes[at] as CodeProperty<Value>, entry.value, key)) this.#codes.add(at, entry);
    }
  }

  #removeCodes(entry: Entry<Value>, value: Value): void {
    for (let at = 0; at < this.#naming.codes.length; at++) this.#codes.remove(at, entry, value);
  }

  /** Returns the codes that have this normalized form. */
  codesWritten(text: string): Code<Value>[] {
    const keyed = this.#entries.get(text);
    const byKey = this.#naming.codes.flatMap((property): Code<Value>[] => {
      if (!keyed || !isFoundByKey(property, keyed.value, text)) return [];
      return [{ entry: keyed, by: property.by, text, minPartLength: NEVER, minSuffixLength: NEVER, written: text }];
    });
    return [...byKey, ...this.#codes.written(latinLetters(text))];
  }

  /** Finds the codes that contain a text in their normalized form and can match in part. */
  async codesContaining(text: string, slices: TimeSlices): Promise<Code<Value>[]> {
    return (await this.#codes.containing(latinLetters(text), slices)).filter(isPartial);
  }

  /** Visits the codes that can match in part and may contain a text, or differ from it by at most as many edits as `most` returns. */
  visitCodesNear(text: string, most: () => number, slices: TimeSlices, visit: (code: Code<Value>) => void): Promise<void> {
    return this.#codes.visitNear(latinLetters(text), most, slices, (code) => {
      if (isPartial(code)) visit(code);
    });
  }

  /** Returns the entities with a name that consists of exactly these words, joined or in any order. */
  async namesOf(tokens: readonly string[], similarity: "same" | "synonym", slices: TimeSlices): Promise<Hit<Value>[]> {
    return this.#hitsOf(await this.names.consistingOf(tokens, similarity, slices), slices);
  }

  /** Returns the entities that a question offers by this label, which begins with their name or code, unless that is cut. */
  async labelled(text: string, slices: TimeSlices): Promise<Entry<Value>[]> {
    const { labels } = this.#naming;
    const label = fold(text.trim());
    if (!labels || label.length > MAX_LABEL_LENGTH) return [];
    const found = new Set<Entry<Value>>();
    const add = (entry: Entry<Value>) => {
      if (labels(entry.value).some((other) => fold(other) === label)) found.add(entry);
    };
    for (const { index } of label.matchAll(/ \(|, /g)) {
      const beginning = label.slice(0, index);
      for (const { entry } of this.codesWritten(compact(beginning))) add(entry);
      for (const { entry } of await this.namesOf(nameTokens(beginning), "same", slices)) add(entry);
    }
    if (text.includes("…")) await slices.each(this.#entries.values(), add);
    return [...found];
  }

  /**
   * Returns the entities with a name that begins with these words; the last word may be incomplete. Excludes people's names, too many of
   * which begin alike.
   */
  async namesBeginning(tokens: readonly string[], slices: TimeSlices): Promise<Hit<Value>[]> {
    return this.#hitsOf(await this.names.beginningWith(tokens, slices), slices);
  }

  /** Returns the entities with one of these names, each with its matching names. */
  async #hitsOf(names: readonly IndexedName<Value>[], slices: TimeSlices): Promise<Hit<Value>[]> {
    const matching = new Set<Name>(names);
    const entries = new Set<Entry<Value>>();
    await slices.each(holdersOf(names), (entry) => entries.add(entry));
    const hits: Hit<Value>[] = [];
    await slices.each(entries, (entry) => {
      for (const name of entry.names) if (matching.has(name)) hits.push({ entry, by: name.by });
    });
    return hits;
  }

  /** Returns the entities whose names contain all of the words, within one name or spread over several. */
  async entriesWith(tokens: readonly string[], similarity: Similarity, slices: TimeSlices): Promise<Found<Value>[]> {
    const queryWords = new QueryWords(tokens, similarity, this.names.vocabulary);
    const seen = new Set<Entry<Value>>();
    const found: Found<Value>[] = [];
    for (const names of this.names.withRarestOf(queryWords.alternatives())) {
      await slices.each(holdersOf(names), (entry) => {
        if (seen.has(entry)) return;
        seen.add(entry);
        const one = queryWords.foundIn(entry);
        if (one) found.push(one);
      });
    }
    return found;
  }
}
