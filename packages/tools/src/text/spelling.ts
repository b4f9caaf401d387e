// A fast path: a fleet has hundreds of thousands of strings, most of them ASCII.
const PLAIN = /^[ -~]*$/;

/** Converts text to lowercase without accents. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("đ", "d")
    .replaceAll("ı", "i")
    .replaceAll("æ", "ae")
    .replaceAll("œ", "oe");
}

/** Unifies spelled-out umlauts and different spellings of the same sound in a folded string. */
export const plainSounds = (word: string): string =>
  word
    .replace(/([aou])e/g, "$1")
    .replaceAll("aa", "a")
    .replaceAll("ph", "f")
    .replaceAll("x", "ks");

const NUMBER = /^\p{N}+$/u;

export function isNumber(word: string): boolean {
  return NUMBER.test(word);
}

/** Splits a folded string into words and numbers, as written. */
export function rawWords(folded: string): string[] {
  return folded.match(PLAIN.test(folded) ? /[a-z]+|\d+/gi : /\p{L}+|\p{N}+/gu) ?? [];
}

/** Strips leading zeros from a number; returns a word unchanged. */
export const asToken = (word: string) => (word.startsWith("0") ? word.replace(/^0+(?=.)/, "") : word);

/** Splits a name into words and whole numbers: "Truck-012" becomes truck, 12. A number never matches part of a longer one. */
export function nameTokens(text: string): string[] {
  return rawWords(fold(text)).map(asToken);
}

/** Joins adjacent words, but not numbers, so that "North depot 3" and "Northdepot 3" are equal. */
export function runTogether(tokens: readonly string[]): string {
  const parts: string[] = [];
  for (const token of tokens) {
    const last = parts.at(-1);
    if (last !== undefined && !isNumber(last) && !isNumber(token)) parts[parts.length - 1] = last + token;
    else parts.push(token);
  }
  return parts.join(" ");
}

// Most codes contain none, and testing is cheaper than replacing.
const SEPARATORS = /[^a-z0-9]/;

/** Normalizes an id, registration or VIN: lowercase, without spaces and dashes. */
export function compact(text: string): string {
  const folded = fold(text);
  return SEPARATORS.test(folded) ? folded.replace(/[^\p{L}\p{N}]/gu, "") : folded;
}

/** Cyrillic and Greek letters whose capitals look like Latin ones, and these, in lower case. */
const LOOK_ALIKES = new Map(
  [..."авекмнорстухіјѕԁαβεζηικμνορτυχ"].map((letter, at) => [letter, "abekmhopctyxijsdabezhikmnoptyx"[at] as string]),
);

/** Replaces letters in a normalized code by the Latin ones that they look like, because plates are typed in either. */
export const latinLetters = (code: string): string => code.replace(/[\u0370-\u052f]/g, (letter) => LOOK_ALIKES.get(letter) ?? letter);

/** Normalizes a registration so that it is recognized in either kind of letters. */
export const plateOf = (registration: string): string => latinLetters(compact(registration));

/** Whether an id is written as {@link compact} would write it. Foreign letters do not count. */
export const isCompact = (text: string): boolean => text !== "" && !SEPARATORS.test(text);

// The rows are reused by every call, because finding the nearest names compares hundreds of thousands of strings.
const MAX_COMPARED_LENGTH = 256;
const newRow = () => new Uint16Array(MAX_COMPARED_LENGTH + 1);
const rows: [Uint16Array, Uint16Array, Uint16Array] = [newRow(), newRow(), newRow()];

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent characters between two strings; `most` + 1 if there are
 * more.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || Math.max(a.length, b.length) > MAX_COMPARED_LENGTH) return most + 1;
  return Math.min(bitParallelDistance(a, b) ?? rowByRow(a, b, most), most + 1);
}

// A bit for each position at which a letter occurs in the first string; empty between calls.
const positions = new Int32Array(128);
const MAX_BITS = 31;

/** Computes all rows of the comparison at once, one bit each (Hyyrö 2003). Returns undefined for long strings and foreign letters. */
function bitParallelDistance(a: string, b: string): number | undefined {
  if (a.length === 0 || a.length > MAX_BITS || !PLAIN.test(a) || !PLAIN.test(b)) return undefined;
  for (let at = 0; at < a.length; at++) (positions[a.charCodeAt(at)] as number) |= 1 << at;
  const last = 1 << (a.length - 1);
  let [increases, decreases, equals, before, distance] = [-1, 0, 0, 0, a.length];
  for (let at = 0; at < b.length; at++) {
    const here = positions[b.charCodeAt(at)] as number;
    const swapped = ((~equals & here) << 1) & before;
    equals = swapped | ((((here & increases) + increases) | 0) ^ increases) | here | decreases;
    const up = decreases | ~(equals | increases);
    const down = equals & increases;
    if (up & last) distance++;
    else if (down & last) distance--;
    const shifted = (up << 1) | 1;
    increases = (down << 1) | ~(shifted | equals);
    decreases = shifted & equals;
    before = here;
  }
  for (let at = 0; at < a.length; at++) positions[a.charCodeAt(at)] = 0;
  return distance;
}

function rowByRow(a: string, b: string, most: number): number {
  let [beforeLast, last, current] = rows;
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1);
    let least = row;
    current[0] = row;
    for (let column = 1; column <= b.length; column++) {
      const other = b.charCodeAt(column - 1);
      let best = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (letter === other ? 0 : 1),
      );
      if (letter === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other)
        best = Math.min(best, (beforeLast[column - 2] as number) + 1);
      current[column] = best;
      if (best < least) least = best;
    }
    if (least > most) return most + 1;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length] as number;
}

const withoutDoubledLetters = (word: string) => word.replace(/(.)\1+/gu, "$1");
const sortedLetters = (word: string) => [...word].sort().join("");

/**
 * Whether two words differ only by typos: up to two from eight letters, one from four, and with three letters only a swapped or doubled
 * one.
 */
export function isTypo(a: string, b: string): boolean {
  if (a === b) return true;
  if (isNumber(a) || isNumber(b)) return false;
  const shorter = Math.min(a.length, b.length);
  const allowed = shorter >= 8 ? 2 : shorter >= 4 ? 1 : 0;
  if (allowed > 0) return editDistance(a, b, allowed) <= allowed;
  if (shorter < 3) return false;
  const isSwapped = sortedLetters(a) === sortedLetters(b) && editDistance(a, b, 1) === 1;
  return isSwapped || (Math.abs(a.length - b.length) === 1 && withoutDoubledLetters(a) === withoutDoubledLetters(b));
}
