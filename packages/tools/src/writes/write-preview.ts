import { FleetError } from "@fleetwire/core";
import { visibleText } from "../results/visible-text.ts";
import type { PlannedWrite, PreviewLine, WriteTool } from "../tool.ts";

/** A text with no invisible part, in quotes where its ends would not be seen, or where it is one of a list: an entry may hold what stands between two. */
const quoted = (text: string) => `"${visibleText(text).replaceAll('"', '\\"')}"`;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === "string" ? quoted(entry) : shown(entry))).join(", ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^$|^[\s"]|\s$/.test(text) ? quoted(text) : visibleText(text);
}

const lineOf = (line: PreviewLine) => (typeof line === "string" ? visibleText(line) : `${line.field}: ${shown(line.value)}`);

/** What a write would send, a line each, to its last letter: whoever approves it approves all of it. Each code point without a visible form is an escape. */
export async function previewOf(tool: WriteTool, plan: PlannedWrite, number: string | undefined): Promise<string[]> {
  const field = tool.operation.idempotencyKey?.field;
  const lines = await plan.preview();
  return [`${tool.title}:`, ...lines, ...(number !== undefined && field ? [{ field, value: number }] : [])].map(lineOf);
}

/** Refuses what is too long to be shown whole. */
export function tooLongToShow(tool: WriteTool, preview: readonly string[], more: string): FleetError {
  const [longest = ""] = preview.toSorted((a, b) => b.length - a.length);
  const [field] = longest.split(":");
  return new FleetError("input", `${tool.name}: it is too long to be shown whole for approval, ${field} above all; nothing was sent`, {
    advice: `Shorten ${field}${more}`,
  });
}
