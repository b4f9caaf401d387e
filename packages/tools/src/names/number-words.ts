import { isNumber } from "../text/spelling.ts";

const UNITS = [
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
  "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn",
  "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
  "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
  "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
  "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
  "jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec jedenascie dwanascie trzynascie czternascie pietnascie",
];

const TENS = [
  "twenty thirty forty fifty sixty seventy eighty ninety",
  "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
  "vingt trente quarante cinquante soixante",
  "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
  "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
  "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
  "dwadziescia trzydziesci czterdziesci",
];

const HUNDREDS = "hundred hundert cent cents cien ciento cento honderd sto";

const values = new Map([
  ...UNITS.flatMap((list) => list.split(" ").map((word, at): [string, number] => [word, at + 1])),
  ...TENS.flatMap((list) => list.split(" ").map((word, at): [string, number] => [word, (at + 2) * 10])),
  ...HUNDREDS.split(" ").map((word): [string, number] => [word, 100]),
  ["ein", 1] as const,
  ["vingts", 20] as const,
  ["veinti", 20] as const,
  ["vent", 20] as const,
]);

const CONNECTORS = new Set(["and", "und", "et", "y", "en", "i"]);
// Count as numbers only within a longer word: "ein", for example, is also an article.
const INSIDE = new Set([...CONNECTORS, "ein", "veinti", "vent"]);

// In "un camion" the word is an article; in "camion un" it is a number.
const ARTICLES = new Set(["un", "een"]);

const longestFirst = [...values.keys(), ...CONNECTORS].sort((a, b) => b.length - a.length);
const PIECE = new RegExp(longestFirst.join("|"), "g");

/** Splits a word into the number words that it consists of: "einundzwanzig" into ein, und, zwanzig. */
function piecesOf(word: string): string[] {
  if (INSIDE.has(word)) return [];
  const pieces = word.match(PIECE) ?? [];
  return pieces.join("") === word ? pieces : [];
}

/** Adds a number word to the number before it; returns undefined if they are two numbers. */
function plus(sum: number, word: string, value: number, wordBefore: string | undefined): number | undefined {
  const rest = sum % 100;
  if (value === 100) return Math.max(sum, 1) * 100;
  if (rest === 4 && word.startsWith("vingt")) return sum + 76;
  if (rest === 0 || (rest % 10 === 0 && value < 10)) return sum + value;
  // In French, "soixante-dix" and "quatre-vingt-onze" are 70 and 91.
  if ((rest === 60 || rest === 80) && value < 20) return sum + value;
  // In German and Dutch, units come before tens.
  return rest < 10 && value >= 20 && (wordBefore === "und" || wordBefore === "en") ? sum + value : undefined;
}

/** Converts number words to digits. The words are added up if they form one number, and otherwise concatenated ("one twelve" is 112). */
function digitsOf(pieces: readonly string[]): string {
  const done: number[] = [];
  let current = 0;
  for (const [at, piece] of pieces.entries()) {
    const value = values.get(piece);
    if (value === undefined) continue;
    const sum = plus(current, piece, value, pieces[at - 1]);
    if (sum === undefined) done.push(current);
    current = sum ?? value;
  }
  return [...done, current].join("");
}

/** Whether a word is a spoken number or part of one. */
export const isNumberWord = (word: string): boolean => piecesOf(word).length > 0;

/** Replaces spoken numbers with digits: the words of "truck two hundred and five" become truck, 205. */
export function withDigits(words: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const pieces: string[] = [];
    let end = at;
    for (let next = at; next < words.length; next++) {
      const word = words[next] as string;
      const found = piecesOf(word);
      if (found.length > 0) end = next + 1;
      else if (pieces.length === 0 || !CONNECTORS.has(word)) break;
      pieces.push(...(found.length > 0 ? found : [word]));
    }
    const isNounNext = words.length === 1 || !isNumber(words[end] ?? "0");
    const isArticle = end === at + 1 && isNounNext && ARTICLES.has(words[at] as string);
    if (pieces.length === 0 || isArticle) result.push(words[at] as string);
    else {
      result.push(digitsOf(pieces));
      at = end - 1;
    }
  }
  return result;
}
