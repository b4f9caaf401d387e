/** Text for reading and a record for programs: each suffices alone. */
export interface ToolResult {
  text: string;
  structured: Record<string, unknown>;
}

/** A refusal, in words that name the next step. */
export interface ToolFailure {
  error: string;
}

/** The size of a result in tokens, estimated as characters / 4 of all that goes over the wire. */
export function resultTokens(result: ToolResult | ToolFailure): number {
  const characters =
    "error" in result ? JSON.stringify(result.error).length : JSON.stringify(result.text).length + JSON.stringify(result.structured).length;
  // The envelope around both: content, its type, the names of the members.
  return Math.ceil((characters + 80) / 4);
}

/** The largest count up to `most` whose result fits the budget, found by halving; undefined where not even none fits. */
export function largestFitting(most: number, budget: number, resultOf: (count: number) => ToolResult): ToolResult | undefined {
  let best: ToolResult | undefined;
  let [low, high] = [0, most];
  while (low <= high) {
    // Everything first: it mostly fits, and then nothing needs to be halved.
    const count = best === undefined && high === most && low === 0 ? most : Math.floor((low + high) / 2);
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
