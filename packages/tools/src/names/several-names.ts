import { NameQuestion } from "../results/name-question.ts";

/** The most names that an argument may have. */
export const MAX_NAMES = 50;

const SEPARATORS = /\s*[,;/&+]\s*|\s+(?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub|oraz)\s+/iu;

/** Resolves names. A text that is no name by itself may consist of several: "truck 12 and 13" are two trucks. */
export async function resolveSeveral<Value>(
  given: string | readonly string[],
  resolve: (name: string) => Promise<Value>,
): Promise<Value[]> {
  if (typeof given !== "string") return Promise.all(given.map(resolve));
  try {
    return [await resolve(given)];
  } catch (error) {
    const parts = given.split(SEPARATORS).filter((part) => part.trim() !== "");
    if (!(error instanceof NameQuestion) || parts.length < 2 || parts.length > MAX_NAMES) throw error;
    const kind = /^\D*/.exec(parts[0] ?? "")?.[0].trim() ?? "";
    return Promise.all(parts.map((part) => resolve(/^\d+$/.test(part) ? `${kind} ${part}` : part)));
  }
}
