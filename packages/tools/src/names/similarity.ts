import { isNumber, isTypo } from "../text/spelling.ts";
import { withDigits } from "./number-words.ts";
import { electric, kindOf, meanings } from "./query-meanings.ts";

/** How a query word may match a word in the fleet's names, from certain to likely. */
export type Similarity = "same" | "synonym" | "typo";

/** The words in the fleet's names. */
export interface Vocabulary {
  has: (word: string) => boolean;
  /** Returns the words with this meaning. */
  meaning: (word: string) => readonly string[];
  /** The words that are not numbers. */
  letterWords: readonly string[];
}

/** Matches query words at a given degree of similarity. */
export interface WordMatcher {
  /** Returns the words to look up for a query. */
  read: (tokens: readonly string[]) => readonly string[];
  /** Returns the words in the fleet's names that a word may match; `isNumbered` if a number follows the word. */
  wordsFor: (word: string, isNumbered: boolean, vocabulary: Vocabulary) => readonly string[];
  /** Whether a single letter may be the initial of a person's name. */
  takesInitials: boolean;
}

const MIN_PREFIX_LENGTH = 4;

const meaningOf = (word: string, { meaning }: Vocabulary) => meaning(meanings([word])[0] ?? word);

/** Returns the words for the electric version of a kind: "van 12" never means eVan 12, but "van" without a number may mean an eVan. */
function electricCounterparts(word: string, isNumbered: boolean, vocabulary: Vocabulary): readonly string[] {
  const kind = isNumbered ? undefined : kindOf(word);
  return kind === undefined ? [] : meaningOf(electric(kind), vocabulary);
}

/** Returns the words that a word may misspell or abbreviate; none if it occurs in a name itself: "eTruck" is not a typo of "Truck". */
function typosFor(word: string, { has, letterWords }: Vocabulary): readonly string[] {
  if (isNumber(word) || has(word)) return [];
  const begins = word.length >= MIN_PREFIX_LENGTH;
  return letterWords.filter((known) => isTypo(word, known) || (begins && known.startsWith(word)));
}

const synonym: WordMatcher = {
  read: meanings,
  wordsFor: (word, isNumbered, vocabulary) => [...meaningOf(word, vocabulary), ...electricCounterparts(word, isNumbered, vocabulary)],
  takesInitials: false,
};

export const MATCHERS: Readonly<Record<Similarity, WordMatcher>> = {
  same: { read: (tokens) => tokens, wordsFor: (word, _, { has }) => (has(word) ? [word] : []), takesInitials: false },
  synonym,
  typo: {
    read: withDigits,
    wordsFor: (word, isNumbered, vocabulary) => [...synonym.wordsFor(word, isNumbered, vocabulary), ...typosFor(word, vocabulary)],
    takesInitials: true,
  },
};
