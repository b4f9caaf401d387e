import type { TimeSlices } from "../runtime/time-slices.ts";
import { asToken, fold, isNumber, nameTokens, runTogether } from "../text/spelling.ts";
import { MultiMap } from "./multi-map.ts";
import type { Entry, IndexedName, Name, NameProperty } from "./name-entry.ts";
import { OutlineTable, type OutlineTest, outlineOfWords } from "./outline-table.ts";
import { isPlain, meanings } from "./query-meanings.ts";
import { agreesOnNumbers, numberedWords } from "./query-words.ts";
import type { Vocabulary } from "./similarity.ts";

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

const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((word, at) => word === b[at]);

/**
 * The names of all entities, by their words. Words lead to names, and names to entities, because thousands of vehicles may share the name of
 * a group.
 */
export class NameTable<Value> {
  readonly #properties: readonly NameProperty<Value>[];
  readonly #limit: number;
  readonly #byWord = new MultiMap<IndexedName<Value>>();
  /** Names with adjacent words joined, if they have any. */
  readonly #joined = new MultiMap<IndexedName<Value>>();
  /** Names by their meaning, joined and in any order, if it differs from their words. */
  readonly #meanings = new MultiMap<IndexedName<Value>>();
  /** The words that are not numbers, and whether each has only its literal meaning. */
  readonly #letterWords = new Map<string, { word: string; isPlain: boolean }>();
  #vocabulary: Vocabulary | undefined;
  readonly #outlines = new OutlineTable<IndexedName<Value>>();
  /** The shared names by text, for each property. */
  readonly #shared: Map<string, IndexedName<Value>>[];

  /** Names are read only up to this number of characters. */
  constructor(properties: readonly NameProperty<Value>[], limit: number) {
    this.#properties = properties;
    this.#limit = limit;
    this.#shared = properties.map(() => new Map());
  }

  /** Adds the names of an entity. */
  add(entry: Entry<Value>): void {
    const properties = this.#properties;
    const names: IndexedName<Value>[] = [];
    for (let at = 0; at < properties.length; at++) {
      const property = properties[at] as NameProperty<Value>;
      const text = this.#clipped(property.of(entry.value));
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

  /** Removes the names that an entity had while it had its value. */
  remove(entry: Entry<Value>): void {
    const properties = this.#properties;
    for (const name of entry.names) {
      name.entries.splice(name.entries.indexOf(entry), 1);
      if (name.entries.length > 0) continue;
      this.#dropName(name);
      for (const [at, { of }] of properties.entries()) {
        const text = this.#clipped(of(entry.value));
        if (this.#shared[at]?.get(text) === name) this.#shared[at].delete(text);
      }
    }
    entry.names = [];
  }

  /** Whether a word, as somebody writes it, occurs in a name. */
  hasWord = (word: string): boolean => this.#byWord.has(asToken(fold(word)));

  /** The words in the names. */
  get vocabulary(): Vocabulary {
    this.#vocabulary ??= this.#readVocabulary();
    return this.#vocabulary;
  }

  /** Returns the names that contain a word. */
  withWord(word: string): readonly IndexedName<Value>[] {
    return this.#byWord.get(word);
  }

  /** Visits the names whose outlines pass a test. */
  visitOutlined(test: OutlineTest, slices: TimeSlices, visit: (name: IndexedName<Value>) => void): Promise<void> {
    return this.#outlines.visit(test, slices, (row) => visit(this.#outlines.at(row) as IndexedName<Value>));
  }

  /** Returns the words in names, except numbers, that begin with some letters. */
  wordsBeginning(letters: string): string[] {
    return [...this.#letterWords.keys()].filter((word) => word.startsWith(letters));
  }

  /** Returns the names that consist of exactly these words, joined or in any order. */
  async consistingOf(tokens: readonly string[], similarity: "same" | "synonym", slices: TimeSlices): Promise<IndexedName<Value>[]> {
    if (tokens.length === 0) return [];
    const query = similarity === "same" ? tokens : meanings(tokens);
    const [joined, sorted] = [runTogether(query), unordered(query)];
    const length = lengthOf(query);
    const means = ({ meaning }: Name) => runTogether(meaning) === joined || unordered(meaning) === sorted;
    const isWritten = ({ tokens }: Name) =>
      lengthOf(tokens) === length && ((tokens.length === query.length && unordered(tokens) === sorted) || runTogether(tokens) === joined);
    // A set, because a single word has the same names joined.
    const byWords = new Set([this.#joined.get(joined), this.#withRarest(query), this.#withRarest(joined.split(" "))]);
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
    return found;
  }

  /**
   * Returns the names that begin with these words; the last word may be incomplete. Excludes people's names, too many of
   * which begin alike.
   */
  async beginningWith(tokens: readonly string[], slices: TimeSlices): Promise<IndexedName<Value>[]> {
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < 2 || isNumber(last)) return [];
    const beginning = tokens.join(" ");
    const found: IndexedName<Value>[] = [];
    await slices.each(this.#withRarest(tokens.slice(0, -1)), (name) => {
      if (!name.isPerson && name.tokens.join(" ").startsWith(beginning)) found.push(name);
    });
    return found;
  }

  /** Returns the names that contain the query word whose entities are fewest, and those that contain an alternative to it. */
  withRarestOf(alternatives: readonly ReadonlySet<string>[]): (readonly IndexedName<Value>[])[] {
    const namesOf = (words: ReadonlySet<string>) => [...words].map((word) => this.#byWord.get(word));
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

  /** Returns the names that contain the rarest of the words. */
  #withRarest(words: readonly string[]): readonly IndexedName<Value>[] {
    const names = words.map((word) => this.#byWord.get(word));
    return names.reduce((rarest, held) => (held.length < rarest.length ? held : rarest));
  }

  #clipped(text: string | undefined): string {
    return (text ?? "").slice(0, this.#limit);
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
      if (tokens.indexOf(word) === at) this.#byWord.add(word, name);
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
    for (const word of new Set(tokens)) if (this.#byWord.remove(word, name) && this.#letterWords.delete(word)) this.#vocabulary = undefined;
    if (hasAdjacentWords(name)) this.#joined.remove(runTogether(tokens), name);
    for (const key of meaningKeys(name)) this.#meanings.remove(key, name);
  }

  #readVocabulary(): Vocabulary {
    const byMeaning = new Map<string, string[]>();
    for (const word of this.#letterWords.keys()) {
      const meaning = meanings([word])[0] ?? word;
      const words = byMeaning.get(meaning);
      if (words) words.push(word);
      else byMeaning.set(meaning, [word]);
    }
    const has = (word: string) => this.#byWord.has(word);
    return {
      has,
      // A number means only itself, but a word such as "twelve" may also mean a number.
      meaning: (word) => [...(byMeaning.get(word) ?? []), ...(isNumber(word) && has(word) ? [word] : [])],
      letterWords: [...this.#letterWords.keys()],
    };
  }
}
