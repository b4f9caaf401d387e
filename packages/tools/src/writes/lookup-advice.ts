import { toolNameOf } from "../catalogue/operation-tool.ts";
import type { ToolContext, WriteTool } from "../tool.ts";

/** Which call shows whether a creation happened. The list's parameters are not documented, so the number is also looked for in what comes. */
export function lookUpAdvice({ operation }: WriteTool, jobNumber: string | undefined, { offered }: ToolContext): string {
  const { field = "", listedBy = "" } = operation.idempotencyKey ?? {};
  const tool = toolNameOf(listedBy);
  const what = jobNumber ?? "it";
  if (!offered.has(tool)) return `Look for ${what} where the service shows its jobs before you try again.`;
  const query = jobNumber === undefined ? "" : ` with query "${new URLSearchParams({ [field]: jobNumber })}"`;
  return `Call ${tool}${query} and look for ${what} before you try again.`;
}
