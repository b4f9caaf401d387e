// Words around a name that people say and no vehicle is told by.
const FILLERS = new Set(["the", "vehicle", "no", "nr", "num", "number", "reg", "registration", "plate", "driver", "s", "where", "is"]);

/** Lower case without accents. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("đ", "d")
    .replaceAll("æ", "ae")
    .replaceAll("œ", "oe");
}

/** A name as words and whole numbers: "Truck-012" is truck, 12. A number is never a part of a longer one. */
export function nameTokens(text: string): string[] {
  const words = fold(text).match(/\p{L}+|\p{N}+/gu) ?? [];
  return words.map((word) => (/^\d+$/.test(word) ? word.replace(/^0+(?=\d)/, "") : word));
}

/** A name with its words run together between numbers, so that "North depot 3" and "Northdepot 3" are the same. */
export function runTogether(tokens: readonly string[]): string {
  const parts: string[] = [];
  for (const token of tokens) {
    const last = parts.at(-1);
    if (last !== undefined && !isNumber(last) && !isNumber(token)) parts[parts.length - 1] = last + token;
    else parts.push(token);
  }
  return parts.join(" ");
}

export function isNumber(token: string): boolean {
  return /^\d+$/.test(token);
}

/** A text without the words that people put around a name; the whole text where nothing else is left. */
export function withoutFillers(text: string): string {
  const rest = text.split(/[^\p{L}\p{N}]+/u).filter((word) => !FILLERS.has(fold(word)));
  return rest.some((word) => word !== "") ? rest.join(" ") : text;
}

/** An identifier, registration or VIN without spaces, dashes and case. */
export function compact(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two words. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

/** Whether two words differ by a slip of the finger at most: none in short words, one from four letters, two from eight. */
export function alike(a: string, b: string): boolean {
  if (a === b) return true;
  if (isNumber(a) || isNumber(b)) return false;
  const shorter = Math.min(a.length, b.length);
  const allowed = shorter >= 8 ? 2 : shorter >= 4 ? 1 : 0;
  return allowed > 0 && Math.abs(a.length - b.length) <= allowed && editDistance(a, b) <= allowed;
}
