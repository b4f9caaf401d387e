import type { ToolResult } from "./tool-result.ts";

const lineOf = (seconds: number) => `\nRead ${seconds} s ago.`;
const fieldOf = (seconds: number) => ({ readSecondsAgo: seconds });

/** The tokens that {@link withAge} adds to text and record together. */
export function ageTokens(seconds: number): number {
  // Without the quotes of the line, and with a comma instead of the field's braces.
  return Math.ceil((JSON.stringify(lineOf(seconds)).length - 2 + JSON.stringify(fieldOf(seconds)).length - 1) / 4);
}

/** Adds the age of the underlying data to a result. */
export function withAge({ text, structured }: ToolResult, seconds: number): ToolResult {
  return { text: text + lineOf(seconds), structured: { ...structured, ...fieldOf(seconds) } };
}

/** Adds the field of {@link withAge} to an output schema. */
export function schemaWithAge({ properties, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const readSecondsAgo = { type: "integer", description: "Age of the data; absent if just read" };
  return { ...schema, properties: { ...(properties as object), readSecondsAgo } };
}
