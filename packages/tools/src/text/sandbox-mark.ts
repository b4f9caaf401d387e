import type { ToolFailure, ToolQuestion, ToolResult } from "../model/tool-result.ts";

/** The source of a result. */
interface Origin {
  /** Whether the fleet is the sandbox's. */
  sandbox?: boolean | undefined;
}

const MARK = "[sandbox] ";
const FIELD = { sandbox: true };

/** The number of tokens that the mark adds to the text and the record together. */
export const MARK_TOKENS = Math.ceil((MARK.length + JSON.stringify(FIELD).length) / 4);

/** Marks text from the sandbox. The record is marked too, because a host may show the model only one of them. */
export function markedText(text: string, { sandbox }: Origin): string {
  return sandbox ? `${MARK}${text}` : text;
}

/** Marks a record from the sandbox. */
export function markedRecord(record: Record<string, unknown>, { sandbox }: Origin): Record<string, unknown> {
  return sandbox ? { ...FIELD, ...record } : record;
}

/** Marks a result, failure or question from the sandbox. */
export function marked<Result extends ToolResult | ToolFailure | ToolQuestion>(result: Result, origin: Origin): Result {
  if (!origin.sandbox) return result;
  const entries = Object.entries(result).map(([name, value]) => {
    if (name === "structured") return [name, value === undefined ? undefined : markedRecord(value as Record<string, unknown>, origin)];
    // A question's state is signed and never shown.
    return [name, name === "state" ? value : markedText(String(value), origin)];
  });
  return Object.fromEntries(entries) as Result;
}
