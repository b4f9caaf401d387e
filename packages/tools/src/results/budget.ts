import { singleLine } from "./clip-values.ts";
import { safeResult, type ToolFailure, type ToolResult } from "./tool-result.ts";

// Allows for what surrounds text and record: content, its type, field names and, in the latest MCP revision, the server's name and version.
const ENVELOPE = 200;

/** The size of a result in tokens, estimated as characters / 4 of everything a model may see of it. */
export function resultTokens(result: ToolResult | Pick<ToolFailure, "error">): number {
  const safe = safeResult(result);
  const seen = "error" in safe ? [safe.error] : [safe.text, safe.structured];
  const characters = seen.reduce((sum, part) => sum + JSON.stringify(part).length, 0);
  return Math.ceil((characters + ENVELOPE) / 4);
}

/** The result with the highest count from `least` to `most` that fits the budget, found by bisection; undefined if none fits. */
export function largestWithinBudget<Result extends ToolResult | Pick<ToolFailure, "error">>(
  most: number,
  budget: number,
  resultOf: (count: number) => Result,
  least = 0,
): Result | undefined {
  let best: Result | undefined;
  // Starts with everything: usually it fits, and nothing has to be bisected.
  for (let [low, high, count] = [least, most, most]; low <= high; count = Math.floor((low + high) / 2)) {
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
 * The note of a result, cut to a quarter of the budget in text and record together. Sentences come in order of importance; quotations of the service go last,
 * so that none of our sentences follows them.
 */
export function noteWithinBudget(sentences: readonly string[], budget: number): string | undefined {
  const inOrder = [...sentences.filter((sentence) => !isQuotation(sentence)), ...sentences.filter(isQuotation)];
  return inOrder.length > 0 ? singleLine(inOrder.join(" "), Math.floor(budget / 2)) : undefined;
}

export const leftOutNote = (fields: readonly string[]) => `Left out for FLEET_MAX_RESULT_TOKENS: ${fields.join(", ")}.`;
