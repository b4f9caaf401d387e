import { Smallest } from "../runtime/smallest.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { editDistance, isNumber } from "../text/spelling.ts";
import type { Entry, IndexedName } from "./name-entry.ts";
import { holdersOf } from "./name-entry.ts";
import type { NameIndex } from "./name-index.ts";
import { areAmong, fewestEdits, type Outline, outlineOf } from "./outline-table.ts";

const MAX_NEAREST = 3;
// For half a name, everyone who may be meant is a candidate.
const MIN_BEGINNING = 3;
const MAX_BEGINNING = 8;
const MAX_DISTANCE = 24;
/** The distances up to which names are compared, one after the other until enough are near. */
const CAPS = [1, 3, 6, MAX_DISTANCE - 1];
// A name that differs more is a different name: "Karin" is close to "Kevin", but Karin Öberg is not close to Kevin Marsh.
const MAX_DIFFERENCE = 0.4;

/** Whether each word of the query is the beginning of the name's word at the same position: "T 12" may mean Truck 12 or Trailer 12. */
const isAbbreviation = (tokens: readonly string[], name: readonly string[]) =>
  tokens.length === name.length && tokens.every((token, at) => (isNumber(token) ? token === name[at] : name[at]?.startsWith(token)));

/** Returns entities with a word in their names that begins with the query, if that is a single word. */
async function beginningWith<Value>([word, ...others]: readonly string[], index: NameIndex<Value>, slices: TimeSlices): Promise<Value[]> {
  if (word === undefined || others.length > 0 || word.length < MIN_BEGINNING || isNumber(word)) return [];
  const first = new Smallest<Entry<Value>>(MAX_BEGINNING, (a, b) => a.serial - b.serial);
  const seen = new Set<Entry<Value>>();
  for (const known of index.names.wordsBeginning(word)) {
    await slices.each(holdersOf(index.names.withWord(known)), (entry) => {
      if (seen.has(entry)) return;
      seen.add(entry);
      first.add(entry);
    });
  }
  return first.items.map(({ value }) => value);
}

interface Candidate<Value> {
  entry: Entry<Value>;
  distance: number;
  /** Whether a code is near, which counts less than a name that is as near. */
  byCode: boolean;
}

/** Orders candidates; those that are equally near, in the order in which they were added. */
const compare = <Value>(a: Candidate<Value>, b: Candidate<Value>) =>
  a.distance - b.distance || Number(a.byCode) - Number(b.byCode) || a.entry.serial - b.entry.serial;

/** The entities that are nearest so far. */
class Nearest<Value> {
  #best: Candidate<Value>[] = [];

  /** The largest distance with which an entity may still be among the nearest. */
  get most(): number {
    return this.#best[MAX_NEAREST - 1]?.distance ?? MAX_DISTANCE - 1;
  }

  get values(): Value[] {
    return this.#best.map(({ entry }) => entry.value);
  }

  consider(candidate: Candidate<Value>): void {
    const last = this.#best[MAX_NEAREST - 1];
    if (last && compare(candidate, last) >= 0) return;
    const listed = this.#best.find(({ entry }) => entry === candidate.entry);
    if (listed && candidate.distance >= listed.distance) return;
    this.#best = [...this.#best.filter((other) => other !== listed), candidate].sort(compare).slice(0, MAX_NEAREST);
  }
}

/** The length of words joined by spaces. */
function joinedLength(tokens: readonly string[]): number {
  let length = tokens.length - 1;
  for (const token of tokens) length += token.length;
  return length;
}

/** Considers the names that differ little from the words of a query. */
async function considerNames<Value>(
  tokens: readonly string[],
  index: NameIndex<Value>,
  nearest: Nearest<Value>,
  slices: TimeSlices,
): Promise<void> {
  const known = tokens.filter(index.names.hasWord);
  // Unknown words, such as a color or a foreign registration, must not hide a matching number.
  const variants = [tokens, ...(known.some(isNumber) ? [known] : [])].map((some) => some.join(" "));
  const outlines = variants.map(outlineOf);
  const [{ letters, length }] = outlines as [Outline];
  let cap = 0;
  const limitFor = (nameLength: number) => Math.min(cap, nearest.most, Math.floor(MAX_DIFFERENCE * Math.max(length, nameLength)));
  const consider = ({ tokens: name, entries }: IndexedName<Value>, limit: number) => {
    let least = isAbbreviation(tokens, name) ? 0 : limit + 1;
    const text = name.join(" ");
    for (const variant of variants) least = Math.min(least, editDistance(variant, text, least - 1));
    if (least <= limit) for (const entry of entries) nearest.consider({ entry, distance: least, byCode: false });
  };
  // A name with the same number may differ more.
  for (const number of tokens.filter(isNumber)) await slices.each(index.names.withWord(number), (name) => consider(name, nearest.most));
  const mayBeNear = (lettersOfName: number, _: number, nameLength: number) => {
    if (cap === CAPS[0] && areAmong(letters, lettersOfName)) return true;
    const limit = limitFor(nameLength);
    for (const query of outlines) {
      if (Math.abs(query.length - nameLength) <= limit && fewestEdits(query.letters, lettersOfName) <= limit) return true;
    }
    return false;
  };
  // Beginning with the nearest, so that most names are only compared up to a small distance.
  for (const most of CAPS) {
    cap = most;
    await index.names.visitOutlined(mayBeNear, slices, (name) => consider(name, limitFor(joinedLength(name.tokens))));
    if (nearest.most <= most) break;
  }
}

/** Returns the entities whose names and codes differ least from a query, given as words as they are written and as tokens. */
export async function nearestNames<Value>(
  { tokens, words }: { tokens: readonly string[]; words: readonly string[] },
  index: NameIndex<Value>,
): Promise<Value[]> {
  const slices = new TimeSlices();
  const beginning = await beginningWith(tokens, index, slices);
  if (beginning.length > 0) return beginning;
  const nearest = new Nearest<Value>();
  await considerNames(tokens, index, nearest, slices);
  const code = words.join("");
  if (/\d/.test(code)) {
    const most = () => Math.min(nearest.most, Math.floor(MAX_DIFFERENCE * code.length));
    await index.visitCodesNear(code, most, slices, ({ entry, text }) => {
      const distance = text.includes(code) ? 1 : editDistance(code, text, most());
      if (distance <= most()) nearest.consider({ entry, distance, byCode: true });
    });
  }
  return nearest.values;
}
