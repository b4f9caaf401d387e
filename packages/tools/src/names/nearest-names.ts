import { TimeSlices } from "../runtime/time-slices.ts";
import { editDistance, isNumber, plateOf } from "../text/spelling.ts";
import type { Entry, Name } from "./name-entry.ts";
import type { NameIndex } from "./name-index.ts";

const MAX_NEAREST = 3;
// For half a name, everyone who may be meant is a candidate.
const MIN_BEGINNING = 3;
const MAX_BEGINNING = 8;
// A name that differs more is a different name: "Karin" is close to "Kevin", but Karin Öberg is not close to Kevin Marsh.
const MAX_DIFFERENCE = 0.4;
const MAX_DISTANCE = 23;
/** What a code counts less than a name that is as near. */
const CODE = 0.5;

/** Whether each word of the query is the beginning of the name's word at the same position: "T 12" may mean Truck 12 or Trailer 12. */
const isAbbreviation = (tokens: readonly string[], name: readonly string[]) =>
  tokens.length === name.length && tokens.every((token, at) => (isNumber(token) ? token === name[at] : name[at]?.startsWith(token)));

/** Returns the first entities with a word in their names that begins with this one. */
async function beginningWith<Value>(word: string, index: NameIndex<Value>, slices: TimeSlices): Promise<Value[]> {
  const first: Value[] = [];
  await slices.each(index.entries(), ({ value, names }) => {
    if (first.length < MAX_BEGINNING && names.some(({ tokens }) => tokens.some((other) => other.startsWith(word)))) first.push(value);
  });
  return first;
}

/** Returns a function that rates how far a name is from the words of a query: at most `max`, or more than that. */
function nameDistance<Value>(tokens: readonly string[], index: NameIndex<Value>): (name: Name<Value>, max: number) => number {
  const existing = tokens.filter(index.hasWord);
  const hasNumber = existing.some(isNumber);
  // Unknown words, such as a color or a foreign registration, must not hide a matching number.
  const queries = [tokens, ...(hasNumber ? [existing] : [])].map((words) => words.join(" "));
  const length = queries[0]?.length ?? 0;
  return ({ tokens: name }, max) => {
    if (isAbbreviation(tokens, name)) return 0;
    const text = name.join(" ");
    // A name with the same number may differ more.
    const isNumbered = hasNumber && name.some((word) => isNumber(word) && tokens.includes(word));
    const limit = isNumbered ? max : Math.min(max, Math.floor(MAX_DIFFERENCE * Math.max(length, text.length)));
    const distance = Math.min(...queries.map((query) => editDistance(query, text, limit)));
    return distance > limit ? Number.POSITIVE_INFINITY : distance;
  };
}

/** Returns the entities whose names and codes differ least from a query, given as words as they are written and as tokens. */
export async function nearestNames<Value>(
  { tokens, words }: { tokens: readonly string[]; words: readonly string[] },
  index: NameIndex<Value>,
): Promise<Value[]> {
  const slices = new TimeSlices();
  const [word = ""] = tokens;
  const isBeginning = tokens.length === 1 && word.length >= MIN_BEGINNING && !isNumber(word);
  const beginning = isBeginning ? await beginningWith(word, index, slices) : [];
  if (beginning.length > 0) return beginning;

  let nearest: { entry: Entry<Value>; distance: number }[] = [];
  /** The distance below which an entity is among the nearest so far. */
  const below = () => nearest[MAX_NEAREST - 1]?.distance ?? MAX_DISTANCE + 1;
  const consider = (entry: Entry<Value>, distance: number) => {
    if (distance >= below() || nearest.some((other) => other.entry === entry && other.distance <= distance)) return;
    nearest = [...nearest.filter((other) => other.entry !== entry), { entry, distance }];
    nearest = nearest.sort((a, b) => a.distance - b.distance).slice(0, MAX_NEAREST);
  };
  const distanceOf = nameDistance(tokens, index);
  const shared = new Map<Name<Value>, number>();
  await slices.each(index.entries(), (entry) => {
    for (const name of entry.names) {
      const distance = shared.get(name) ?? distanceOf(name, Math.ceil(below()) - 1);
      if (name.entries.length > 1) shared.set(name, distance);
      consider(entry, distance);
    }
  });
  const code = plateOf(words.join(""));
  if (!/\d/.test(code)) return nearest.map(({ entry }) => entry.value);
  await index.eachPartialCode(slices, ({ entry, text }) => {
    const max = Math.min(Math.ceil(below()) - 1, Math.floor(MAX_DIFFERENCE * code.length));
    const distance = text.includes(code) ? 1 : editDistance(code, text, max);
    if (distance <= max) consider(entry, distance + CODE);
  });
  return nearest.map(({ entry }) => entry.value);
}
