import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ToolDescription } from "@fleetwire/tools";

/** What a model sees of a tool on every turn. */
export function surfaceOf({ name, description, inputSchema }: { name: string; description: string; inputSchema: object }): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** Tells one surface from another. */
export function surfaceDigest(surface: string): string {
  return createHash("sha256").update(surface).digest("hex").slice(0, 12);
}

/** Tokens of each tool's surface as they were last counted, committed beside the code: a tokenizer takes 30 MB, which no user needs. */
export type SurfaceBaseline = Record<string, { tokens: number; surface: string }>;

export function readSurfaceBaseline(): SurfaceBaseline {
  return JSON.parse(readFileSync(new URL("../../surface.json", import.meta.url), "utf8")) as SurfaceBaseline;
}

export interface SurfaceCost {
  tokens: number;
  /** Counted by the tokenizer, or characters / 4 where the surface changed since. */
  counted: boolean;
  change: number | undefined;
}

/** What a tool costs, and the change against the baseline. */
export function surfaceCost({ name, description, inputJsonSchema }: ToolDescription, baseline: SurfaceBaseline): SurfaceCost {
  const surface = surfaceOf({ name, description, inputSchema: inputJsonSchema });
  const known = baseline[name];
  if (known?.surface === surfaceDigest(surface)) return { tokens: known.tokens, counted: true, change: 0 };
  const tokens = Math.ceil(surface.length / 4);
  return { tokens, counted: false, change: known && tokens - known.tokens };
}
