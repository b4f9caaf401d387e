import { previewRequest } from "@fleetwire/core";
import type { ToolResult } from "../model/tool-result.ts";
import { type ClipLimits, clipped, DEFAULT_LIMITS, TIGHT_LIMITS } from "../text/clip-values.ts";
import { resultTokens } from "../text/token-budget.ts";
import { visibleJson, visibleValue } from "../text/visible-text.ts";
import { previewOf } from "./write-preview.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

/** Returns the exact request and the preview of a write, without sending it. */
export async function dryRunResult(
  tool: WriteTool,
  plan: PlannedWrite,
  { input, number }: { input: Record<string, unknown>; number: string | undefined },
  context: ToolContext,
): Promise<ToolResult> {
  const { settings } = context;
  const { method, path, query, body } = previewRequest(tool.operation, input, settings.customerId);
  const parameters = new URLSearchParams(query).toString();
  const preview = await previewOf(tool, plan, number);
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
  const whole = resultOf(undefined);
  if (resultTokens(whole) <= settings.maxResultTokens) return whole;
  const usual = resultOf(DEFAULT_LIMITS);
  return resultTokens(usual) <= settings.maxResultTokens ? usual : resultOf(TIGHT_LIMITS);
}
