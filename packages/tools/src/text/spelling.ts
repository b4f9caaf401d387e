import leven from "leven";

// A fast path: a fleet has hundreds of thousands of strings, most of them ASCII.
const PLAIN = /^[ -~]*$/;

const NOTHING =
  /^[\s"'(<[]*(?:null|nil|none|undefined|nan|n ?[/.] ?a|not (?:applicable|available|specified|provided|given|set)|[-\u2013\u2014]+)[\s"')>\].]*$/i;

/** Whether a text is one that models write for a missing value, in any case. */
export const meansNothing = (text: string): boolean => NOTHING.test(text);

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
  if (!SEPARATORS.test(folded)) return folded;
  return folded.replace(PLAIN.test(folded) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]/gu, "");
}

/** Cyrillic and Greek letters whose capitals look like Latin ones, and these, in lower case. */
const LOOK_ALIKES = new Map(
  [..."авекмнорстухіјѕԁαβεζηικμνορτυχ"].map((letter, at) => [letter, "abekmhopctyxijsdabezhikmnoptyx"[at] as string]),
);

/** Replaces letters in a normalized code by the Latin ones that they look like, because plates are typed in either. */
export const latinLetters = (code: string): string => code.replace(/[\u0370-\u052f]/g, (letter) => LOOK_ALIKES.get(letter) ?? letter);

/** Normalizes a registration so that it is recognized in either kind of letters. */
export const plateOf = (registration: string): string => latinLetters(compact(registration));

/** Whether two strings differ only by two adjacent characters that are swapped. */
function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.length === b.length && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b;
}

/** Returns the number of insertions, deletions and replacements between two strings, 1 for a swap of adjacent characters; `max` + 1 if there are more. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  return isSwap(a, b) ? 1 : leven(a, b, { maxDistance: max + 1 });
}

const withoutDoubledLetters = (word: string) => word.replace(/(.)\1+/gu, "$1");

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
  return isSwap(a, b) || (Math.abs(a.length - b.length) === 1 && withoutDoubledLetters(a) === withoutDoubledLetters(b));
}
