import type { FleetErrorCode } from "@fleetwire/core";
import { singleLine } from "./text-cell.ts";
import { safeLines, safeValue } from "./visible-text.ts";

/** Text for reading and a record for programs: each suffices alone. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown>;
}

/** A result that is computed and still has to be fitted into a budget, in tokens. */
export type Rendering = (budget: number) => ToolResult;

/** What a program may read of a failure. */
export interface FailureRecord {
  /** In which way it failed; `internal` where Fleetwire itself did. */
  code: FleetErrorCode | "internal";
  /** Whether the call may have changed something at the service. */
  changed: "no" | "unknown";
  /** The number that a failed job creation carried. */
  jobNumber?: string;
  /** HTTP status, where a response came. */
  status?: number;
  /** Milliseconds after which the service asked to be tried again. */
  retryAfter?: number;
}

/** A failure, in words that name the next step. */
export interface ToolFailure {
  error: string;
  structured: { error: FailureRecord };
}

/** A question to the user, and the state that has to come back with the reply. */
export interface ToolQuestion {
  ask: string;
  state: string;
}

/** A result as it leaves the process, to a host or a terminal: nothing in it acts unseen (results/visible-text.ts). */
export function safeResult<Result extends ToolResult | Pick<ToolFailure, "error"> | ToolQuestion>(result: Result): Result {
  const safe = Object.entries(result).map(([part, value]) => [
    part,
    // A record has no lines of its own; what else there is was made of lines.
    typeof value === "string" ? safeLines(value) : safeValue(value),
  ]);
  return Object.fromEntries(safe) as Result;
}

// Around both stand content, its type, the names of the members and, in the newest revision, the server's own name and version.
const ENVELOPE = 200;

/** The size of a result in tokens, estimated as characters / 4 of all that a model may see of it. */
export function resultTokens(result: ToolResult | Pick<ToolFailure, "error">): number {
  const safe = safeResult(result);
  const seen = "error" in safe ? [safe.error] : [safe.text, safe.structured];
  const characters = seen.reduce((sum, part) => sum + JSON.stringify(part).length, 0);
  return Math.ceil((characters + ENVELOPE) / 4);
}

/** The largest count from `least` to `most` whose result fits the budget, found by halving; undefined where none does. */
export function largestFitting<Result extends ToolResult | Pick<ToolFailure, "error">>(
  most: number,
  budget: number,
  resultOf: (count: number) => Result,
  least = 0,
): Result | undefined {
  let best: Result | undefined;
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

const isQuotation = (sentence: string) => sentence.endsWith("”");

/**
 * What has to be said beside a result, in the order of its weight; what the service said goes last, so that no sentence of ours stands behind it. It takes
 * a quarter of the budget at most, in text and structure together.
 */
export function noteOf(sentences: readonly string[], budget: number): string | undefined {
  const inOrder = [...sentences.filter((sentence) => !isQuotation(sentence)), ...sentences.filter(isQuotation)];
  return inOrder.length > 0 ? singleLine(inOrder.join(" "), Math.floor(budget / 2)) : undefined;
}

export const leftOut = (fields: readonly string[]) => `Left out for FLEET_MAX_RESULT_TOKENS: ${fields.join(", ")}.`;
