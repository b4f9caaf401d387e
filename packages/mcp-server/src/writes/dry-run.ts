import { previewRequest } from "@fleetwire/core";
import { hideDriverNames } from "../driver-names.ts";
import { clipped, type Lengths, TIGHT, USUAL } from "../results/cell.ts";
import { resultTokens, type ToolResult } from "../results/tool-result.ts";
import type { ToolContext, WriteTool } from "../tool.ts";

// What JSON leaves as it is and a terminal or a reader may obey.
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;
const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** The exact request of a write, which is not sent. */
export function dryRunResult(
  tool: WriteTool,
  input: Record<string, unknown>,
  context: ToolContext,
  unchecked: readonly string[] = [],
): ToolResult {
  const { settings } = context;
  const { method, path, query, body } = hideDriverNames(previewRequest(tool.operation, input, settings.customerId), context);
  const parameters = new URLSearchParams(query).toString();
  const resultOf = (lengths: Lengths | undefined): ToolResult => {
    const shown = lengths === undefined ? { query, body } : { query: clipped(query, lengths), body: clipped(body, lengths) };
    const shortened = lengths ? ["Shortened for FLEET_MAX_RESULT_TOKENS: long texts end in …, lists are cut."] : [];
    const note = [...unchecked, ...shortened].join(" ");
    const headline = `Dry run of ${tool.name}: the arguments are valid; nothing was sent.`;
    const line = `${method} ${path}${parameters === "" || lengths ? "" : `?${parameters}`}`;
    return {
      text: [headline, line, JSON.stringify(shown.body).replace(UNSEEN, escaped), ...(note === "" ? [] : [note])].join("\n"),
      structured: { result: "dryRun", request: { method, path, ...shown }, ...(note !== "" && { note }) },
    };
  };
  const whole = resultOf(undefined);
  if (resultTokens(whole) <= settings.maxResultTokens) return whole;
  const usual = resultOf(USUAL);
  return resultTokens(usual) <= settings.maxResultTokens ? usual : resultOf(TIGHT);
}
