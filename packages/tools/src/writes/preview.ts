import { FleetError, previewRequest } from "@fleetwire/core";
import type { ToolResult } from "../model/tool-result.ts";
import { type ClipLimits, clipped, DEFAULT_LIMITS, TIGHT_LIMITS } from "../text/clip-values.ts";
import { resultTokens } from "../text/token-budget.ts";
import { visibleJson, visibleText, visibleValue } from "../text/visible-text.ts";
import { numberedInput } from "./job-number.ts";
import type { ApprovedTool, PlannedWrite, PreviewLine, ToolContext, WriteTool } from "./write-tool.ts";

/**
 * Quotes a string and escapes its invisible characters. For strings whose beginning or end would not be visible, and for entries of a list,
 * which may contain the separator.
 */
const quoted = (text: string) => `"${visibleText(text).replaceAll('"', '\\"')}"`;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === "string" ? quoted(entry) : shown(entry))).join(", ");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^$|^[\s"]|\s$/.test(text) ? quoted(text) : visibleText(text);
}

const lineOf = (line: PreviewLine) => (typeof line === "string" ? visibleText(line) : `${line.field}: ${shown(line.value)}`);

/** The line without escapes, which is never longer than the one shown. */
function unescaped(line: PreviewLine): string {
  if (typeof line === "string") return line;
  const texts = (Array.isArray(line.value) ? line.value : [line.value]).filter((value) => typeof value === "string");
  return `${line.field}: ${texts.join("")}`;
}

/**
 * Returns everything that a write would send, one field per line. Nothing is shortened, because the user approves all of it. Code points
 * without a visible form are escaped, unless the preview would certainly be longer than `max` characters: then it throws.
 */
export async function previewOf(tool: ApprovedTool, plan: PlannedWrite, max = Number.POSITIVE_INFINITY, more = ""): Promise<string[]> {
  const field = tool.operation?.idempotencyKey?.field;
  const lines = await plan.preview();
  const texts = lines.map(unescaped);
  if (texts.reduce((sum, { length }) => sum + length, 0) > max) throw tooLongToShow(tool, texts, more);
  const number = plan.number !== undefined && field ? [{ field, value: plan.number }] : [];
  return [`${tool.title}:`, ...lines, ...number].map(lineOf);
}

/** Returns the error for a write that is too long to show in full. */
export function tooLongToShow(tool: ApprovedTool, preview: readonly string[], more = ""): FleetError {
  const [longest = ""] = preview.toSorted((a, b) => b.length - a.length);
  const [field] = longest.split(":");
  return new FleetError("input", `${tool.name}: too long to show in full for approval, mostly because of ${field}; nothing was sent`, {
    advice: `Shorten ${field}${more}`,
  });
}

/** Returns the exact request and the preview of a write, without sending it. */
export async function dryRunResult(tool: WriteTool, plan: PlannedWrite, { settings }: ToolContext): Promise<ToolResult> {
  const { method, path, query, body } = previewRequest(tool.operation, numberedInput(tool, plan), settings.customerId);
  const parameters = new URLSearchParams(query).toString();
  const preview = await previewOf(tool, plan);
  const resultOf = (limits: ClipLimits | undefined): ToolResult => {
    const shown = limits === undefined ? { query, body } : { query: clipped(query, limits), body: clipped(body, limits) };
    const headline = `Dry run of ${tool.name}: the arguments are valid; nothing was sent.`;
    const shortened = "Shortened to fit FLEET_MAX_RESULT_TOKENS: long strings end in …, and lists are cut.";
    const note = [headline, ...(plan.unchecked ?? []), ...(limits ? [shortened] : [])].join(" ");
    const line = `${method} ${path}${parameters === "" || limits ? "" : `?${parameters}`}`;
    const lines = limits ? [] : preview;
    return {
      text: [note, line, visibleJson(shown.body), ...lines].join("\n"),
      structured: {
        result: "dryRun",
        request: { method, path, ...(visibleValue(shown) as object) },
        ...(lines.length > 0 && { preview: lines }),
        note,
      },
    };
  };
  const fits = (result: ToolResult) => resultTokens(result) <= settings.maxResultTokens;
  return [undefined, DEFAULT_LIMITS].map(resultOf).find(fits) ?? resultOf(TIGHT_LIMITS);
}
