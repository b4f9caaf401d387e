import { electric, kindOf, meanings } from "./meanings.ts";
import { withDigits } from "./number-words.ts";
import { asToken, compact, fold, isNumber, isSlip, nameTokens, rawWords, runTogether } from "./spelling.ts";

/** How something was recognised. */
export type MatchedBy = "name" | "registration" | "vin" | "id" | "driver" | "group";

/** A thing with the names that people call it by, and the codes that are written on it. */
export interface Named<Value> {
  value: Value;
  names: readonly { by: MatchedBy; text: string | undefined; isPerson?: boolean }[];
  /** Characters from which a part of the code, or its end, is taken for it. */
  codes: readonly { by: MatchedBy; text: string | undefined; partFrom?: number; endFrom?: number }[];
}

/** No name that a person says is longer; what is, would take long to compare. */
export const LONGEST = 100;

export interface Name<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
  isPerson: boolean;
  tokens: readonly string[];
  joined: string;
  meant: readonly string[];
}

export interface Entry<Value> {
  value: Value;
  names: readonly Name<Value>[];
}

export interface Code<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
  text: string;
  partFrom: number;
  endFrom: number;
  /** As it is written, from which its words are told. */
  written: string;
}

/** A thing in whose names words were found, and the one name that has them all, if one does. */
export interface Found<Value> {
  entry: Entry<Value>;
  within: Name<Value> | undefined;
}

/** The ways in which one word may stand for another, from certain to likely. */
export type Likeness = "same" | "meant" | "slip";

const SHORTEST_BEGINNING = 4;

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Keys under which a whole name is found: its words run together, and in any order. */
function keysOf(tokens: readonly string[]): string[] {
  return tokens.length === 0 ? [] : [...new Set([`=${runTogether(tokens)}`, `~${[...tokens].sort().join(" ")}`])];
}

/** Where the words and numbers of a code begin, and its end. */
export function bordersOf({ written }: { written: string }): Set<number> {
  let at = 0;
  return new Set([0, ...rawWords(fold(written)).map(({ length }) => (at += length))]);
}

/** A name as words, and the keys under which it is found: by what it means only where that differs. */
function readName(text: string) {
  const tokens = nameTokens(text);
  const meant = meanings(tokens);
  const isSame = meant.length === tokens.length && meant.every((word, at) => word === tokens[at]);
  const keys = keysOf(tokens);
  return { tokens, joined: tokens.join(" "), meant: isSame ? tokens : meant, keys, meantKeys: isSame ? [] : keysOf(meant) };
}

/** Drivers and groups have the same name in many vehicles. */
function remembering<Result>(read: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? read(text);
    known.set(text, result);
    return result;
  };
}

/** Each word that a number follows, with that number. */
const numberedWords = (tokens: readonly string[]) =>
  tokens.flatMap((token, at): [string, string][] => {
    const word = tokens[at - 1];
    return word !== undefined && isNumber(token) && !isNumber(word) ? [[word, token]] : [];
  });

/** Names by their words, built once for a list of things and asked many times. */
export class NameIndex<Value> {
  readonly entries: readonly Entry<Value>[];
  readonly codes: readonly Code<Value>[];
  readonly #whole = new Map<string, Name<Value>[]>();
  readonly #wholeMeant = new Map<string, Name<Value>[]>();
  readonly #codes = new Map<string, Code<Value>[]>();
  readonly #holders = new Map<string, Entry<Value>[]>();
  readonly #byMeaning = new Map<string, string[]>();
  readonly #letterWords: string[];

  constructor(things: Iterable<Named<Value>>) {
    const entries: Entry<Value>[] = [];
    const readOnce = remembering(readName);
    const codes: Code<Value>[] = [];
    for (const thing of things) {
      const names: Name<Value>[] = [];
      const entry = { value: thing.value, names };
      entries.push(entry);
      for (const { by, text, isPerson = false } of thing.names) {
        const read = readOnce((text ?? "").slice(0, LONGEST));
        if (read.tokens.length === 0) continue;
        const { tokens, joined, meant, keys, meantKeys } = read;
        const name = { entry, by, isPerson, tokens, joined, meant };
        names.push(name);
        for (const key of keys) push(this.#whole, key, name);
        for (const key of meantKeys) push(this.#wholeMeant, key, name);
      }
      for (const token of new Set(names.flatMap(({ tokens }) => tokens))) push(this.#holders, token, entry);
      for (const { by, text, partFrom = Number.POSITIVE_INFINITY, endFrom = Number.POSITIVE_INFINITY } of thing.codes) {
        const written = (text ?? "").slice(0, LONGEST);
        const code = { entry, by, text: compact(written), partFrom, endFrom, written };
        if (code.text === "") continue;
        // Of the others no part is ever looked for.
        if (Math.min(partFrom, endFrom) < LONGEST) codes.push(code);
        push(this.#codes, code.text, code);
      }
    }
    this.entries = entries;
    this.codes = codes;
    this.#letterWords = [...this.#holders.keys()].filter((word) => !isNumber(word));
    for (const word of this.#holders.keys()) push(this.#byMeaning, meanings([word])[0] ?? word, word);
  }

  hasWord = (word: string): boolean => this.#holders.has(asToken(fold(word)));

  codesWritten(text: string): readonly Code<Value>[] {
    return this.#codes.get(text) ?? [];
  }

  /** The names that are these words and no more. */
  namesOf(tokens: readonly string[], likeness: "same" | "meant"): Name<Value>[] {
    const wanted = likeness === "same" ? tokens : meanings(tokens);
    const maps = likeness === "same" ? [this.#whole] : [this.#wholeMeant, this.#whole];
    const names = new Set(keysOf(wanted).flatMap((key) => maps.flatMap((known) => known.get(key) ?? [])));
    // In another order a number may have come to another word.
    return [...names].filter((name) => agreesOnNumbers(wanted, likeness === "same" ? name.tokens : name.meant, (a, b) => a === b));
  }

  /** The names that begin with these words, the last of them perhaps not yet said to its end; of persons there are too many alike. */
  namesBeginning(tokens: readonly string[]): Name<Value>[] {
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < 2 || isNumber(last)) return [];
    const beginning = tokens.join(" ");
    return this.entries.flatMap(({ names }) => names.filter(({ joined, isPerson }) => !isPerson && joined.startsWith(beginning)));
  }

  /** Those of the fleet's words that a word may stand for. */
  wordsLike(word: string, likeness: Likeness): Set<string> {
    if (likeness === "same") return new Set(this.#holders.has(word) ? [word] : []);
    const meant = this.#byMeaning.get(meanings([word])[0] ?? word) ?? [];
    // A word that the fleet has is no slip for another: an eTruck is not a Truck.
    if (likeness === "meant" || isNumber(word) || this.#holders.has(word)) return new Set(meant);
    const begins = word.length >= SHORTEST_BEGINNING;
    return new Set([...meant, ...this.#letterWords.filter((known) => isSlip(word, known) || (begins && known.startsWith(word)))]);
  }

  /** The things in whose names the words occur, each in one of them at least, however they are spread over the names. */
  entriesWith(tokens: readonly string[], likeness: Likeness): Found<Value>[] {
    const asked = likeness === "same" ? tokens : likeness === "meant" ? meanings(tokens) : withDigits(tokens);
    const wanted = asked.map((token, at) => {
      const like = this.wordsLike(token, likeness);
      // With a number a van is no eVan; without one it may be.
      const kind = likeness === "same" || isNumber(asked[at + 1] ?? "") ? undefined : kindOf(token);
      return { token, like: kind === undefined ? like : new Set([...like, ...this.wordsLike(electric(kind), "meant")]) };
    });
    const hasWord = ({ like }: (typeof wanted)[number], { tokens: known }: Name<Value>) => known.some((word) => like.has(word));
    // An initial stands beside another word of the person's name.
    const hasInitial = ({ token }: (typeof wanted)[number], name: Name<Value>) =>
      likeness === "slip" &&
      name.isPerson &&
      token.length === 1 &&
      name.tokens.some((word) => word.startsWith(token)) &&
      wanted.some((other) => other.token.length > 1 && hasWord(other, name));
    const isIn = (word: (typeof wanted)[number], name: Name<Value>) => hasWord(word, name) || hasInitial(word, name);
    const likes = wanted.filter(({ like }) => like.size > 0).map(({ like }) => like);
    // An initial alone tells nobody.
    if (likes.length === 0 || wanted.some(({ token, like }) => like.size === 0 && token.length > 1)) return [];
    const holders = likes.map((like) => [...like].map((word) => this.#holders.get(word) ?? []));
    const sizes = holders.map((lists) => lists.reduce((sum, { length }) => sum + length, 0));
    const candidates = new Set(holders[sizes.indexOf(Math.min(...sizes))]?.flat());
    const same = (word: string, known: string) => wanted.some(({ token, like }) => token === word && like.has(known));
    return [...candidates].flatMap((entry): Found<Value>[] => {
      const agreeing = entry.names.filter(({ tokens: known }) => agreesOnNumbers(asked, known, same));
      const within = agreeing.find((name) => wanted.every((word) => isIn(word, name)));
      if (within) return [{ entry, within }];
      // What is numbered has its number in the same name, unless it is a driver before the number of a vehicle.
      const isApart = wanted.some((number, at) => {
        const word = isNumber(number.token) ? wanted[at - 1] : undefined;
        return word && !agreeing.some((name) => hasWord(word, name) && (name.isPerson || hasWord(number, name)));
      });
      const isSpread =
        !isApart && agreeing.length === entry.names.length && wanted.every((word) => agreeing.some((name) => isIn(word, name)));
      return isSpread ? [{ entry, within: undefined }] : [];
    });
  }
}

/** Whether no word has another number in the name: "truck 4" is not "Truck 12 Trailer 4". */
function agreesOnNumbers(asked: readonly string[], known: readonly string[], same: (a: string, b: string) => boolean): boolean {
  const there = numberedWords(known);
  return numberedWords(asked).every(([word, number]) => {
    const numbers = there.filter(([other]) => same(word, other)).map(([, other]) => other);
    return numbers.length === 0 || numbers.includes(number);
  });
}
