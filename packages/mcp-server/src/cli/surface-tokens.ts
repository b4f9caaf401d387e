import type { Tool } from "../tool.ts";

/** What a tool costs a model on every turn, estimated as characters / 4 of its name, description and input schema. */
export function surfaceTokens({ name, description, inputSchema }: Tool): number {
  return Math.ceil(JSON.stringify({ name, description, inputSchema }).length / 4);
}
