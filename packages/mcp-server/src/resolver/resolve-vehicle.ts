import type { Position } from "../privacy.ts";
import { alike, compact, editDistance, isNumber, nameTokens, runTogether, withoutFillers } from "./name-tokens.ts";

/** How a vehicle was recognised. */
export type MatchedBy = "name" | "registration" | "vin" | "id" | "driver";

export interface Match {
  position: Position;
  matchedBy: MatchedBy;
  /** The spelling differs: whoever asked should hear how they were read. */
  respelt?: true;
}

/** One sure answer, several equally good ones, or none with the nearest names. Never a guess. */
export type Resolution =
  | { result: "found"; match: Match }
  | { result: "ambiguous"; matches: Match[] }
  | { result: "notFound"; nearest: Position[] };

interface Candidate {
  position: Position;
  name: readonly string[];
  driver: readonly string[];
  registration: string;
}

interface Query {
  tokens: readonly string[];
  compact: string;
  /** Finds it in a registration without cutting a number: 123 is not in 1234. */
  part: RegExp;
}

function toQuery(text: string): Query {
  const letters = compact(text);
  return { tokens: nameTokens(text), compact: letters, part: new RegExp(`(?<!\\d(?=\\d))${letters}(?!(?<=\\d)\\d)`) };
}

const SHORTEST_PARTIAL_REGISTRATION = 3;

/** No name that a person says is longer; what is, would take long to compare. */
const LONGEST = 100;

const start = (text = "") => text.slice(0, LONGEST);

const toCandidate = (position: Position): Candidate => ({
  position,
  name: nameTokens(start(position.assetName)),
  driver: nameTokens(start(position.driverName)),
  registration: compact(start(position.assetRegistration)),
});

const sameTokens = (a: readonly string[], b: readonly string[]) =>
  a.length > 0 && (runTogether(a) === runTogether(b) || (a.length === b.length && [...a].sort().join(" ") === [...b].sort().join(" ")));

type Same = (a: string, b: string) => boolean;

/** Each word that a number follows, with that number. */
const numberedWords = (tokens: readonly string[]) =>
  tokens.flatMap((token, at): [string, string][] => {
    const word = tokens[at - 1];
    return word !== undefined && isNumber(token) && !isNumber(word) ? [[word, token]] : [];
  });

/** Whether each word is in the name, and none has another number there: "truck 4" is not "Truck 12 Trailer 4". */
function eachIn(query: readonly string[], tokens: readonly string[], same: Same): boolean {
  if (tokens.length === 0 || !query.every((word) => tokens.some((token) => same(word, token)))) return false;
  const there = numberedWords(tokens);
  return numberedWords(query).every(([word, number]) => {
    const numbers = there.filter(([other]) => same(word, other)).map(([, other]) => other);
    return numbers.length === 0 || numbers.includes(number);
  });
}

/** The ways to recognise a vehicle, from certain to likely. The first that fits any vehicle decides. */
const TIERS: readonly ((query: Query, candidate: Candidate) => MatchedBy | undefined)[] = [
  (query, { position, name, driver, registration }) => {
    if (query.compact === compact(start(position.assetId))) return "id";
    if (query.compact === compact(start(position.assetVin))) return "vin";
    if (query.compact === registration) return "registration";
    if (sameTokens(query.tokens, name)) return "name";
    return sameTokens(query.tokens, driver) ? "driver" : undefined;
  },
  (query, { name, driver, registration }) => {
    if (eachIn(query.tokens, name, (a, b) => a === b)) return "name";
    if (eachIn(query.tokens, driver, (a, b) => a === b)) return "driver";
    const partial = query.compact.length >= SHORTEST_PARTIAL_REGISTRATION && query.part.test(registration);
    return partial ? "registration" : undefined;
  },
  (query, { name, driver }) => {
    // A slip is forgiven in words only: a number that differs is another vehicle.
    if (query.tokens.every(isNumber)) return undefined;
    if (eachIn(query.tokens, name, alike)) return "name";
    return eachIn(query.tokens, driver, alike) ? "driver" : undefined;
  },
];

const SPELLING_TIER = TIERS.length - 1;

function nearest(query: Query, candidates: readonly Candidate[], count: number): Position[] {
  const wanted = query.tokens.join(" ");
  return candidates
    .map(({ position, name, driver }) => {
      const distances = [name, driver].filter((tokens) => tokens.length > 0).map((tokens) => editDistance(wanted, tokens.join(" ")));
      return { position, distance: Math.min(...distances) };
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ position }) => position);
}

/** The latest record of each vehicle: a list may hold one twice. */
function latestOfEach(positions: readonly Position[]): Position[] {
  const latest = new Map<unknown, Position>();
  for (const position of positions) {
    const key = position.assetId ?? position;
    const known = latest.get(key);
    if (!known || (known.date ?? "") < (position.date ?? "")) latest.set(key, position);
  }
  return [...latest.values()];
}

/** Finds the vehicle that a person means by a name, registration, VIN, id or driver's name. */
export function resolveVehicle(text: string, positions: readonly Position[]): Resolution {
  const candidates = latestOfEach(positions).map(toCandidate);
  const said = toQuery(start(text));
  const meant = toQuery(withoutFillers(start(text)));
  for (const [at, tier] of TIERS.entries()) {
    for (const query of [said, meant]) {
      if (query.tokens.length === 0) continue;
      const matches = candidates.flatMap((candidate): Match[] => {
        const matchedBy = tier(query, candidate);
        return matchedBy ? [{ position: candidate.position, matchedBy, ...(at === SPELLING_TIER && { respelt: true }) }] : [];
      });
      const [match, ...others] = matches;
      if (match && others.length === 0) return { result: "found", match };
      if (match) return { result: "ambiguous", matches };
    }
  }
  return { result: "notFound", nearest: nearest(meant, candidates, 3) };
}
