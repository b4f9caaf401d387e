const UNITS =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

const values = new Map([
  ...UNITS.map((word, at): [string, number] => [word, at + 1]),
  ...TENS.map((word, at): [string, number] => [word, (at + 2) * 10]),
  ["hundred", 100] as const,
]);

/** Adds a number word to the number before it; returns undefined if they are two numbers. */
function plus(sum: number, value: number): number | undefined {
  if (value === 100) return Math.max(sum, 1) * 100;
  const rest = sum % 100;
  return rest === 0 || (rest % 10 === 0 && value < 10) ? sum + value : undefined;
}

/** Converts number words to digits. The words are added up if they form one number, and otherwise concatenated ("one twelve" is 112). */
function digitsOf(words: readonly string[]): string {
  const done: number[] = [];
  let current = 0;
  for (const word of words) {
    const value = values.get(word);
    if (value === undefined) continue;
    const sum = plus(current, value);
    if (sum === undefined) done.push(current);
    current = sum ?? value;
  }
  return [...done, current].join("");
}

/** Whether a word is a spoken English number or part of one. */
export const isNumberWord = (word: string): boolean => values.has(word);

/** Replaces spoken numbers with digits: the words of "truck two hundred and five" become truck, 205. */
export function withDigits(words: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < words.length; at++) {
    let end = at;
    for (let next = at; next < words.length; next++) {
      if (isNumberWord(words[next] as string)) end = next + 1;
      else if (next === at || words[next] !== "and") break;
    }
    if (end === at) result.push(words[at] as string);
    else {
      result.push(digitsOf(words.slice(at, end)));
      at = end - 1;
    }
  }
  return result;
}
