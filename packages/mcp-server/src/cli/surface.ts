import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Tool } from "@fleetwire/tools/host";

/** What a model sees of a tool on every turn. */
export function surfaceOf({ name, description, inputSchema }: Pick<Tool, "name" | "description" | "inputSchema">): string {
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
export function surfaceCost(tool: Tool, baseline: SurfaceBaseline): SurfaceCost {
  const surface = surfaceOf(tool);
  const known = baseline[tool.name];
  if (known?.surface === surfaceDigest(surface)) return { tokens: known.tokens, counted: true, change: 0 };
  const tokens = Math.ceil(surface.length / 4);
  return { tokens, counted: false, change: known && tokens - known.tokens };
}
