import { toolNameOf } from "../catalogue/operation-tool.ts";
import type { ToolContext, WriteTool } from "../tool.ts";

/**
 * The call that shows whether something was created. The list's parameters are undocumented, so the response must be searched for the
 * number, too.
 */
export function lookUpAdvice({ operation }: WriteTool, jobNumber: string | undefined, { offered }: ToolContext): string {
  const { field = "", listedBy = "" } = operation.idempotencyKey ?? {};
  const tool = toolNameOf(listedBy);
  const what = jobNumber ?? "it";
  if (!offered.has(tool)) return `Look for ${what} in the service's own job list before you try again.`;
  const query = jobNumber === undefined ? "" : ` with query "${new URLSearchParams({ [field]: jobNumber })}"`;
  return `Call ${tool}${query} and look for ${what} before you try again.`;
}
