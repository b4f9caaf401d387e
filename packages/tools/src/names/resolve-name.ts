import { TimeSlices } from "../runtime/time-slices.ts";
import { asToken, compact, fold, isNumber, isTypo, nameTokens, rawWords } from "../text/spelling.ts";
import type { Entry, Hit, MatchedBy } from "./name-entry.ts";
import { MAX_NAME_LENGTH, type NameIndex } from "./name-index.ts";
import { NameQuestion } from "./name-question.ts";
import { nearestNames } from "./nearest-names.ts";
import { type CodeOwner, codeAmongWords, codeOwner, entriesWith, type Found, partOfCode, type Similarity } from "./query-words.ts";
import { withoutFillers } from "./word-meanings.ts";

/** The most names that an argument may have. */
export const MAX_NAMES = 50;

const CONNECTORS = / (?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub|oraz) | ?[/&;+] ?/iu;
const COMMAS = new RegExp(`,|${CONNECTORS.source}`, "iu");

/** Splits a text that may hold several names. A number after the first one is of its kind: "truck 12 and 13" are two trucks. */
function separateNames(text: string, separator = CONNECTORS): string[] {
  const parts = text
    .replace(/\s+/g, " ")
    .split(separator)
    .flatMap((part) => part.trim() || []);
  const kind = /^\D*/.exec(parts[0] ?? "")?.[0].trim() ?? "";
  return parts.map((part) => (/\d/.test(part) && !/\p{L}/u.test(part) ? `${kind} ${part}` : part));
}

/** Resolves each name once and in turn, so that a long list neither blocks other callers nor is read beyond its first unknown name. */
async function resolveEach<Value>(names: readonly string[], resolve: (name: string) => Promise<Value>): Promise<Value[]> {
  const slices = new TimeSlices();
  const found: Value[] = [];
  for (const name of new Set(names)) {
    found.push(await resolve(name));
    if (slices.isOver) await slices.next();
  }
  return found;
}

/** Resolves names. Only a text that is no name by itself, as "Kowalski, Jan" may be, consists of several. */
export async function resolveSeveral<Value>(
  given: string | readonly string[],
  resolve: (name: string) => Promise<Value>,
): Promise<Value[]> {
  if (typeof given !== "string") return resolveEach(given, resolve);
  try {
    return [await resolve(given)];
  } catch (error) {
    const parts = separateNames(given, COMMAS);
    if (!(error instanceof NameQuestion) || parts.length < 2 || parts.length > MAX_NAMES) throw error;
    const isAmbiguous = error.unresolved.result === "ambiguous";
    return resolveEach(parts, resolve).catch((question: unknown) => {
      throw isAmbiguous && question instanceof NameQuestion ? error : question;
    });
  }
}

export interface Match<Value> {
  value: Value;
  matchedBy: MatchedBy;
  /** Set if the spelling differs from the query, so the caller should say how the query was interpreted. */
  respelt?: true;
}

/** A certain match, several equally good matches, or no match and the nearest names. Never a guess. */
export type Resolution<Value> =
  | { result: "found"; match: Match<Value> }
  | { result: "ambiguous"; matches: Match<Value>[] }
  | { result: "notFound"; nearest: () => Promise<Value[]>; owner?: CodeOwner<Value> | undefined };

interface Query<Value> {
  words: readonly string[];
  tokens: readonly string[];
  /** The words joined into a code if they are contiguous in the query; empty otherwise. */
  code: string;
  /** Whether the query asks for a code that ends in these words. */
  isEnd: boolean;
  /** Returns the entities whose names contain all of the words, found once for all rules. */
  entriesWith: (similarity: Similarity) => Promise<readonly Found<Value>[]>;
  /** The time slices of the whole search. */
  slices: TimeSlices;
}

type Tier = <Value>(query: Query<Value>, index: NameIndex<Value>) => Promise<Hit<Value>[]>;

// A shorter number that matches part of a registration may have been meant as the number of a vehicle that does not exist.
const MIN_NUMBER_LENGTH = 4;

const ENDING = /(?<!\p{L})(?:ending|ends|endet|endend|terminant|finissant|termina|eindigt|konczy)(?!\p{L})/u;

/** No question offers a longer label. */
const MAX_LABEL_LENGTH = 200;

const BEFORE_NUMBERS = new Set(["is", "no", "nr"]);

/** Finds the entities whose names contain the words: as a whole name, within one name, or spread over several. */
const withWords =
  (similarity: Similarity, where: "whole" | "within" | "spread"): Tier =>
  async <Value>({ tokens, entriesWith, slices }: Query<Value>) => {
    const isWhole = (name: readonly string[]) =>
      name.length === tokens.length && name.every((word) => tokens.some((token) => isTypo(token, word)));
    const hits: Hit<Value>[] = [];
    await slices.each(await entriesWith(similarity), ({ entry, within }) => {
      const name = within ?? (where === "spread" ? entry.names[0] : undefined);
      if (name && (where !== "whole" || isWhole(name.tokens))) hits.push({ entry, by: name.by });
    });
    return hits;
  };

/** The matching rules, from certain to likely. The first rule that finds a match decides. */
const TIERS: readonly { find: Tier; respelt?: true }[] = [
  {
    find: async ({ code, tokens, slices }, index) => [...index.codesWritten(code), ...(await index.namesOf(tokens, "same", slices))],
  },
  { find: ({ tokens, slices }, index) => index.namesOf(tokens, "synonym", slices) },
  {
    find: async (query, index) => [
      ...(await withWords("same", "within")(query, index)),
      ...(await partOfCode(query.code, query.isEnd, index, query.slices)),
    ],
  },
  { find: ({ words, slices }, index) => codeAmongWords(words, index, slices) },
  { find: withWords("synonym", "within") },
  { find: withWords("synonym", "spread") },
  { find: ({ tokens, slices }, index) => index.namesBeginning(tokens, slices), respelt: true },
  { find: withWords("typo", "whole"), respelt: true },
  // Typos are tolerated only in words, because a different number is a different vehicle.
  { find: withWords("typo", "within"), respelt: true },
  { find: withWords("typo", "spread"), respelt: true },
];

/** Whether words are contiguous in a query, and not a number cut out of a registration: 1234 cannot be taken out of "de 1234". */
function isContiguous(words: readonly string[], among: readonly string[]): boolean {
  const at = among.findIndex((_, start) => words.every((word, offset) => among[start + offset] === word));
  if (at === -1) return false;
  const isCutOff = (neighbour: string | undefined, edge: string | undefined, maxLength: number) =>
    neighbour !== undefined && neighbour.length <= maxLength && !BEFORE_NUMBERS.has(neighbour) && isNumber(edge ?? "");
  return !isCutOff(among[at - 1], words[0], 2) && !isCutOff(among[at + words.length], words.at(-1), 3);
}

/** Returns variants of the query, longest first: as given, without filler words that occur in no name, and without any filler words. */
function queryVariants<Value>(text: string, index: NameIndex<Value>, slices: TimeSlices): Query<Value>[] {
  const clipped = text.slice(0, MAX_NAME_LENGTH);
  const all = rawWords(fold(clipped));
  const isEnd = ENDING.test(fold(clipped));
  const read = [all, withoutFillers(clipped, index.hasWord), withoutFillers(clipped)];
  const different = read.filter((words, at) => words.length > 0 && read.findIndex((other) => other.join(" ") === words.join(" ")) === at);
  return different.flatMap((words) => {
    const isWhole = isContiguous(words, all);
    const tokens = words.map(asToken);
    if (!isWhole && words.every(isNumber)) return [];
    const found = new Map<Similarity, Found<Value>[]>();
    const entriesOnce = async (similarity: Similarity) => {
      const entries = found.get(similarity) ?? (await entriesWith(tokens, similarity, index, slices));
      found.set(similarity, entries);
      return entries;
    };
    return [{ words, tokens, code: isWhole ? words.join("") : "", isEnd, entriesWith: entriesOnce, slices }];
  });
}

/** Returns the vehicles if a query names several, as in "truck 12 or 13"; otherwise none. */
async function separateVehicles<Value>(text: string, index: NameIndex<Value>, slices: TimeSlices): Promise<Match<Value>[]> {
  const parts = separateNames(text.slice(0, MAX_NAME_LENGTH));
  if (parts.length < 2) return [];
  const matches = new Map<Value, Match<Value>>();
  for (const part of parts) {
    const resolution = await bestOf(queryVariants(part, index, slices), index);
    if (resolution?.result !== "found") return [];
    matches.set(resolution.match.value, resolution.match);
  }
  return matches.size > 1 ? [...matches.values()] : [];
}

/** Returns the entities that a question offers by this label, which begins with their name or code, unless that is cut. */
async function entitiesLabelled<Value>(text: string, index: NameIndex<Value>, slices: TimeSlices): Promise<Entry<Value>[]> {
  const label = fold(text.trim());
  if (label.length > MAX_LABEL_LENGTH) return [];
  const found = new Set<Entry<Value>>();
  const consider = (entry: Entry<Value>) => {
    if (index.labelsOf(entry.value).some((other) => fold(other) === label)) found.add(entry);
  };
  for (const { index: end } of label.matchAll(/ \(|, /g)) {
    const beginning = label.slice(0, end);
    for (const { entry } of index.codesWritten(compact(beginning))) consider(entry);
    for (const { entry } of await index.namesOf(nameTokens(beginning), "same", slices)) consider(entry);
  }
  if (text.includes("…")) await slices.each(index.entries(), consider);
  return [...found];
}

/** Returns the result of the most certain rule that finds a match; undefined if none does. */
async function bestOf<Value>(
  queries: readonly Query<Value>[],
  index: NameIndex<Value>,
  tiers = TIERS,
): Promise<Resolution<Value> | undefined> {
  for (const { find, respelt } of tiers) {
    for (const query of queries) {
      // The last hit of an entity counts.
      const byEntry = new Map<Entry<Value>, Match<Value>>();
      await query.slices.each(await find(query, index), ({ entry, by: matchedBy }) =>
        byEntry.set(entry, { value: entry.value, matchedBy, ...(respelt && { respelt }) }),
      );
      const matches = [...byEntry.values()];
      const [match] = matches;
      if (!match) continue;
      if (matches.length > 1) return { result: "ambiguous", matches };
      if (match.matchedBy === "registration" && isNumber(query.code) && query.code.length < MIN_NUMBER_LENGTH)
        return { result: "notFound", nearest: async () => [match.value] };
      return { result: "found", match };
    }
  }
  return undefined;
}

/**
 * Resolves a name or code to the entity that the user means, or reports that the match is not certain. In a large fleet this takes several
 * time slices, between which the index may change.
 */
export async function resolveName<Value>(text: string, index: NameIndex<Value>): Promise<Resolution<Value>> {
  const slices = new TimeSlices();
  const queries = queryVariants(text, index, slices);
  const exact = await bestOf(queries.slice(0, 1), index, TIERS.slice(0, 1));
  if (exact) return exact;
  const [labelled, ...more] = await entitiesLabelled(text, index, slices);
  if (labelled && more.length === 0) {
    const { value } = labelled;
    const byWords = await bestOf(queries, index);
    const isSame = byWords?.result === "found" && byWords.match.value === value;
    return isSame ? byWords : { result: "found", match: { value, matchedBy: "name" } };
  }
  const apart = await separateVehicles(text, index, slices);
  if (apart.length > 0) return { result: "ambiguous", matches: apart };
  const best = await bestOf(queries, index);
  if (best) return best;
  const last = queries.at(-1);
  return {
    result: "notFound",
    owner: last && codeOwner(last.words, index),
    nearest: async () => (last ? nearestNames(last, index) : []),
  };
}
