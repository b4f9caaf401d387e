import { MultiMap } from "./multi-map.ts";
import type { Code, CodeProperty, Entry, Hit, Name, NameProperty, Naming } from "./name-entry.ts";
import { meanings } from "./query-meanings.ts";
import { agreesOnNumbers, type Found, QueryWords } from "./query-words.ts";
import type { Similarity, Vocabulary } from "./similarity.ts";
import { asToken, compact, fold, isNumber, nameTokens, rawWords, runTogether } from "./spelling.ts";

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

const MAX_SHARED = 50_000;

const clipped = (text: string | undefined) => (text ?? "").slice(0, MAX_NAME_LENGTH);

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
  /** Entries by name with adjacent words joined. */
  readonly #joined = new MultiMap<Entry<Value>>();
  /** Entries by the meaning of a name, joined and in any order, if it differs from its words. */
  readonly #meanings = new MultiMap<Entry<Value>>();
  readonly #codes = new MultiMap<Entry<Value>>();
  readonly #holders = new MultiMap<Entry<Value>>();
  readonly #letterWords = new Map<string, string>();
  #vocabulary: Vocabulary | undefined;
  /** Names by text for each property, because many vehicles share the name of a driver or group. */
  readonly #shared: Map<string, Name>[];

  constructor(naming: Naming<Value>, entities: Iterable<readonly [key: unknown, value: Value]> = []) {
    this.#naming = naming;
    this.#shared = naming.names.map(() => new Map());
    for (const [key, value] of entities) this.set(key, value);
  }

  /** The entities, in the order in which they were added. */
  entries(): IterableIterator<Entry<Value>> {
    return this.#entries.values();
  }

  keys(): IterableIterator<unknown> {
    return this.#entries.keys();
  }

  get(key: unknown): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Adds an entity, or replaces the one with the same key. */
  set(key: unknown, value: Value): void {
    const known = this.#entries.get(key);
    if (!known) {
      const entry: Entry<Value> = { value, names: this.#namesOf(value) };
      this.#entries.set(key, entry);
      this.#addNames(entry, []);
      this.#addCodes(entry);
      return;
    }
    const before = known.value;
    known.value = value;
    const { names, codes } = this.#naming;
    if (names.some(({ of }) => of(before) !== of(value))) this.#renameTo(known, this.#namesOf(value));
    if (codes.some(({ of }) => of(before) !== of(value))) {
      this.#removeCodes(known, before);
      this.#addCodes(known);
    }
  }

  delete(key: unknown): void {
    const known = this.#entries.get(key);
    if (!known) return;
    this.#entries.delete(key);
    this.#renameTo(known, []);
    this.#removeCodes(known, known.value);
  }

  #namesOf(value: Value): Name[] {
    return this.#naming.names.flatMap((property, at) => {
      const text = clipped(property.of(value));
      if (text === "") return [];
      const shared = this.#shared[at] as Map<string, Name>;
      const name = shared.get(text) ?? this.#readName(text, property);
      if (shared.size >= MAX_SHARED) shared.clear();
      shared.set(text, name);
      return name.tokens.length === 0 ? [] : [name];
    });
  }

  #readName(text: string, { by, isPerson = false }: NameProperty<Value>): Name {
    const tokens = nameTokens(text).map((word) => this.#letterWords.get(word) ?? word);
    const meaning = meanings(tokens);
    return { by, isPerson, tokens, meaning: isSame(meaning, tokens) ? tokens : meaning };
  }

  /** Replaces the names of an entry, touching only the words that differ: a word such as "truck" may have many thousand holders. */
  #renameTo(entry: Entry<Value>, names: readonly Name[]): void {
    const before = entry.names;
    const kept = new Set(names.flatMap(({ tokens }) => tokens));
    for (const word of new Set(before.flatMap(({ tokens }) => tokens))) {
      if (!kept.has(word) && this.#holders.remove(word, entry)) this.#forgetWord(word);
    }
    for (const name of before) {
      if (names.includes(name)) continue;
      this.#joined.remove(runTogether(name.tokens), entry);
      for (const key of this.#meaningKeys(name)) this.#meanings.remove(key, entry);
    }
    entry.names = names;
    this.#addNames(entry, before);
  }

  #addNames(entry: Entry<Value>, before: readonly Name[]): void {
    const held = new Set(before.flatMap(({ tokens }) => tokens));
    for (const name of entry.names) {
      for (const word of name.tokens) {
        if (held.has(word)) continue;
        held.add(word);
        if (this.#holders.add(word, entry)) this.#learnWord(word);
      }
      if (before.includes(name)) continue;
      this.#joined.add(runTogether(name.tokens), entry);
      for (const key of this.#meaningKeys(name)) this.#meanings.add(key, entry);
    }
  }

  #meaningKeys({ tokens, meaning }: Name): string[] {
    return meaning === tokens || meaning.length === 0 ? [] : [runTogether(meaning), unordered(meaning)];
  }

  #learnWord(word: string): void {
    if (isNumber(word)) return;
    this.#letterWords.set(word, word);
    this.#vocabulary = undefined;
  }

  #forgetWord(word: string): void {
    if (this.#letterWords.delete(word)) this.#vocabulary = undefined;
  }

  #addCodes(entry: Entry<Value>): void {
    for (const text of this.#codeTexts(entry.value)) this.#codes.add(text, entry);
  }

  #removeCodes(entry: Entry<Value>, value: Value): void {
    for (const text of this.#codeTexts(value)) this.#codes.remove(text, entry);
  }

  #codeTexts(value: Value): Set<string> {
    const texts = new Set(this.#naming.codes.map(({ of }) => compact(clipped(of(value)))));
    texts.delete("");
    return texts;
  }

  hasWord = (word: string): boolean => this.#holders.has(asToken(fold(word)));

  /** Returns the codes that have this normalized form. */
  codesWritten(text: string): Code<Value>[] {
    return this.#codes.get(text).flatMap((entry) => this.#codesOf(entry, text));
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
    const byWords = [...this.#joined.get(joined), ...this.#holdersOfRarest(query.map((word) => new Set([word])))];
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
