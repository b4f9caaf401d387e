import type { TimeSlices } from "../runtime/time-slices.ts";
import { asToken, fold, isNumber, latinLetters, nameTokens, plateOf, runTogether } from "../text/spelling.ts";
import type { Code, CodeProperty, Entry, Hit, Name, NameProperty, Naming } from "./name-entry.ts";
import { agreesOnNumbers, isPlain, meanings, numberedWords } from "./word-meanings.ts";

/** Lists by key. Most have one item, which is held without a list: this saves a third of the memory of a large index. */
type Lists<Item extends object> = Map<string, Item | Item[]>;

function listOf<Item extends object>(lists: Lists<Item> | undefined, key: string): readonly Item[] {
  const held = lists?.get(key);
  return held === undefined ? [] : Array.isArray(held) ? held : [held];
}

function add<Item extends object>(lists: Lists<Item>, key: string, item: Item): void {
  const held = lists.get(key);
  if (Array.isArray(held)) held.push(item);
  else lists.set(key, held === undefined ? item : [held, item]);
}

/** Removes an item; returns whether it was the last one of its key. */
function remove<Item extends object>(lists: Lists<Item>, key: string, item: Item): boolean {
  const held = lists.get(key);
  if (!Array.isArray(held)) return held === item && lists.delete(key);
  const at = held.indexOf(item);
  if (at !== -1) held.splice(at, 1);
  return held.length === 0 && lists.delete(key);
}

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

/** A word in names, except numbers, which mean only themselves; "twelve" may also mean a number. */
interface Word {
  text: string;
  meaning: string;
  /** Whether it has its literal meaning, whatever the words around it. */
  isPlain: boolean;
}

const sorted = (words: readonly string[]) => words.toSorted().join(" ");

/** Keys that are equal for the same words in any order, and for the same words joined. */
function keysOf(tokens: readonly string[]): string[] {
  const joined = runTogether(tokens).split(" ");
  return joined.length === tokens.length ? [sorted(tokens)] : [sorted(tokens), sorted(joined)];
}

const namesKeys = ({ tokens, meaning }: Pick<Name<never>, "tokens" | "meaning">) =>
  meaning === tokens ? keysOf(tokens) : [...new Set([...keysOf(tokens), ...keysOf(meaning)])];

const normalizedCode = (code: string) => plateOf(code.slice(0, MAX_NAME_LENGTH));

/** Whether a property may be found by a part of its code. */
const isPartial = ({ minPartLength, minSuffixLength }: Pick<CodeProperty<never>, "minPartLength" | "minSuffixLength">) =>
  (minPartLength ?? minSuffixLength) !== undefined;

/** An index of entities by the words of their names and by their codes. It is updated one entity at a time, at almost no cost if names stay the same. */
export class NameIndex<Value> {
  readonly #naming: Naming<Value>;
  readonly #entries = new Map<unknown, Entry<Value>>();
  /** The shared names by text, for each property. */
  readonly #shared: Map<string, Name<Value>>[];
  /** The names by the keys that do not consist of their words. */
  readonly #whole: Lists<Name<Value>> = new Map();
  readonly #byWord: Lists<Name<Value>> = new Map();
  /** The words that are not numbers. */
  readonly #words = new Map<string, Word>();
  readonly #byMeaning: Lists<Word> = new Map();
  /** The entities by normalized code, unless it is their key, for each property. */
  readonly #codes: Lists<Entry<Value>>[];

  constructor(naming: Naming<Value>) {
    this.#naming = naming;
    this.#shared = naming.names.map(() => new Map());
    this.#codes = naming.codes.map(() => new Map());
  }

  /** The labels by which questions offer an entity. */
  labelsOf(value: Value): string[] {
    return this.#naming.labels(value);
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
    const existing = this.#entries.get(key);
    if (existing) {
      this.replace(existing, key, value);
      return existing;
    }
    const entry: Entry<Value> = { value, names: [], list: 0 };
    this.#entries.set(key, entry);
    this.#addNames(entry);
    this.#updateCodes(entry, key, undefined, value);
    return entry;
  }

  /** Replaces the entity of an entry. */
  replace(entry: Entry<Value>, key: unknown, value: Value): void {
    const before = entry.value;
    const isRenamed = this.#naming.names.some(({ of }) => of(before) !== of(value));
    if (isRenamed) this.#removeNames(entry);
    entry.value = value;
    if (isRenamed) this.#addNames(entry);
    this.#updateCodes(entry, key, before, value);
  }

  delete(key: unknown): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#removeNames(entry);
    this.#updateCodes(entry, key, entry.value, undefined);
  }

  #updateCodes(entry: Entry<Value>, key: unknown, before: Value | undefined, after: Value | undefined): void {
    for (const [at, { of }] of this.#naming.codes.entries()) {
      const codes = this.#codes[at] as Lists<Entry<Value>>;
      const [old, current] = [before && of(before), after && of(after)];
      if (old === current) continue;
      if (old) remove(codes, normalizedCode(old), entry);
      const code = normalizedCode(current ?? "");
      if (code !== "" && code !== key) add(codes, code, entry);
    }
  }

  #addNames(entry: Entry<Value>): void {
    const names: Name<Value>[] = [];
    for (const [at, property] of this.#naming.names.entries()) {
      const text = (property.of(entry.value) ?? "").slice(0, MAX_NAME_LENGTH);
      const shared = property.isShared ? this.#shared[at] : undefined;
      const existing = shared?.get(text);
      if (existing) existing.entries.push(entry);
      const name = existing ?? this.#newName(text, property, entry);
      if (name.tokens.length === 0) continue;
      if (!existing) shared?.set(text, name);
      names.push(name);
    }
    // A copy has no spare capacity, unlike an array that has grown.
    entry.names = names.slice();
  }

  #removeNames(entry: Entry<Value>): void {
    for (const name of entry.names) {
      name.entries.splice(name.entries.indexOf(entry), 1);
      if (name.entries.length === 0) this.#dropName(name);
    }
  }

  #newName(text: string, { by, isPerson = false }: NameProperty<Value>, entry: Entry<Value>): Name<Value> {
    const tokens = nameTokens(text);
    let isPlainName = true;
    for (const [at, token] of tokens.entries()) {
      if (isNumber(token)) continue;
      const word = this.#words.get(token) ?? this.#newWord(token);
      // One string for all names with this word.
      tokens[at] = word.text;
      isPlainName &&= word.isPlain;
    }
    const name: Name<Value> = { text, by, isPerson, tokens, meaning: isPlainName ? tokens : meanings(tokens), entries: [entry] };
    for (const [at, word] of tokens.entries()) if (tokens.indexOf(word) === at) add(this.#byWord, word, name);
    for (const key of namesKeys(name).slice(1)) add(this.#whole, key, name);
    return name;
  }

  #newWord(text: string): Word {
    const word = { text, meaning: meanings([text])[0] ?? text, isPlain: isPlain(text) };
    this.#words.set(text, word);
    add(this.#byMeaning, word.meaning, word);
    return word;
  }

  #dropName(name: Name<Value>): void {
    const at = this.#naming.names.findIndex(({ by }) => by === name.by);
    this.#shared[at]?.delete(name.text);
    for (const key of namesKeys(name).slice(1)) remove(this.#whole, key, name);
    for (const text of new Set(name.tokens)) {
      const word = remove(this.#byWord, text, name) ? this.#words.get(text) : undefined;
      if (!word) continue;
      this.#words.delete(text);
      remove(this.#byMeaning, word.meaning, word);
    }
  }

  /** Whether a word, as somebody writes it, occurs in a name. */
  hasWord = (word: string): boolean => this.#byWord.has(asToken(fold(word)));

  /** The words in names, except numbers. */
  words(): IterableIterator<string> {
    return this.#words.keys();
  }

  /** Returns the words in names with the same meaning as a word. */
  wordsLike(word: string): string[] {
    const like = listOf(this.#byMeaning, meanings([word])[0] ?? word).map(({ text }) => text);
    return isNumber(word) && this.#byWord.has(word) ? [...like, word] : like;
  }

  /** For each word of a query, takes the words that it may match; returns the names that contain the rarest of them. */
  namesWithRarest(alternatives: readonly Iterable<string>[]): Name<Value>[] {
    const candidates = alternatives.map((words) => {
      const lists = [...words].map((word) => listOf(this.#byWord, word));
      return { lists, names: lists.reduce((sum, list) => sum + list.length, 0) };
    });
    let [rarest, fewest]: [(readonly Name<Value>[])[], number] = [[], Number.POSITIVE_INFINITY];
    // A name has one entity or more. Half of a fleet may have one of the words: its names are neither counted nor copied.
    for (const { lists, names } of candidates.sort((a, b) => a.names - b.names)) {
      if (names >= fewest) break;
      let count = 0;
      for (const list of lists) for (const { entries } of list) count += entries.length;
      if (count < fewest) [rarest, fewest] = [lists, count];
    }
    return rarest.flat();
  }

  /** Returns the codes that have this normalized form. */
  codesWritten(text: string): Code<Value>[] {
    const code = latinLetters(text);
    const keyed = this.#entries.get(code);
    return this.#naming.codes.flatMap((property, at) => {
      const isKey = keyed && normalizedCode(property.of(keyed.value) ?? "") === code;
      const entries = [...(isKey ? [keyed] : []), ...listOf(this.#codes[at], code)];
      return entries.map((entry) => ({ entry, by: property.by, text: code, property }));
    });
  }

  /** Visits the codes that may be found in part. */
  async eachPartialCode(slices: TimeSlices, visit: (code: Code<Value>) => void): Promise<void> {
    for (const [at, property] of this.#naming.codes.entries()) {
      if (!isPartial(property)) continue;
      await slices.each(this.#codes[at] ?? [], ([text, held]) => {
        for (const entry of [held].flat() as Entry<Value>[]) visit({ entry, by: property.by, text, property });
      });
    }
  }

  /** Returns the entities with a name that consists of exactly these words, joined or in any order. */
  async namesOf(tokens: readonly string[], similarity: "same" | "synonym", slices: TimeSlices): Promise<Hit<Value>[]> {
    const query = similarity === "same" ? tokens : meanings(tokens);
    const keys = keysOf(query);
    const numbered = numberedWords(query);
    const found = new Set<Name<Value>>();
    const candidates = [query, runTogether(query).split(" ")].map((words) => this.namesWithRarest(words.map((word) => [word])));
    for (const names of [...candidates, ...keys.map((key) => listOf(this.#whole, key))]) {
      await slices.each(names, (name) => {
        const own = similarity === "same" ? keysOf(name.tokens) : namesKeys(name);
        // If the words are in another order, a number may belong to a different word.
        const words = similarity === "same" ? name.tokens : name.meaning;
        if (own.some((key) => keys.includes(key)) && agreesOnNumbers(numbered, words, (a, b) => a === b)) found.add(name);
      });
    }
    return hitsOf(found, slices);
  }

  /**
   * Returns the entities with a name that begins with these words; the last word may be incomplete. Excludes people's names, too many of
   * which begin alike.
   */
  async namesBeginning(tokens: readonly string[], slices: TimeSlices): Promise<Hit<Value>[]> {
    if (tokens.length < 2 || isNumber(tokens.at(-1) ?? "")) return [];
    const beginning = tokens.join(" ");
    const found: Name<Value>[] = [];
    await slices.each(this.namesWithRarest(tokens.slice(0, -1).map((word) => [word])), (name) => {
      if (!name.isPerson && name.tokens.join(" ").startsWith(beginning)) found.push(name);
    });
    return hitsOf(found, slices);
  }
}

async function hitsOf<Value>(names: Iterable<Name<Value>>, slices: TimeSlices): Promise<Hit<Value>[]> {
  const hits: Hit<Value>[] = [];
  for (const { entries, by } of names) await slices.each(entries, (entry) => hits.push({ entry, by }));
  return hits;
}
