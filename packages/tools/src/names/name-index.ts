import type { TimeSlices } from "../runtime/time-slices.ts";
import { asToken, compact, fold, isNumber, latinLetters, nameTokens, plateOf, runTogether } from "../text/spelling.ts";
import type { Code, CodeProperty, Entry, Hit, Name, NameProperty, Naming } from "./name-entry.ts";
import { agreesOnNumbers, numberedWords } from "./query-words.ts";
import { isPlain, meanings } from "./word-meanings.ts";

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

/** No question offers a longer label. */
const MAX_LABEL_LENGTH = 200;

/** A word in names; a number means only itself, but a word such as "twelve" may also mean a number. */
interface Word<Value> {
  text: string;
  meaning: string;
  /** Whether it has its literal meaning, whatever the words around it. */
  isPlain: boolean;
  names: Name<Value>[];
}

function add<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function remove<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key) ?? [];
  const at = list.indexOf(item);
  if (at !== -1) list.splice(at, 1);
  if (list.length === 0) lists.delete(key);
}

const sorted = (words: readonly string[]) => [...words].sort().join(" ");

/** Keys that are equal for the same words in any order, and for the same words joined. */
const keysOf = (tokens: readonly string[]) => new Set([sorted(tokens), sorted(runTogether(tokens).split(" "))]);

const namesKeys = ({ tokens, meaning }: Pick<Name<never>, "tokens" | "meaning">) =>
  meaning === tokens ? keysOf(tokens) : new Set([...keysOf(tokens), ...keysOf(meaning)]);

/** Whether a property may be found by a part of its code. */
const isPartial = ({ minPartLength, minSuffixLength }: Pick<CodeProperty<never>, "minPartLength" | "minSuffixLength">) =>
  (minPartLength ?? minSuffixLength) !== undefined;

/** An index of entities by the words of their names and by their codes. It is updated one entity at a time, at almost no cost if names stay the same. */
export class NameIndex<Value> {
  readonly #naming: Naming<Value>;
  readonly #entries = new Map<unknown, Entry<Value>>();
  /** The names by text, for each property. */
  readonly #names: Map<string, Name<Value>>[];
  /** The names by {@link keysOf} their words and their meaning. */
  readonly #whole = new Map<string, Name<Value>[]>();
  readonly #words = new Map<string, Word<Value>>();
  readonly #byMeaning = new Map<string, Word<Value>[]>();
  /** The entities by normalized code, for each property. */
  readonly #codes: Map<string, Entry<Value>[]>[];

  constructor(naming: Naming<Value>) {
    this.#naming = naming;
    this.#names = naming.names.map(() => new Map());
    this.#codes = naming.codes.map(() => new Map());
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
      this.replace(existing, value);
      return existing;
    }
    const entry: Entry<Value> = { value, names: [], list: 0 };
    this.#entries.set(key, entry);
    this.#addNames(entry);
    this.#naming.codes.forEach((property, at) => this.#addCode(entry, property, at));
    return entry;
  }

  /** Replaces the entity of an entry. */
  replace(entry: Entry<Value>, value: Value): void {
    const before = entry.value;
    const { names, codes } = this.#naming;
    const isRenamed = names.some(({ of }) => of(before) !== of(value));
    const changed = codes.map(({ of }) => of(before) !== of(value));
    if (isRenamed) this.#removeNames(entry);
    codes.forEach((property, at) => changed[at] && this.#removeCode(entry, property, at));
    entry.value = value;
    if (isRenamed) this.#addNames(entry);
    codes.forEach((property, at) => changed[at] && this.#addCode(entry, property, at));
  }

  delete(key: unknown): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#removeNames(entry);
    this.#naming.codes.forEach((property, at) => this.#removeCode(entry, property, at));
  }

  #codeOf({ value }: Entry<Value>, { of }: CodeProperty<Value>): string {
    return plateOf((of(value) ?? "").slice(0, MAX_NAME_LENGTH));
  }

  #addCode(entry: Entry<Value>, property: CodeProperty<Value>, at: number): void {
    const text = this.#codeOf(entry, property);
    if (text !== "") add(this.#codes[at] as Map<string, Entry<Value>[]>, text, entry);
  }

  #removeCode(entry: Entry<Value>, property: CodeProperty<Value>, at: number): void {
    remove(this.#codes[at] as Map<string, Entry<Value>[]>, this.#codeOf(entry, property), entry);
  }

  #addNames(entry: Entry<Value>): void {
    const names: Name<Value>[] = [];
    for (const [at, property] of this.#naming.names.entries()) {
      const byText = this.#names[at] as Map<string, Name<Value>>;
      const text = (property.of(entry.value) ?? "").slice(0, MAX_NAME_LENGTH);
      const name = byText.get(text) ?? this.#newName(text, property);
      if (name.tokens.length === 0) continue;
      byText.set(text, name);
      name.entries.push(entry);
      names.push(name);
    }
    entry.names = names;
  }

  #removeNames(entry: Entry<Value>): void {
    for (const name of entry.names) {
      name.entries.splice(name.entries.indexOf(entry), 1);
      if (name.entries.length === 0) this.#dropName(name);
    }
  }

  #newName(text: string, { by, isPerson = false }: NameProperty<Value>): Name<Value> {
    const words = nameTokens(text).map((token) => this.#wordFor(token));
    const tokens = words.map((word) => word.text);
    const meaning = words.every(({ isPlain }) => isPlain) ? tokens : meanings(tokens);
    const name: Name<Value> = { text, by, isPerson, tokens, meaning, entries: [] };
    for (const word of new Set(words)) word.names.push(name);
    if (tokens.length > 0) for (const key of namesKeys(name)) add(this.#whole, key, name);
    return name;
  }

  #wordFor(text: string): Word<Value> {
    const existing = this.#words.get(text);
    if (existing) return existing;
    const word: Word<Value> = { text, meaning: meanings([text])[0] ?? text, isPlain: isPlain(text), names: [] };
    this.#words.set(text, word);
    if (!isNumber(text)) add(this.#byMeaning, word.meaning, word);
    return word;
  }

  #dropName(name: Name<Value>): void {
    const at = this.#naming.names.findIndex(({ by }) => by === name.by);
    this.#names[at]?.delete(name.text);
    for (const key of namesKeys(name)) remove(this.#whole, key, name);
    for (const text of new Set(name.tokens)) {
      const word = this.#words.get(text);
      if (!word) continue;
      word.names.splice(word.names.indexOf(name), 1);
      if (word.names.length > 0) continue;
      this.#words.delete(text);
      remove(this.#byMeaning, word.meaning, word);
    }
  }

  /** Whether a word, as somebody writes it, occurs in a name. */
  hasWord = (word: string): boolean => this.#words.has(asToken(fold(word)));

  /** The words in names. */
  words(): IterableIterator<string> {
    return this.#words.keys();
  }

  /** Returns the words in names with the same meaning as a word. */
  wordsLike(word: string): string[] {
    const like = (this.#byMeaning.get(meanings([word])[0] ?? word) ?? []).map(({ text }) => text);
    return isNumber(word) && this.#words.has(word) ? [...like, word] : like;
  }

  /** For each word of a query, takes the words that it may match; returns the names that contain the rarest of them. */
  namesWithRarest(alternatives: readonly Iterable<string>[]): Name<Value>[] {
    let [rarest, fewest]: [Name<Value>[], number] = [[], Number.POSITIVE_INFINITY];
    for (const words of alternatives) {
      const names = [...words].flatMap((word) => this.#words.get(word)?.names ?? []);
      const count = names.reduce((sum, { entries }) => sum + entries.length, 0);
      if (count < fewest) [rarest, fewest] = [names, count];
    }
    return rarest;
  }

  /** Returns the codes that have this normalized form. */
  codesWritten(text: string): Code<Value>[] {
    const code = latinLetters(text);
    return this.#naming.codes.flatMap(
      (property, at) => this.#codes[at]?.get(code)?.map((entry) => ({ entry, by: property.by, text: code, property })) ?? [],
    );
  }

  /** Visits the codes that may be found in part. */
  async eachPartialCode(slices: TimeSlices, visit: (code: Code<Value>) => void): Promise<void> {
    for (const [at, property] of this.#naming.codes.entries()) {
      if (!isPartial(property)) continue;
      await slices.each(this.#codes[at] ?? [], ([text, entries]) => {
        for (const entry of entries) visit({ entry, by: property.by, text, property });
      });
    }
  }

  /** Returns the entities with a name that consists of exactly these words, joined or in any order. */
  async namesOf(tokens: readonly string[], similarity: "same" | "synonym", slices: TimeSlices): Promise<Hit<Value>[]> {
    const query = similarity === "same" ? tokens : meanings(tokens);
    const keys = keysOf(query);
    const numbered = numberedWords(query);
    const found = new Set<Name<Value>>();
    for (const key of keys) {
      await slices.each(this.#whole.get(key) ?? [], (name) => {
        const isWritten = [...keysOf(name.tokens)].some((written) => keys.has(written));
        // If the words are in another order, a number may belong to a different word.
        const words = similarity === "same" ? name.tokens : name.meaning;
        if ((similarity === "synonym" || isWritten) && agreesOnNumbers(numbered, words, (a, b) => a === b)) found.add(name);
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

  /** Returns the entities that a question offers by this label, which begins with their name or code, unless that is cut. */
  async labelled(text: string, slices: TimeSlices): Promise<Entry<Value>[]> {
    const { labels } = this.#naming;
    const label = fold(text.trim());
    if (!labels || label.length > MAX_LABEL_LENGTH) return [];
    const found = new Set<Entry<Value>>();
    const consider = (entry: Entry<Value>) => {
      if (labels(entry.value).some((other) => fold(other) === label)) found.add(entry);
    };
    for (const { index } of label.matchAll(/ \(|, /g)) {
      const beginning = label.slice(0, index);
      for (const { entry } of this.codesWritten(compact(beginning))) consider(entry);
      for (const { entry } of await this.namesOf(nameTokens(beginning), "same", slices)) consider(entry);
    }
    if (text.includes("…")) await slices.each(this.#entries.values(), consider);
    return [...found];
  }
}

async function hitsOf<Value>(names: Iterable<Name<Value>>, slices: TimeSlices): Promise<Hit<Value>[]> {
  const hits: Hit<Value>[] = [];
  for (const { entries, by } of names) await slices.each(entries, (entry) => hits.push({ entry, by }));
  return hits;
}
