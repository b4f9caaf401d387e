import type { TimeSlices } from "../runtime/time-slices.ts";
import { asToken, fold, isNumber, latinLetters, rawWords } from "../text/spelling.ts";
import { isFiller } from "./filler-words.ts";
import type { Code, Hit, MatchedBy } from "./name-entry.ts";
import type { NameIndex } from "./name-index.ts";
import { entriesWith } from "./query-words.ts";

/** The only entity with a code that occurs in the query beside words that do not fit it. */
export interface CodeOwner<Value> {
  code: string;
  by: MatchedBy;
  value: Value;
}

const MIN_SPAN_LENGTH = 4;

/** Returns the indices at which the words and numbers of a code begin, and its length. */
function boundariesOf(code: string): Set<number> {
  let at = 0;
  return new Set([0, ...rawWords(fold(code)).map(({ length }) => (at += length))]);
}

/**
 * Whether a code ends in a part, or contains it as whole words and numbers (123 does not match 1234). At the start of a code, the part may
 * end within a word.
 */
function hasPart<Value>({ text, entry, property }: Code<Value>, part: string, isEnd: boolean): boolean {
  const { minPartLength = Number.POSITIVE_INFINITY, minSuffixLength = Number.POSITIVE_INFINITY } = property;
  const at = part.length < Math.min(minPartLength, minSuffixLength) ? -1 : text.indexOf(part);
  if (at === -1) return false;
  const end = at + part.length;
  if (part.length >= minSuffixLength) return end === text.length;
  if (isEnd) return text.endsWith(part);
  const boundaries = boundariesOf(property.of(entry.value) ?? "");
  return boundaries.has(at) && (boundaries.has(end) || (at === 0 && !/\d/.test(text.charAt(end))));
}

/** Finds the codes of which a text is a part, or the end if `isEnd` is set. */
export async function partOfCode<Value>(code: string, isEnd: boolean, index: NameIndex<Value>, slices: TimeSlices): Promise<Hit<Value>[]> {
  const part = latinLetters(code);
  const found: Hit<Value>[] = [];
  if (part !== "") await index.eachPartialCode(slices, (candidate) => hasPart(candidate, part, isEnd) && found.push(candidate));
  return found;
}

/** Returns the whole codes among the words of a query, longest first, each with the other words. */
function* codesAmong<Value>(words: readonly string[], index: NameIndex<Value>) {
  for (let length = words.length - 1; length > 0; length--) {
    for (let start = 0; start + length <= words.length; start++) {
      const code = words.slice(start, start + length).join("");
      const codes = code.length < MIN_SPAN_LENGTH ? [] : index.codesWritten(code);
      if (codes.length > 0) yield { code, codes, others: [...words.slice(0, start), ...words.slice(start + length)] };
    }
  }
}

/** Finds a whole code among other words if these all occur in the names of the same entity: "Truck 12 (KX21 ABC)". */
export async function codeAmongWords<Value>(words: readonly string[], index: NameIndex<Value>, slices: TimeSlices): Promise<Hit<Value>[]> {
  const [found] = codesAmong(words, index);
  if (!found) return [];
  const others = found.others.filter((word) => !isFiller(word) || index.hasWord(word));
  if (others.length === 0) return found.codes;
  // If only numbers are left, they might belong to the code.
  if (others.every(isNumber)) return [];
  const named = await entriesWith(others.map(asToken), "synonym", index, slices);
  const owners = new Set(named.map(({ entry }) => entry));
  return found.codes.filter(({ entry }) => owners.has(entry));
}

/** Finds a whole code among other words that do not fit its owner: "Truck 112, reg KX21 ABC" where KX21 ABC is Truck 12. */
export function codeOwner<Value>(words: readonly string[], index: NameIndex<Value>): CodeOwner<Value> | undefined {
  for (const { code, codes } of codesAmong(words, index)) {
    const [owner, ...others] = codes;
    if (owner && others.length === 0 && /\d/.test(code)) return { code, by: owner.by, value: owner.entry.value };
  }
  return undefined;
}
