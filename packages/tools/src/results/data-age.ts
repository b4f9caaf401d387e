import type { ToolResult } from "./tool-result.ts";

const lineOf = (seconds: number) => `\nRead ${seconds} s ago.`;
const fieldOf = (seconds: number) => ({ readSecondsAgo: seconds });

/** What {@link withAge} adds to a result in tokens, in its text and its record together. */
export function ageTokens(seconds: number): number {
  // Without the quotes of the line, and without a brace of the field: a comma stands for the other one.
  return Math.ceil((JSON.stringify(lineOf(seconds)).length - 2 + JSON.stringify(fieldOf(seconds)).length - 1) / 4);
}

/** A result that says how old is what it was computed from. */
export function withAge({ text, structured }: ToolResult, seconds: number): ToolResult {
  return { text: text + lineOf(seconds), structured: { ...structured, ...fieldOf(seconds) } };
}

/** The schema of a record that {@link withAge} may have added to. */
export function schemaWithAge({ properties, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const readSecondsAgo = { type: "integer", description: "Age of what was read; absent where it was read anew" };
  return { ...schema, properties: { ...(properties as object), readSecondsAgo } };
}
