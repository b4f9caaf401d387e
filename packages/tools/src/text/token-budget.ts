import type { ToolFailure, ToolResult } from "../model/tool.ts";
import { singleLine } from "./clip-values.ts";
import { safeResult } from "./visible-text.ts";

// Characters around the text and the record in a response: content type, field names and, in the latest MCP revision, the server's name and
// version.
const ENVELOPE = 200;

/** Cached sizes of results, which are needed to cut a result to its budget, before it is returned, and for the log. */
const sizes = new WeakMap<object, number>();

/** The size of a result in tokens, estimated as a quarter of the characters that a model may see. A result must not change afterwards. */
export function resultTokens(result: ToolResult | Pick<ToolFailure, "error">): number {
  const existing = sizes.get(result);
  if (existing !== undefined) return existing;
  const safe = safeResult(result);
  const seen = "error" in safe ? [safe.error] : [safe.text, safe.structured];
  const characters = seen.reduce((sum, part) => sum + JSON.stringify(part).length, 0);
  const tokens = Math.ceil((characters + ENVELOPE) / 4);
  sizes.set(result, tokens);
  return tokens;
}

/** Finds the highest count from `min` to `max` whose result fits the budget, and returns that result; undefined if none fits. */
export function largestWithinBudget<Result extends ToolResult>(
  max: number,
  budget: number,
  resultOf: (count: number) => Result,
  min = 0,
): Result | undefined {
  let best: Result | undefined;
  // Tries `max` first: everything usually fits, and no bisection is needed.
  for (let [low, high, count] = [min, max, max]; low <= high; count = Math.floor((low + high) / 2)) {
    const result = resultOf(count);
    if (resultTokens(result) <= budget) {
      best = result;
      low = count + 1;
    } else {
      high = count - 1;
    }
  }
  return best;
}

const isQuotation = (sentence: string) => sentence.endsWith("”");

/**
 * Joins sentences into a result's note. The note appears in both text and record, and is cut so that both together take up at most a
 * quarter of the budget. Pass the most important sentences first. Quotations from the service go last, so that none of our sentences
 * follows them.
 */
export function noteWithinBudget(sentences: readonly string[], budget: number): string | undefined {
  const inOrder = [...sentences.filter((sentence) => !isQuotation(sentence)), ...sentences.filter(isQuotation)];
  return inOrder.length > 0 ? singleLine(inOrder.join(" "), Math.floor(budget / 2)) : undefined;
}

export const leftOutNote = (fields: readonly string[]) => `Left out to fit FLEET_MAX_RESULT_TOKENS: ${fields.join(", ")}.`;
