import type { ToolFailure, ToolQuestion, ToolResult } from "./tool-result.ts";

/** Whether the fleet is that of the sandbox. */
interface Origin {
  sandbox?: boolean | undefined;
}

const MARK = "[sandbox] ";
const FIELD = { sandbox: true };

/** The tokens that the mark adds to text and record together. */
export const MARK_TOKENS = Math.ceil((MARK.length + JSON.stringify(FIELD).length) / 4);

/** Marks text of the sandbox. Text and record are both marked, as hosts may show a model only one of them. */
export function markedText(text: string, { sandbox }: Origin): string {
  return sandbox ? `${MARK}${text}` : text;
}

/** Marks a record of the sandbox. */
export function markedRecord(record: Record<string, unknown>, { sandbox }: Origin): Record<string, unknown> {
  return sandbox ? { ...FIELD, ...record } : record;
}

/** Marks a result, failure or question of the sandbox. */
export function marked<Result extends ToolResult | ToolFailure | ToolQuestion>(result: Result, origin: Origin): Result {
  if (!origin.sandbox) return result;
  const entries = Object.entries(result).map(([name, value]) => {
    if (name === "structured") return [name, value === undefined ? undefined : markedRecord(value as Record<string, unknown>, origin)];
    // The state of a question is signed and never shown.
    return [name, name === "state" ? value : markedText(String(value), origin)];
  });
  return Object.fromEntries(entries) as Result;
}
