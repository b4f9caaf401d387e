import { plainText } from "./cell.ts";

/** Text for reading and a record for programs: each suffices alone. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown>;
}

/** A refusal, in words that name the next step. */
export interface ToolFailure {
  error: string;
}

// Around both stand content, its type, the names of the members and, in the newest revision, the server's own name and version.
const ENVELOPE = 200;

/** The size of a result in tokens, estimated as characters / 4 of all that a model may see of it. */
export function resultTokens(result: ToolResult | ToolFailure): number {
  const characters =
    "error" in result ? JSON.stringify(result.error).length : JSON.stringify(result.text).length + JSON.stringify(result.structured).length;
  return Math.ceil((characters + ENVELOPE) / 4);
}

/** The largest count from `least` to `most` whose result fits the budget, found by halving; undefined where none does. */
export function largestFitting(most: number, budget: number, resultOf: (count: number) => ToolResult, least = 0): ToolResult | undefined {
  let best: ToolResult | undefined;
  // Everything first: it mostly fits, and then nothing needs to be halved.
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

/** What has to be said beside a result, in the order of its weight. It takes a quarter of the budget at most, in text and structure together. */
export function noteOf(sentences: readonly string[], budget: number): string | undefined {
  return sentences.length > 0 ? plainText(sentences.join(" "), Math.floor(budget / 2)) : undefined;
}

export const leftOut = (fields: readonly string[]) => `Left out for FLEET_MAX_RESULT_TOKENS: ${fields.join(", ")}.`;
