import type { Code, Entry, Name, Named } from "./name-entry.ts";
import { meanings } from "./query-meanings.ts";
import { agreesOnNumbers, type Found, QueryWords } from "./query-words.ts";
import type { Similarity, Vocabulary } from "./similarity.ts";
import { asToken, compact, fold, isNumber, nameTokens, rawWords, runTogether } from "./spelling.ts";

/** No name in use is longer, and longer strings would be slow to compare. */
export const MAX_NAME_LENGTH = 100;

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Returns the keys for looking up a whole name: one with adjacent words joined, one with the words in any order. */
function keysOf(tokens: readonly string[]): string[] {
  return [...new Set([`=${runTogether(tokens)}`, `~${[...tokens].sort().join(" ")}`])];
}

/** Returns the indices at which the words and numbers of a code begin, and its length. */
export function boundariesOf({ written }: { written: string }): Set<number> {
  let at = 0;
  return new Set([0, ...rawWords(fold(written)).map(({ length }) => (at += length))]);
}

/** Splits a name into words and computes its lookup keys. */
function readName(text: string) {
  const tokens = nameTokens(text);
  const meaning = meanings(tokens);
  return { tokens, joined: tokens.join(" "), meaning, keys: keysOf(tokens), meaningKeys: keysOf(meaning) };
}

/** Caches results by text, because many vehicles share the name of a driver or group. */
function memoized<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? read(text);
    known.set(text, result);
    return result;
  };
}

function codesOf<Value>({ codes }: Named<Value>, entry: Entry<Value>): Code<Value>[] {
  return codes.flatMap(({ by, text, minPartLength = Number.POSITIVE_INFINITY, minSuffixLength = Number.POSITIVE_INFINITY }) => {
    const written = (text ?? "").slice(0, MAX_NAME_LENGTH);
    const code = { entry, by, text: compact(written), minPartLength, minSuffixLength, written };
    return code.text === "" ? [] : [code];
  });
}

function vocabularyOf(words: ReadonlyMap<string, unknown>): Vocabulary {
  const byMeaning = new Map<string, string[]>();
  for (const word of words.keys()) push(byMeaning, meanings([word])[0] as string, word);
  return {
    has: (word) => words.has(word),
    meaning: (word) => byMeaning.get(word) ?? [],
    letterWords: [...words.keys()].filter((word) => !isNumber(word)),
  };
}

function namesAmong<Value>(
  known: ReadonlyMap<string, readonly Name<Value>[]>,
  words: readonly string[],
  wordsOf: (name: Name<Value>) => readonly string[],
): Name<Value>[] {
  const names = new Set(keysOf(words).flatMap((key) => known.get(key) ?? []));
  // If the words are in another order, a number may belong to a different word.
  return [...names].filter((name) => agreesOnNumbers(words, wordsOf(name), (a, b) => a === b));
}

/** An index of names by word, built once per list of entities and queried many times. */
export class NameIndex<Value> {
  readonly entries: readonly Entry<Value>[];
  /** The codes that can also match in part. */
  readonly codes: readonly Code<Value>[];
  readonly #whole = new Map<string, Name<Value>[]>();
  readonly #wholeMeaning = new Map<string, Name<Value>[]>();
  readonly #codes = new Map<string, Code<Value>[]>();
  readonly #holders = new Map<string, Entry<Value>[]>();
  readonly #vocabulary: Vocabulary;

  constructor(entities: Iterable<Named<Value>>) {
    const readOnce = memoized(readName);
    const entries: Entry<Value>[] = [];
    const codes: Code<Value>[] = [];
    for (const thing of entities) {
      const entry = this.#entryOf(thing, readOnce);
      entries.push(entry);
      for (const code of codesOf(thing, entry)) {
        if (Math.min(code.minPartLength, code.minSuffixLength) < MAX_NAME_LENGTH) codes.push(code);
        push(this.#codes, code.text, code);
      }
    }
    this.entries = entries;
    this.codes = codes;
    this.#vocabulary = vocabularyOf(this.#holders);
  }

  #entryOf(thing: Named<Value>, read: typeof readName): Entry<Value> {
    const names: Name<Value>[] = [];
    const entry = { value: thing.value, names };
    for (const { by, text, isPerson = false } of thing.names) {
      const { keys, meaningKeys, ...words } = read((text ?? "").slice(0, MAX_NAME_LENGTH));
      if (words.tokens.length === 0) continue;
      const name = { entry, by, isPerson, ...words };
      names.push(name);
      for (const key of keys) push(this.#whole, key, name);
      for (const key of meaningKeys) push(this.#wholeMeaning, key, name);
    }
    for (const token of new Set(names.flatMap(({ tokens }) => tokens))) push(this.#holders, token, entry);
    return entry;
  }

  hasWord = (word: string): boolean => this.#holders.has(asToken(fold(word)));

  codesWritten(text: string): readonly Code<Value>[] {
    return this.#codes.get(text) ?? [];
  }

  /** Returns the names that consist of exactly these words. */
  namesOf(tokens: readonly string[]): Name<Value>[] {
    return namesAmong(this.#whole, tokens, (name) => name.tokens);
  }

  /** Returns the names that consist of words with exactly these meanings. */
  synonymsOf(tokens: readonly string[]): Name<Value>[] {
    return namesAmong(this.#wholeMeaning, meanings(tokens), (name) => name.meaning);
  }

  /**
   * Returns the names that begin with these words; the last word may be incomplete. Excludes people's names, too many of which begin alike.
   */
  namesBeginning(tokens: readonly string[]): Name<Value>[] {
    if (tokens.length < 2 || isNumber(tokens.at(-1) as string)) return [];
    const beginning = tokens.join(" ");
    return this.entries.flatMap(({ names }) => names.filter(({ joined, isPerson }) => !isPerson && joined.startsWith(beginning)));
  }

  /** Returns the entities whose names contain all of the words, within one name or spread over several. */
  entriesWith(tokens: readonly string[], similarity: Similarity): Found<Value>[] {
    const queryWords = new QueryWords(tokens, similarity, this.#vocabulary);
    return this.#holdersOfRarest(queryWords.alternatives()).flatMap((entry) => queryWords.foundIn(entry) ?? []);
  }

  /** Returns the entities that contain the rarest query word, or an alternative to it. */
  #holdersOfRarest(alternatives: readonly ReadonlySet<string>[]): Entry<Value>[] {
    const holders = alternatives.map((words) => [...words].flatMap((word) => this.#holders.get(word) ?? []));
    const fewest = Math.min(...holders.map(({ length }) => length));
    return [...new Set(holders.find(({ length }) => length === fewest))];
  }
}
