import { FleetError } from "@fleetwire/core";
import { rejectsOnly, withDetails } from "@fleetwire/core/internal";
import { toolNameOf } from "../query/derived-tool.ts";
import type { ApprovedTool, ToolContext } from "./write-tool.ts";

/** Names the call that shows whether a job was created. */
export function lookUpAdvice({ operation }: ApprovedTool, jobNumber: string | undefined, { offered }: ToolContext): string {
  if (operation === undefined) return "It is done.";
  const { field = "", listedBy = "" } = operation.idempotencyKey ?? {};
  const tool = toolNameOf(listedBy);
  const what = jobNumber ?? "it";
  if (!offered.has(tool)) return `Look for ${what} in the service's own job list before you try again.`;
  const where = jobNumber === undefined ? "" : ` with where "${field}=${jobNumber}"`;
  return `Call ${tool}${where} and look for ${what} before you try again.`;
}

/** Whether a job was rejected only because its number is taken. */
export function isTaken({ operation }: ApprovedTool, error: unknown): error is FleetError {
  const { field } = operation?.idempotencyKey ?? {};
  return field !== undefined && error instanceof FleetError && rejectsOnly(error, field);
}

/** If a job's outcome is unknown or its number is taken, adds advice on how to look it up. */
export function withLookUp(tool: ApprovedTool, error: unknown, context: ToolContext): unknown {
  if (!(error instanceof FleetError) || tool.effect !== "create") return error;
  const { code, jobNumber } = error;
  const lookUp = lookUpAdvice(tool, jobNumber, context);
  if (code === "unknownOutcome") {
    const again = jobNumber === undefined ? "" : " If it is not there, call again with the same arguments and this jobNumber.";
    return withDetails(error, { advice: lookUp + again });
  }
  return isTaken(tool, error) ? withDetails(error, { advice: `The job number is taken, perhaps by this job. ${lookUp}` }) : error;
}

/** Rethrows an error from before a write is sent. If its outcome is unknown, an earlier call may have sent it with this number. */
export function withLookUpOf(tool: ApprovedTool, number: string | undefined, context: ToolContext) {
  return (error: unknown): never => {
    if (!(error instanceof FleetError && error.code === "unknownOutcome")) throw error;
    throw withLookUp(tool, withDetails(error, { jobNumber: error.jobNumber ?? number }), context);
  };
}
