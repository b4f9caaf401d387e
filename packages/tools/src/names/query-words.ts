import { isNumber } from "../text/spelling.ts";
import type { Entry, Name } from "./name-entry.ts";
import { MATCHERS, type Similarity, type Vocabulary } from "./similarity.ts";

interface QueryWord {
  token: string;
  /** The words in the fleet's names that this word may match. */
  like: ReadonlySet<string>;
}

/** An entity whose names contain the words, and the name that contains all of them, if there is one. */
export interface Found<Value> {
  entry: Entry<Value>;
  within: Name | undefined;
}

/** Returns each word that precedes a number, with that number. */
export const numberedWords = (tokens: readonly string[]) =>
  tokens.flatMap((token, at): [string, string][] => {
    const word = tokens[at - 1];
    return word !== undefined && isNumber(token) && !isNumber(word) ? [[word, token]] : [];
  });

/** Whether each word with a number, as {@link numberedWords} returns them, has the same number in the name: "truck 4" does not match "Truck 12 Trailer 4". */
export function agreesOnNumbers(
  numbered: readonly (readonly [string, string])[],
  known: readonly string[],
  same: (a: string, b: string) => boolean,
): boolean {
  if (numbered.length === 0) return true;
  const there = numberedWords(known);
  return numbered.every(([word, number]) => {
    const numbers = there.filter(([other]) => same(word, other)).map(([, other]) => other);
    return numbers.length === 0 || numbers.includes(number);
  });
}

/** The words of a query, prepared for comparison with names at a given degree of similarity. */
export class QueryWords {
  readonly #numbered: readonly (readonly [string, string])[];
  readonly #words: readonly QueryWord[];
  readonly #takesInitials: boolean;

  constructor(tokens: readonly string[], similarity: Similarity, vocabulary: Vocabulary) {
    const { read, wordsFor, takesInitials } = MATCHERS[similarity];
    const normalized = read(tokens);
    this.#numbered = numberedWords(normalized);
    this.#words = normalized.map((token, at) => ({
      token,
      like: new Set(wordsFor(token, isNumber(normalized[at + 1] ?? ""), vocabulary)),
    }));
    this.#takesInitials = takesInitials;
  }

  /**
   * Returns the words in the fleet's names that each query word may match; empty if a query word matches none. Unknown single
   * letters are left out, because they may be initials, but initials alone match nothing.
   */
  alternatives(): readonly ReadonlySet<string>[] {
    const isUnknown = this.#words.some(({ token, like }) => like.size === 0 && token.length > 1);
    return isUnknown ? [] : this.#words.flatMap(({ like }) => (like.size > 0 ? [like] : []));
  }

  /** Finds the words in an entity's names, within one name or spread over several. */
  foundIn<Value>(entry: Entry<Value>): Found<Value> | undefined {
    if (!this.#mayBeIn(entry)) return undefined;
    const same = (word: string, known: string) => this.#words.some(({ token, like }) => token === word && like.has(known));
    const agreeing = entry.names.filter(({ tokens }) => agreesOnNumbers(this.#numbered, tokens, same));
    const within = agreeing.find((name) => this.#words.every((word) => this.#isIn(word, name)));
    if (within) return { entry, within };
    const isSpread =
      agreeing.length === entry.names.length &&
      this.#words.every((word) => agreeing.some((name) => this.#isIn(word, name))) &&
      this.#hasNumbersBesideWords(agreeing);
    return isSpread ? { entry, within: undefined } : undefined;
  }

  /** Whether an entity's names contain each word, except initials and words that occur in no name. Most entities are ruled out here. */
  #mayBeIn<Value>({ names }: Entry<Value>): boolean {
    for (const { token, like } of this.#words) {
      let isHeld = like.size === 0 || (this.#takesInitials && token.length === 1);
      for (let name = 0; name < names.length && !isHeld; name++) {
        for (const word of (names[name] as Name).tokens) isHeld ||= like.has(word);
      }
      if (!isHeld) return false;
    }
    return true;
  }

  #isIn(word: QueryWord, name: Name): boolean {
    return hasWord(word, name) || this.#isInitialIn(word, name);
  }

  /** Whether a word is an initial of a person's name. It counts only together with another word of that name. */
  #isInitialIn({ token }: QueryWord, name: Name): boolean {
    return (
      this.#takesInitials &&
      name.isPerson &&
      token.length === 1 &&
      name.tokens.some((word) => word.startsWith(token)) &&
      this.#words.some((other) => other.token.length > 1 && hasWord(other, name))
    );
  }

  /** Whether each number occurs in the same name as the word before it. Not required if that word is from a driver's name. */
  #hasNumbersBesideWords(names: readonly Name[]): boolean {
    return this.#words.every((number, at) => {
      const word = isNumber(number.token) ? this.#words[at - 1] : undefined;
      return !word || names.some((name) => hasWord(word, name) && (name.isPerson || hasWord(number, name)));
    });
  }
}

const hasWord = ({ like }: QueryWord, { tokens }: Name): boolean => tokens.some((word) => like.has(word));
