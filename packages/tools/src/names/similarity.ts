import { withDigits } from "./number-words.ts";
import { electric, kindOf, meanings } from "./query-meanings.ts";
import { isNumber, isTypo } from "./spelling.ts";

/** How a query word may match a word of the fleet, from certain to likely. */
export type Similarity = "same" | "synonym" | "typo";

/** The words in a fleet's names. */
export interface Vocabulary {
  has: (word: string) => boolean;
  /** The words with the same meaning. */
  meaning: (word: string) => readonly string[];
  /** The words that are not numbers. */
  letterWords: readonly string[];
}

/** Matches query words at one degree of similarity. */
export interface WordMatcher {
  /** The query in the words to look up. */
  read: (tokens: readonly string[]) => readonly string[];
  /** The words of the fleet that a word may stand for; `isNumbered` if a number follows it. */
  wordsFor: (word: string, isNumbered: boolean, vocabulary: Vocabulary) => readonly string[];
  /** Whether a single letter may stand for a person's name. */
  takesInitials: boolean;
}

const MIN_PREFIX_LENGTH = 4;

const meaningOf = (word: string, { meaning }: Vocabulary) => meaning(meanings([word])[0] ?? word);

/** "Van 12" is not eVan 12, but "van" alone may be an eVan. */
function electricCounterparts(word: string, isNumbered: boolean, vocabulary: Vocabulary): readonly string[] {
  const kind = isNumbered ? undefined : kindOf(word);
  return kind === undefined ? [] : meaningOf(electric(kind), vocabulary);
}

/** The words that this one may misspell or abbreviate. A word of the fleet misspells no other: an eTruck is not a Truck. */
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
