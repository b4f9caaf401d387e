import { TimeSlices } from "../runtime/time-slices.ts";
import { NameQuestion } from "./name-question.ts";

/** The most names that an argument may have. */
export const MAX_NAMES = 50;

const CONNECTORS = / (?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub|oraz) | ?[/&;+] ?/iu;
const COMMAS = new RegExp(`,|${CONNECTORS.source}`, "iu");

/** Splits a text that may hold several names. A number after the first one is of its kind: "truck 12 and 13" are two trucks. */
export function separateNames(text: string, separator = CONNECTORS): string[] {
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
