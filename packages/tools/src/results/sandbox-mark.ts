import type { ToolFailure, ToolQuestion, ToolResult } from "./tool-result.ts";

/** Whether the fleet behind the tools is made up. */
interface Origin {
  sandbox?: boolean | undefined;
}

const MARK = "[sandbox] ";
const FIELD = { sandbox: true };

/** What the mark adds to a result in tokens, in its text and its record together. */
export const MARK_TOKENS = Math.ceil((MARK.length + JSON.stringify(FIELD).length) / 4);

/** A text that says where it is from, if that is the sandbox: hosts show their model a text alone, or a record alone. */
export function markedText(text: string, { sandbox }: Origin): string {
  return sandbox ? `${MARK}${text}` : text;
}

/** A record that says where it is from, if that is the sandbox. */
export function markedRecord(record: Record<string, unknown>, { sandbox }: Origin): Record<string, unknown> {
  return sandbox ? { ...FIELD, ...record } : record;
}

/** A result, failure or question that says where it is from, in its text and in its record. */
export function marked<Result extends ToolResult | ToolFailure | ToolQuestion>(result: Result, origin: Origin): Result {
  if (!origin.sandbox) return result;
  const entries = Object.entries(result).map(([name, value]) => {
    if (name === "structured") return [name, value === undefined ? undefined : markedRecord(value as Record<string, unknown>, origin)];
    // The state of a question is signed, and shown to nobody.
    return [name, name === "state" ? value : markedText(String(value), origin)];
  });
  return Object.fromEntries(entries) as Result;
}
