import type { Entry, Name } from "./name-entry.ts";
import type { NameIndex } from "./name-index.ts";
import { editDistance, isNumber } from "./spelling.ts";

const MAX_NEAREST = 3;
// For half a name, everyone who may be meant is a candidate.
const MIN_BEGINNING = 3;
const MAX_BEGINNING = 8;
const MAX_DISTANCE = 24;
// A name that differs more is a different name: "Karin" is close to "Kevin", but Karin Öberg is not close to Kevin Marsh.
const MAX_DIFFERENCE = 0.4;

/** Whether each word of the query is the beginning of the name's word at the same position: "T 12" may mean Truck 12 or Trailer 12. */
const isAbbreviation = (tokens: readonly string[], name: readonly string[]) =>
  tokens.length === name.length && tokens.every((token, at) => (isNumber(token) ? token === name[at] : name[at]?.startsWith(token)));

/** Returns entities with a word in their names that begins with the query, if that is a single word. */
function beginningWith<Value>([word, ...others]: readonly string[], index: NameIndex<Value>): Value[] {
  if (word === undefined || others.length > 0 || word.length < MIN_BEGINNING || isNumber(word)) return [];
  const found: Value[] = [];
  for (const { value, names } of index.entries()) {
    if (!names.some(({ tokens }) => tokens.some((token) => token.startsWith(word)))) continue;
    found.push(value);
    if (found.length === MAX_BEGINNING) break;
  }
  return found;
}

/** The length of words joined by spaces. */
function joinedLength(tokens: readonly string[]): number {
  let length = tokens.length - 1;
  for (const token of tokens) length += token.length;
  return length;
}

/** Returns a function that computes the distance of a name from a query: {@link MAX_DISTANCE} if it is not near, or further away than `most`. */
function distanceTo<Value>(tokens: readonly string[], index: NameIndex<Value>) {
  const known = tokens.filter(index.hasWord);
  const numbers = tokens.filter(isNumber);
  // Unknown words, such as a color or a foreign registration, must not hide a matching number.
  const variants = [tokens, ...(known.some(isNumber) ? [known] : [])].map((some) => some.join(" "));
  const length = joinedLength(tokens);
  return ({ tokens: name }: Name, most: number): number => {
    if (isAbbreviation(tokens, name)) return 0;
    const nameLength = joinedLength(name);
    const isNumbered = numbers.some((number) => name.includes(number));
    const limit = isNumbered ? most : Math.min(most, Math.floor(MAX_DIFFERENCE * Math.max(length, nameLength)));
    let least = limit + 1;
    for (const variant of variants) {
      if (Math.abs(variant.length - nameLength) < least) least = Math.min(least, editDistance(variant, name.join(" "), least - 1));
    }
    return least > limit ? MAX_DISTANCE : least;
  };
}

/** Returns the entities whose names and codes differ least from a query, given as words as they are written and as tokens. */
export function nearestNames<Value>(
  { tokens, words }: { tokens: readonly string[]; words: readonly string[] },
  index: NameIndex<Value>,
): Value[] {
  const beginning = beginningWith(tokens, index);
  if (beginning.length > 0) return beginning;
  let best: { entry: Entry<Value>; distance: number }[] = [];
  const mostDistant = () => best[MAX_NEAREST - 1]?.distance ?? MAX_DISTANCE;
  const consider = (entry: Entry<Value>, distance: number) => {
    if (distance >= mostDistant()) return;
    const listed = best.find((other) => other.entry === entry);
    if (listed && distance >= listed.distance) return;
    best = [...best.filter((other) => other !== listed), { entry, distance }].sort((a, b) => a.distance - b.distance).slice(0, MAX_NEAREST);
  };
  const distanceOf = distanceTo(tokens, index);
  // Thousands of vehicles may share a name, such as that of their group.
  const distances = new Map<Name, number>();
  for (const entry of index.entries()) {
    for (const name of entry.names) {
      const isShared = name.entries.length > 1;
      // A distance that was cut off at an earlier limit is beyond later ones too, because limits only get smaller.
      const distance = (isShared ? distances.get(name) : undefined) ?? distanceOf(name, mostDistant() - 1);
      if (isShared) distances.set(name, distance);
      consider(entry, distance);
    }
  }
  const code = words.join("");
  if (/\d/.test(code)) {
    const most = () => Math.min(mostDistant() - 1, Math.floor(MAX_DIFFERENCE * code.length));
    const distanceOfCode = (text: string) => (text.includes(code) ? 1 : editDistance(code, text, most()));
    for (const { entry, text } of index.partialCodes((text) => distanceOfCode(text) <= most())) consider(entry, distanceOfCode(text));
  }
  return best.map(({ entry }) => entry.value);
}
