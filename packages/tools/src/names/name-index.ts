import type { TimeSlices } from "../time-slices.ts";
import { CodeTable } from "./code-table.ts";
import { MultiMap } from "./multi-map.ts";
import type { Code, CodeProperty, Entry, Hit, IndexedName, Name, NameProperty, Naming } from "./name-entry.ts";
import { OutlineTable, type OutlineTest, outlineOfWords } from "./outline-table.ts";
import { isPlain, meanings } from "./query-meanings.ts";
import { agreesOnNumbers, type Found, numberedWords, QueryWords } from "./query-words.ts";
import type { Similarity, Vocabulary } from "./similarity.ts";
import { asToken, fold, isCompact, isNumber, nameTokens, rawWords, runTogether } from "./spelling.ts";

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

const NEVER = Number.POSITIVE_INFINITY;

const clipped = (text: string | undefined) => (text ?? "").slice(0, MAX_NAME_LENGTH);

/** Whether a code is the key of its entity, and matches only as a whole. Keys are compared as they are. */
function isFoundByKey<Value>({ of, minPartLength, minSuffixLength }: CodeProperty<Value>, value: Value, key: unknown): boolean {
  if (minPartLength !== undefined || minSuffixLength !== undefined) return false;
  const code = of(value);
  return code !== undefined && code === key && code.length <= MAX_NAME_LENGTH && isCompact(code);
}

const isPartial = ({ minPartLength, minSuffixLength }: { minPartLength: number; minSuffixLength: number }) =>
  Math.min(minPartLength, minSuffixLength) < MAX_NAME_LENGTH;

/** Whether a name has two words in a row, so that joining them makes a difference. */
const hasAdjacentWords = ({ tokens }: Name) => tokens.some((word, at) => at > 0 && !isNumber(word) && !isNumber(tokens[at - 1] as string));

const meaningKeys = ({ tokens, meaning }: Name): string[] => (meaning === tokens ? [] : [runTogether(meaning), unordered(meaning)]);

/** A key for names that contain these words in any order. */
const unordered = (tokens: readonly string[]) => `~${[...tokens].sort().join(" ")}`;

const lengthOf = (parts: readonly { length: number }[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** Counts the entities with these names, at least up to `most`. */
function holdersIn<Value>(lists: readonly (readonly IndexedName<Value>[])[], most: number): number {
  let count = 0;
  for (const names of lists) {
    for (const { entries } of names) {
      count += entries.length;
      if (count >= most) return count;
    }
  }
  return count;
}

/** Finds the entities with these names, more than once if they have several. */
export function* holdersOf<Value>(names: Iterable<IndexedName<Value>>): Generator<Entry<Value>> {
  for (const { entries } of names) yield* entries;
}

const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((word, at) => word === b[at]);

/** Returns the indices at which the words and numbers of a code begin, and its length. */
export function boundariesOf({ written }: { written: string }): Set<number> {
  let at = 0;
  return new Set([0, ...rawWords(fold(written)).map(({ length }) => (at += length))]);
}

/**
 * An index of entities by the words of their names and by their codes. Entities are added, replaced and removed one by one, which costs
 * next to nothing if their names stay the same. Words lead to names, and names to entities, because thousands of vehicles may share the
 * name of a group.
 */
export class NameIndex<Value> {
  readonly #naming: Naming<Value>;
  readonly #entries = new Map<unknown, Entry<Value>>();
  /** Names by word. */
  readonly #names = new MultiMap<IndexedName<Value>>();
  /** Names with adjacent words joined, if they have any. */
  readonly #joined = new MultiMap<IndexedName<Value>>();
  /** Names by their meaning, joined and in any order, if it differs from their words. */
  readonly #meanings = new MultiMap<IndexedName<Value>>();
  /** All codes, except those that are also the key and match only as a whole. */
  readonly #codes: CodeTable<Value>;
  /** The words that are not numbers, and whether each has only its literal meaning. */
  readonly #letterWords = new Map<string, { word: string; isPlain: boolean }>();
  #vocabulary: Vocabulary | undefined;
  readonly #outlines = new OutlineTable<IndexedName<Value>>();
  #added = 0;
  /** The fewest characters with which a code can be found in part. */
  readonly minPartLength: number;
  /** The shared names by text, for each property. */
  readonly #shared: Map<string, IndexedName<Value>>[];

  constructor(naming: Naming<Value>) {
    this.#naming = naming;
    this.#codes = new CodeTable(naming.codes, MAX_NAME_LENGTH);
    this.#shared = naming.names.map(() => new Map());
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
    this.#addNames(entry);
    this.#addCodes(entry, key);
    return entry;
  }

  /** Replaces the entity of an entry. */
  replace(entry: Entry<Value>, key: unknown, value: Value): void {
    const before = entry.value;
    const { names, codes } = this.#naming;
    const isRenamed = names.some(({ of }) => of(before) !== of(value));
    if (isRenamed) this.#removeNames(entry);
    entry.value = value;
    if (isRenamed) this.#addNames(entry);
    if (codes.every(({ of }) => of(before) === of(value))) return;
    this.#removeCodes(entry, before);
    this.#addCodes(entry, key);
  }

  delete(key: unknown): void {
    const known = this.#entries.get(key);
    if (!known) return;
    this.#entries.delete(key);
    this.#removeNames(known);
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

  #addNames(entry: Entry<Value>): void {
    const { names: properties } = this.#naming;
    const names: IndexedName<Value>[] = [];
    for (let at = 0; at < properties.length; at++) {
      const property = properties[at] as NameProperty<Value>;
      const text = clipped(property.of(entry.value));
      if (text === "") continue;
      const shared = property.isShared ? this.#shared[at] : undefined;
      const known = shared?.get(text);
      if (known) known.entries.push(entry);
      const name = known ?? this.#newName(text, property, entry);
      if (name.tokens.length === 0) continue;
      if (!known) shared?.set(text, name);
      names.push(name);
    }
    // A copy has no spare capacity, unlike an array that has grown.
    entry.names = names.slice();
  }

  #removeNames(entry: Entry<Value>): void {
    const { names: properties } = this.#naming;
    for (const name of entry.names) {
      name.entries.splice(name.entries.indexOf(entry), 1);
      if (name.entries.length > 0) continue;
      this.#dropName(name);
      for (const [at, { of }] of properties.entries()) {
        const text = clipped(of(entry.value));
        if (this.#shared[at]?.get(text) === name) this.#shared[at].delete(text);
      }
    }
    entry.names = [];
  }

  #newName(text: string, { by, isPerson = false }: NameProperty<Value>, entry: Entry<Value>): IndexedName<Value> {
    const tokens = nameTokens(text);
    let isPlainName = true;
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as string;
      const known = this.#letterWords.get(token) ?? this.#newWord(token);
      if (!known) continue;
      tokens[at] = known.word;
      isPlainName &&= known.isPlain;
    }
    const meaning = isPlainName ? tokens : meanings(tokens);
    const name = { by, isPerson, tokens, meaning: isSame(meaning, tokens) ? tokens : meaning, entries: [entry], row: 0 };
    if (tokens.length > 0) name.row = this.#outlines.add(name, outlineOfWords(tokens));
    for (let at = 0; at < tokens.length; at++) {
      const word = tokens[at] as string;
      if (tokens.indexOf(word) === at) this.#names.add(word, name);
    }
    if (hasAdjacentWords(name)) this.#joined.add(runTogether(tokens), name);
    for (const key of meaningKeys(name)) this.#meanings.add(key, name);
    return name;
  }

  /** Adds a word to the vocabulary, unless it is a number. */
  #newWord(word: string): { word: string; isPlain: boolean } | undefined {
    if (isNumber(word)) return undefined;
    const known = { word, isPlain: isPlain(word) };
    this.#letterWords.set(word, known);
    this.#vocabulary = undefined;
    return known;
  }

  #dropName(name: IndexedName<Value>): void {
    const { tokens } = name;
    this.#outlines.remove(name.row);
    for (const word of new Set(tokens)) if (this.#names.remove(word, name) && this.#letterWords.delete(word)) this.#vocabulary = undefined;
    if (hasAdjacentWords(name)) this.#joined.remove(runTogether(tokens), name);
    for (const key of meaningKeys(name)) this.#meanings.remove(key, name);
  }

  hasWord = (word: string): boolean => this.#names.has(asToken(fold(word)));

  /** Returns the codes that have this normalized form. */
  codesWritten(text: string): Code<Value>[] {
    const keyed = this.#entries.get(text);
    const byKey = this.#naming.codes.flatMap((property): Code<Value>[] => {
      if (!keyed || !isFoundByKey(property, keyed.value, text)) return [];
      return [{ entry: keyed, by: property.by, text, minPartLength: NEVER, minSuffixLength: NEVER, written: text }];
    });
    return [...byKey, ...this.#codes.written(text)];
  }

  /** Finds the codes that contain a text in their normalized form and can match in part. */
  async codesContaining(text: string, slices: TimeSlices): Promise<Code<Value>[]> {
    return (await this.#codes.containing(text, slices)).filter(isPartial);
  }

  /** Visits the codes that can match in part and may contain a text, or differ from it by at most as many edits as `most` returns. */
  visitCodesNear(text: string, most: () => number, slices: TimeSlices, visit: (code: Code<Value>) => void): Promise<void> {
    return this.#codes.visitNear(text, most, slices, (code) => {
      if (isPartial(code)) visit(code);
    });
  }

  /** Returns the names that contain a word. */
  namesWith(word: string): readonly IndexedName<Value>[] {
    return this.#names.get(word);
  }

  /** Visits the names whose outlines pass a test. */
  visitNamesOutlined(test: OutlineTest, slices: TimeSlices, visit: (name: IndexedName<Value>) => void): Promise<void> {
    return this.#outlines.visit(test, slices, (row) => visit(this.#outlines.at(row) as IndexedName<Value>));
  }

  /** Returns the words in names, except numbers, that begin with some letters. */
  wordsBeginning(letters: string): string[] {
    return [...this.#letterWords.keys()].filter((word) => word.startsWith(letters));
  }

  /** Returns the entities with a name that consists of exactly these words, joined or in any order. */
  async namesOf(tokens: readonly string[], similarity: "same" | "synonym", slices: TimeSlices): Promise<Hit<Value>[]> {
    if (tokens.length === 0) return [];
    const query = similarity === "same" ? tokens : meanings(tokens);
    const [joined, sorted] = [runTogether(query), unordered(query)];
    const length = lengthOf(query);
    const means = ({ meaning }: Name) => runTogether(meaning) === joined || unordered(meaning) === sorted;
    const isWritten = ({ tokens }: Name) =>
      lengthOf(tokens) === length && ((tokens.length === query.length && unordered(tokens) === sorted) || runTogether(tokens) === joined);
    // A set, because a single word has the same names joined.
    const byWords = new Set([this.#joined.get(joined), this.#namesWithRarest(query), this.#namesWithRarest(joined.split(" "))]);
    const byMeaning = similarity === "same" ? [] : [this.#meanings.get(joined), this.#meanings.get(sorted)];
    const numbered = numberedWords(query);
    const found: IndexedName<Value>[] = [];
    const find = (name: IndexedName<Value>, isMatch: boolean) => {
      // If the words are in another order, a number may belong to a different word.
      const known = similarity === "same" ? name.tokens : name.meaning;
      if (isMatch && agreesOnNumbers(numbered, known, (a, b) => a === b)) found.push(name);
    };
    for (const names of byMeaning) await slices.each(names, (name) => find(name, means(name)));
    for (const names of byWords) await slices.each(names, (name) => find(name, isWritten(name)));
    return this.#hitsOf(found, slices);
  }

  /**
   * Returns the entities with a name that begins with these words; the last word may be incomplete. Excludes people's names, too many of
   * which begin alike.
   */
  async namesBeginning(tokens: readonly string[], slices: TimeSlices): Promise<Hit<Value>[]> {
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < 2 || isNumber(last)) return [];
    const beginning = tokens.join(" ");
    const found: IndexedName<Value>[] = [];
    await slices.each(this.#namesWithRarest(tokens.slice(0, -1)), (name) => {
      if (!name.isPerson && name.tokens.join(" ").startsWith(beginning)) found.push(name);
    });
    return this.#hitsOf(found, slices);
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
    this.#vocabulary ??= this.#readVocabulary();
    const queryWords = new QueryWords(tokens, similarity, this.#vocabulary);
    const seen = new Set<Entry<Value>>();
    const found: Found<Value>[] = [];
    for (const names of this.#namesWithRarestOf(queryWords.alternatives())) {
      await slices.each(holdersOf(names), (entry) => {
        if (seen.has(entry)) return;
        seen.add(entry);
        const one = queryWords.foundIn(entry);
        if (one) found.push(one);
      });
    }
    return found;
  }

  #readVocabulary(): Vocabulary {
    const byMeaning = new Map<string, string[]>();
    for (const word of this.#letterWords.keys()) {
      const meaning = meanings([word])[0] ?? word;
      const words = byMeaning.get(meaning);
      if (words) words.push(word);
      else byMeaning.set(meaning, [word]);
    }
    const has = (word: string) => this.#names.has(word);
    return {
      has,
      // A number means only itself, but a word such as "twelve" may also mean a number.
      meaning: (word) => [...(byMeaning.get(word) ?? []), ...(isNumber(word) && has(word) ? [word] : [])],
      letterWords: [...this.#letterWords.keys()],
    };
  }

  /** Returns the names that contain the rarest of the words. */
  #namesWithRarest(words: readonly string[]): readonly IndexedName<Value>[] {
    const names = words.map((word) => this.#names.get(word));
    return names.reduce((rarest, held) => (held.length < rarest.length ? held : rarest));
  }

  /** Returns the names that contain the query word whose entities are fewest, and those that contain an alternative to it. */
  #namesWithRarestOf(alternatives: readonly ReadonlySet<string>[]): (readonly IndexedName<Value>[])[] {
    const namesOf = (words: ReadonlySet<string>) => [...words].map((word) => this.#names.get(word));
    // In order of their names, so that counting the holders of a common word can end early.
    const inOrder = alternatives.map(namesOf).sort((a, b) => lengthOf(a) - lengthOf(b));
    let rarest: (readonly IndexedName<Value>[])[] = [];
    let fewest = Number.POSITIVE_INFINITY;
    for (const lists of inOrder) {
      const count = holdersIn(lists, fewest);
      if (count < fewest) [rarest, fewest] = [lists, count];
    }
    return rarest;
  }
}
