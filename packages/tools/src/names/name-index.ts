import { MultiMap } from "./multi-map.ts";
import type { Code, CodeProperty, Entry, Hit, Name, NameProperty, Naming } from "./name-entry.ts";
import { isPlain, meanings } from "./query-meanings.ts";
import { agreesOnNumbers, type Found, QueryWords } from "./query-words.ts";
import type { Similarity, Vocabulary } from "./similarity.ts";
import { asToken, compact, fold, isNumber, nameTokens, rawWords, runTogether } from "./spelling.ts";

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

const MAX_SHARED = 50_000;

const clipped = (text: string | undefined) => (text ?? "").slice(0, MAX_NAME_LENGTH);

/** Whether a name has two words in a row, so that joining them makes a difference. */
const hasAdjacentWords = ({ tokens }: Name) => tokens.some((word, at) => at > 0 && !isNumber(word) && !isNumber(tokens[at - 1] as string));

const meaningKeys = ({ tokens, meaning }: Name): string[] =>
  meaning === tokens || meaning.length === 0 ? [] : [runTogether(meaning), unordered(meaning)];

/** A key for names that contain these words in any order. */
const unordered = (tokens: readonly string[]) => `~${[...tokens].sort().join(" ")}`;

const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((word, at) => word === b[at]);

/** Returns the indices at which the words and numbers of a code begin, and its length. */
export function boundariesOf({ written }: { written: string }): Set<number> {
  let at = 0;
  return new Set([0, ...rawWords(fold(written)).map(({ length }) => (at += length))]);
}

/**
 * An index of entities by the words of their names and by their codes. Entities are added, replaced and removed one by one, which costs
 * next to nothing if their names stay the same.
 */
export class NameIndex<Value> {
  readonly #naming: Naming<Value>;
  readonly #entries = new Map<unknown, Entry<Value>>();
  /** Entries by name with adjacent words joined, if a name has any. */
  readonly #joined = new MultiMap<Entry<Value>>();
  /** Entries by the meaning of a name, joined and in any order, if it differs from its words. */
  readonly #meanings = new MultiMap<Entry<Value>>();
  /** Entries by code, except codes that are also the key and match only as a whole. */
  readonly #codes = new MultiMap<Entry<Value>>();
  readonly #holders = new MultiMap<Entry<Value>>();
  /** The words that are not numbers, each with whether it means itself. */
  readonly #letterWords = new Map<string, { word: string; isPlain: boolean }>();
  #vocabulary: Vocabulary | undefined;
  /** The shared names by text, for each property. */
  readonly #shared: Map<string, Name>[];

  constructor(naming: Naming<Value>) {
    this.#naming = naming;
    this.#shared = naming.names.map(() => new Map());
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
    const entry: Entry<Value> = { value, names: this.#namesOf(value), list: 0 };
    this.#entries.set(key, entry);
    this.#addNames(entry, []);
    for (const code of this.#naming.codes) this.#addCode(code, key, entry);
    return entry;
  }

  /** Replaces the entity of an entry. */
  replace(entry: Entry<Value>, key: unknown, value: Value): void {
    const before = entry.value;
    entry.value = value;
    const { names, codes } = this.#naming;
    if (names.some(({ of }) => of(before) !== of(value))) this.#rename(entry, this.#namesOf(value));
    if (codes.every(({ of }) => of(before) === of(value))) return;
    for (const { of } of codes) this.#codes.remove(compact(clipped(of(before))), entry);
    for (const code of codes) this.#addCode(code, key, entry);
  }

  delete(key: unknown): void {
    const known = this.#entries.get(key);
    if (!known) return;
    this.#entries.delete(key);
    this.#rename(known, []);
    for (const { of } of this.#naming.codes) this.#codes.remove(compact(clipped(of(known.value))), known);
  }

  #addCode({ of, minPartLength, minSuffixLength }: CodeProperty<Value>, key: unknown, entry: Entry<Value>): void {
    const text = compact(clipped(of(entry.value)));
    const isFoundByKey = text === key && minPartLength === undefined && minSuffixLength === undefined;
    if (text !== "" && !isFoundByKey && !this.#codes.get(text).includes(entry)) this.#codes.add(text, entry);
  }

  #namesOf(value: Value): Name[] {
    const names: Name[] = [];
    const { names: properties } = this.#naming;
    for (let at = 0; at < properties.length; at++) {
      const property = properties[at] as NameProperty<Value>;
      const text = clipped(property.of(value));
      if (text === "") continue;
      const name = property.isShared
        ? this.#sharedName(text, property, this.#shared[at] as Map<string, Name>)
        : this.#readName(text, property);
      if (name.tokens.length > 0) names.push(name);
    }
    return names;
  }

  #sharedName(text: string, property: NameProperty<Value>, shared: Map<string, Name>): Name {
    const known = shared.get(text);
    if (known) return known;
    if (shared.size >= MAX_SHARED) shared.clear();
    const name = this.#readName(text, property);
    shared.set(text, name);
    return name;
  }

  #readName(text: string, { by, isPerson = false }: NameProperty<Value>): Name {
    const tokens = nameTokens(text);
    let isPlainName = true;
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as string;
      const known = this.#letterWords.get(token);
      if (known) tokens[at] = known.word;
      isPlainName &&= known ? known.isPlain : isPlain(token);
    }
    if (isPlainName) return { by, isPerson, tokens, meaning: tokens };
    const meaning = meanings(tokens);
    return { by, isPerson, tokens, meaning: isSame(meaning, tokens) ? tokens : meaning };
  }

  /** Replaces the names of an entry. Touches only words that differ, because one such as "truck" may have many thousand holders. */
  #rename(entry: Entry<Value>, names: readonly Name[]): void {
    const before = entry.names;
    const kept = new Set(names.flatMap(({ tokens }) => tokens));
    for (const word of new Set(before.flatMap(({ tokens }) => tokens))) {
      if (!kept.has(word) && this.#holders.remove(word, entry) && this.#letterWords.delete(word)) this.#vocabulary = undefined;
    }
    for (const name of before) {
      if (names.includes(name)) continue;
      if (hasAdjacentWords(name)) this.#joined.remove(runTogether(name.tokens), entry);
      for (const key of meaningKeys(name)) this.#meanings.remove(key, entry);
    }
    entry.names = names;
    this.#addNames(entry, before);
  }

  #addNames(entry: Entry<Value>, before: readonly Name[]): void {
    const { names } = entry;
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as Name;
      if (before.includes(name)) continue;
      for (let word = 0; word < name.tokens.length; word++) this.#addWord(name.tokens[word] as string, at, word, entry, before);
      if (hasAdjacentWords(name)) this.#joined.add(runTogether(name.tokens), entry);
      for (const key of meaningKeys(name)) this.#meanings.add(key, entry);
    }
  }

  /** Adds an entry to the holders of a word, unless the word occurs earlier in its names or in those before. */
  #addWord(word: string, name: number, at: number, entry: Entry<Value>, before: readonly Name[]): void {
    const { names } = entry;
    for (let earlier = 0; earlier < name; earlier++) if (names[earlier]?.tokens.includes(word)) return;
    if ((names[name] as Name).tokens.indexOf(word) < at || before.some(({ tokens }) => tokens.includes(word))) return;
    if (!this.#holders.add(word, entry) || isNumber(word)) return;
    this.#letterWords.set(word, { word, isPlain: isPlain(word) });
    this.#vocabulary = undefined;
  }

  hasWord = (word: string): boolean => this.#holders.has(asToken(fold(word)));

  /** Returns the codes that have this normalized form. */
  codesWritten(text: string): Code<Value>[] {
    const keyed = this.#entries.get(text);
    return [...(keyed ? [keyed] : []), ...this.#codes.get(text)].flatMap((entry) => this.#codesOf(entry, text));
  }

  /** Finds the codes that can also match in part and whose normalized form passes a test. */
  *partialCodes(test: (text: string) => boolean): Generator<Code<Value>> {
    for (const text of this.#codes.keys()) {
      if (!test(text)) continue;
      for (const code of this.codesWritten(text)) {
        if (Math.min(code.minPartLength, code.minSuffixLength) < MAX_NAME_LENGTH) yield code;
      }
    }
  }

  #codesOf(entry: Entry<Value>, text: string): Code<Value>[] {
    return this.#naming.codes.flatMap(({ by, of, minPartLength, minSuffixLength }: CodeProperty<Value>) => {
      const written = clipped(of(entry.value));
      if (compact(written) !== text) return [];
      const never = Number.POSITIVE_INFINITY;
      return [{ entry, by, text, minPartLength: minPartLength ?? never, minSuffixLength: minSuffixLength ?? never, written }];
    });
  }

  /** Returns the entities with a name that consists of exactly these words, joined or in any order. */
  namesOf(tokens: readonly string[], similarity: "same" | "synonym"): Hit<Value>[] {
    if (tokens.length === 0) return [];
    const query = similarity === "same" ? tokens : meanings(tokens);
    if (query.length === 0) return [];
    const [joined, sorted] = [runTogether(query), unordered(query)];
    const means = ({ meaning }: Name) => runTogether(meaning) === joined || unordered(meaning) === sorted;
    const isWritten = ({ tokens }: Name) =>
      (tokens.length === query.length && unordered(tokens) === sorted) || runTogether(tokens) === joined;
    const held = (words: readonly string[]) => this.#holdersOfRarest(words.map((word) => new Set([word])));
    const byWords = [...this.#joined.get(joined), ...held(query), ...held(joined.split(" "))];
    const byMeaning = similarity === "same" ? [] : [...this.#meanings.get(joined), ...this.#meanings.get(sorted)];
    const hitsIn = (entries: readonly Entry<Value>[], matches: (name: Name) => boolean) =>
      [...new Set(entries)].flatMap((entry) =>
        entry.names.flatMap((name): Hit<Value>[] => {
          // If the words are in another order, a number may belong to a different word.
          const known = similarity === "same" ? name.tokens : name.meaning;
          return matches(name) && agreesOnNumbers(query, known, (a, b) => a === b) ? [{ entry, by: name.by }] : [];
        }),
      );
    return [...hitsIn(byMeaning, means), ...hitsIn(byWords, isWritten)];
  }

  /**
   * Returns the entities with a name that begins with these words; the last word may be incomplete. Excludes people's names, too many of
   * which begin alike.
   */
  namesBeginning(tokens: readonly string[]): Hit<Value>[] {
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < 2 || isNumber(last)) return [];
    const beginning = tokens.join(" ");
    return this.#holdersOfRarest(tokens.slice(0, -1).map((word) => new Set([word]))).flatMap((entry) =>
      entry.names.flatMap(({ by, isPerson, tokens: known }) => (!isPerson && known.join(" ").startsWith(beginning) ? [{ entry, by }] : [])),
    );
  }

  /** Returns the entities whose names contain all of the words, within one name or spread over several. */
  entriesWith(tokens: readonly string[], similarity: Similarity): Found<Value>[] {
    this.#vocabulary ??= this.#readVocabulary();
    const queryWords = new QueryWords(tokens, similarity, this.#vocabulary);
    return this.#holdersOfRarest(queryWords.alternatives()).flatMap((entry) => queryWords.foundIn(entry) ?? []);
  }

  #readVocabulary(): Vocabulary {
    const byMeaning = new Map<string, string[]>();
    for (const word of this.#letterWords.keys()) {
      const meaning = meanings([word])[0] ?? word;
      const words = byMeaning.get(meaning);
      if (words) words.push(word);
      else byMeaning.set(meaning, [word]);
    }
    const has = (word: string) => this.#holders.has(word);
    return {
      has,
      // A number has no other meaning, but a word such as "twelve" has that of a number.
      meaning: (word) => [...(byMeaning.get(word) ?? []), ...(isNumber(word) && has(word) ? [word] : [])],
      letterWords: [...this.#letterWords.keys()],
    };
  }

  /** Returns the entities that contain the rarest query word, or an alternative to it. */
  #holdersOfRarest(alternatives: readonly ReadonlySet<string>[]): Entry<Value>[] {
    const counts = alternatives.map((words) => [...words].reduce((sum, word) => sum + this.#holders.get(word).length, 0));
    const rarest = alternatives[counts.indexOf(Math.min(...counts))] ?? [];
    return [...new Set([...rarest].flatMap((word) => this.#holders.get(word)))];
  }
}
