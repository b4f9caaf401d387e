import { toolNameOf } from "../catalogue/operation-tool.ts";
import type { ToolContext, WriteTool } from "../tool.ts";

/**
 * Names the call that shows whether a job was created. The list's filters are undocumented, so the model must also look for the number in
 * the response.
 */
export function lookUpAdvice({ operation }: WriteTool, jobNumber: string | undefined, { offered }: ToolContext): string {
  const { field = "", listedBy = "" } = operation.idempotencyKey ?? {};
  const tool = toolNameOf(listedBy);
  const what = jobNumber ?? "it";
  if (!offered.has(tool)) return `Look for ${what} in the service's own job list before you try again.`;
  const query = jobNumber === undefined ? "" : ` with query "${new URLSearchParams({ [field]: jobNumber })}"`;
  return `Call ${tool}${query} and look for ${what} before you try again.`;
}
