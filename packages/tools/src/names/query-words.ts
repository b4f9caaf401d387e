import type { TimeSlices } from "../runtime/time-slices.ts";
import { asToken, fold, isNumber, isTypo, latinLetters, rawWords } from "../text/spelling.ts";
import type { Code, Entry, Hit, MatchedBy, Name } from "./name-entry.ts";
import type { NameIndex } from "./name-index.ts";
import { agreesOnNumbers, electric, isFiller, kindOf, meanings, numberedWords, withDigits } from "./word-meanings.ts";

/** How a query word may match a word in the fleet's names, from certain to likely. */
export type Similarity = "same" | "synonym" | "typo";

interface QueryWord {
  token: string;
  /** The words in the fleet's names that this word may match. */
  like: ReadonlySet<string>;
}

/** An entity whose names contain the words, and the name that contains all of them, if there is one. */
export interface Found<Value> {
  entry: Entry<Value>;
  within: Name<Value> | undefined;
}

const MIN_PREFIX_LENGTH = 4;

/** Returns the words in the fleet's names that a query word may misspell or abbreviate; none if it occurs in a name itself: "eTruck" is not a typo of "Truck". */
async function typosFor<Value>(word: string, index: NameIndex<Value>, slices: TimeSlices): Promise<string[]> {
  const found: string[] = [];
  if (isNumber(word) || index.hasWord(word)) return found;
  await slices.each(index.words(), (other) => {
    const isBeginning = word.length >= MIN_PREFIX_LENGTH && other.startsWith(word);
    if (isBeginning || isTypo(word, other)) found.push(other);
  });
  return found;
}

async function wordsFor<Value>(
  word: string,
  isNumbered: boolean,
  similarity: Similarity,
  index: NameIndex<Value>,
  slices: TimeSlices,
): Promise<string[]> {
  if (similarity === "same") return index.hasWord(word) ? [word] : [];
  // "Van 12" never means eVan 12, but "van" without a number may mean an eVan.
  const kind = isNumbered ? undefined : kindOf(word);
  const synonyms = [...index.wordsLike(word), ...(kind === undefined ? [] : index.wordsLike(electric(kind)))];
  return similarity === "synonym" ? synonyms : [...synonyms, ...(await typosFor(word, index, slices))];
}

const hasWord = ({ like }: QueryWord, { tokens }: Pick<Name<never>, "tokens">): boolean => tokens.some((word) => like.has(word));

/** Finds the entities whose names contain all of the words, within one name or spread over several. */
export async function entriesWith<Value>(
  tokens: readonly string[],
  similarity: Similarity,
  index: NameIndex<Value>,
  slices: TimeSlices,
): Promise<Found<Value>[]> {
  // Only names that may be misspelt may also be cut to an initial.
  const takesInitials = similarity === "typo";
  const query = similarity === "same" ? tokens : takesInitials ? withDigits(tokens) : meanings(tokens);
  const words: QueryWord[] = [];
  for (const [at, token] of query.entries()) {
    const like = await wordsFor(token, isNumber(query[at + 1] ?? ""), similarity, index, slices);
    // A single letter that occurs in no name may be an initial.
    if (like.length === 0 && token.length > 1) return [];
    words.push({ token, like: new Set(like) });
  }
  const numbered = numberedWords(query);
  const isSameWord = (word: string, other: string) => words.some(({ token, like }) => token === word && like.has(other));

  /** Whether a word is an initial of a person's name. It counts only together with another word of that name. */
  const isInitialIn = ({ token }: QueryWord, name: Name<Value>) =>
    takesInitials &&
    name.isPerson &&
    token.length === 1 &&
    name.tokens.some((word) => word.startsWith(token)) &&
    words.some((other) => other.token.length > 1 && hasWord(other, name));
  const isIn = (word: QueryWord, name: Name<Value>) => hasWord(word, name) || isInitialIn(word, name);
  /** Whether each number occurs in the same name as the word before it. Not required if that word is from a driver's name. */
  const hasNumbersBesideWords = (names: readonly Name<Value>[]) =>
    words.every((number, at) => {
      const word = isNumber(number.token) ? words[at - 1] : undefined;
      return !word || names.some((name) => hasWord(word, name) && (name.isPerson || hasWord(number, name)));
    });

  const found: Found<Value>[] = [];
  const check = (entry: Entry<Value>) => {
    const agreeing = entry.names.filter(({ tokens: name }) => agreesOnNumbers(numbered, name, isSameWord));
    const within = agreeing.find((name) => words.every((word) => isIn(word, name)));
    const isSpread = () =>
      agreeing.length === entry.names.length &&
      words.every((word) => agreeing.some((name) => isIn(word, name))) &&
      hasNumbersBesideWords(agreeing);
    if (within || isSpread()) found.push({ entry, within });
  };
  const seen = new Set<Entry<Value>>();
  const alternatives = words.flatMap(({ like }) => (like.size > 0 ? [like] : []));
  for (const { entries } of index.namesWithRarest(alternatives)) {
    await slices.each(entries, (entry) => {
      if (seen.has(entry)) return;
      seen.add(entry);
      check(entry);
    });
  }
  return found;
}

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
