import { withDigits } from "./number-words.ts";
import { electric, kindOf, meanings } from "./query-meanings.ts";
import { isNumber, isSlip } from "./spelling.ts";

/** The ways in which one word may stand for another, from certain to likely. */
export type Similarity = "same" | "meant" | "slip";

/** The words of a fleet's names. */
export interface Vocabulary {
  has: (word: string) => boolean;
  /** The words that mean the same as one. */
  meaning: (word: string) => readonly string[];
  /** The words that are no numbers. */
  letterWords: readonly string[];
}

/** Finds what said words may stand for, in one of the ways. */
export interface WordMatcher {
  /** What was said, in the words that are looked up. */
  read: (tokens: readonly string[]) => readonly string[];
  /** The words of the fleet that one of them may stand for; numbered is one that a number follows. */
  wordsFor: (word: string, isNumbered: boolean, vocabulary: Vocabulary) => readonly string[];
  /** Whether a letter may stand for the name of a person that begins with it. */
  takesInitials: boolean;
}

const MIN_PREFIX_LENGTH = 4;

const meaningOf = (word: string, { meaning }: Vocabulary) => meaning(meanings([word])[0] ?? word);

/** With a number a van is no eVan; without one it may be. */
function electricCounterparts(word: string, isNumbered: boolean, vocabulary: Vocabulary): readonly string[] {
  const kind = isNumbered ? undefined : kindOf(word);
  return kind === undefined ? [] : meaningOf(electric(kind), vocabulary);
}

/** The words of which one is a slip or the beginning. One that the fleet has is no slip for another: an eTruck is not a Truck. */
function slipsFor(word: string, { has, letterWords }: Vocabulary): readonly string[] {
  if (isNumber(word) || has(word)) return [];
  const begins = word.length >= MIN_PREFIX_LENGTH;
  return letterWords.filter((known) => isSlip(word, known) || (begins && known.startsWith(word)));
}

const meant: WordMatcher = {
  read: meanings,
  wordsFor: (word, isNumbered, vocabulary) => [...meaningOf(word, vocabulary), ...electricCounterparts(word, isNumbered, vocabulary)],
  takesInitials: false,
};

export const MATCHERS: Readonly<Record<Similarity, WordMatcher>> = {
  same: { read: (tokens) => tokens, wordsFor: (word, _, { has }) => (has(word) ? [word] : []), takesInitials: false },
  meant,
  slip: {
    read: withDigits,
    wordsFor: (word, isNumbered, vocabulary) => [...meant.wordsFor(word, isNumbered, vocabulary), ...slipsFor(word, vocabulary)],
    takesInitials: true,
  },
};
