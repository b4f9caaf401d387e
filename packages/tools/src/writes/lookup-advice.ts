import { toolNameOf } from "../query/operation-tool.ts";
import type { ToolContext, WriteTool } from "./write-tool.ts";

/** Names the call that shows whether a job was created. */
export function lookUpAdvice({ operation }: WriteTool, jobNumber: string | undefined, { offered }: ToolContext): string {
  const { field = "", listedBy = "" } = operation.idempotencyKey ?? {};
  const tool = toolNameOf(listedBy);
  const what = jobNumber ?? "it";
  if (!offered.has(tool)) return `Look for ${what} in the service's own job list before you try again.`;
  const where = jobNumber === undefined ? "" : ` with where "${field}=${jobNumber}"`;
  return `Call ${tool}${where} and look for ${what} before you try again.`;
}
