import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ToolDescription } from "@fleetwire/tools";

/** The part of a tool that a model reads on every turn. */
export function toolDefinition({ name, description, inputSchema }: { name: string; description: string; inputSchema: object }): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** A short hash that identifies a definition. */
export function definitionDigest(definition: string): string {
  return createHash("sha256").update(definition).digest("hex").slice(0, 12);
}

/** Token counts of the tool definitions, committed with the code so that users do not need a tokenizer, which takes 30 MB. */
export type TokenCosts = Record<string, { tokens: number; digest: string }>;

export function readTokenCosts(): TokenCosts {
  return JSON.parse(readFileSync(new URL("../../token-costs.json", import.meta.url), "utf8")) as TokenCosts;
}

interface TokenCost {
  tokens: number;
  /** False if the definition has changed since the last count; `tokens` is then estimated as characters / 4. */
  counted: boolean;
  change: number | undefined;
}

/** Returns a tool's token cost, and its change since the last count. */
export function tokenCost({ name, description, inputJsonSchema }: ToolDescription, lastCounted: TokenCosts): TokenCost {
  const definition = toolDefinition({ name, description, inputSchema: inputJsonSchema });
  const known = lastCounted[name];
  if (known?.digest === definitionDigest(definition)) return { tokens: known.tokens, counted: true, change: 0 };
  const tokens = Math.ceil(definition.length / 4);
  return { tokens, counted: false, change: known && tokens - known.tokens };
}
