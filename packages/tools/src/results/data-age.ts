import type { ToolResult } from "./tool-result.ts";

const lineOf = (seconds: number) => `\nRead ${seconds} s ago.`;
const fieldOf = (seconds: number) => ({ readSecondsAgo: seconds });

/** The number of tokens that {@link withAge} adds to the text and the record together. */
export function ageTokens(seconds: number): number {
  // The line's quotes do not count, and the field adds a comma instead of its two braces.
  return Math.ceil((JSON.stringify(lineOf(seconds)).length - 2 + JSON.stringify(fieldOf(seconds)).length - 1) / 4);
}

/** Adds the age of its data to a result. */
export function withAge({ text, structured }: ToolResult, seconds: number): ToolResult {
  return { text: text + lineOf(seconds), structured: { ...structured, ...fieldOf(seconds) } };
}

/** Adds the field set by {@link withAge} to an output schema. */
export function schemaWithAge({ properties, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const readSecondsAgo = { type: "integer", description: "Age of the data; absent if just read" };
  return { ...schema, properties: { ...(properties as object), readSecondsAgo } };
}
