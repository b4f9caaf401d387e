import { FleetError } from "@fleetwire/core";
import { rejectsOnly, withDetails } from "@fleetwire/core/internal";
import type { CompletedWrite } from "../model/completed-write.ts";
import { singleLine } from "../text/clip-values.ts";
import { auditedFields } from "./audited-fields.ts";
import { lookUpAdvice } from "./lookup-advice.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

const MAX_NUMBER_LENGTH = 64;

// The client times out this much later than the call, so that an unsent write fails with the call's own message.
const AFTER_THE_CALL_MS = 500;

/** The request to send. */
export interface OutgoingWrite {
  input: Record<string, unknown>;
  /** The job number generated for it. */
  number: string | undefined;
}

/** If a job's outcome is unknown or its number is taken, adds advice on how to look it up. */
function withLookUp(tool: WriteTool, error: unknown, context: ToolContext): unknown {
  if (!(error instanceof FleetError) || tool.effect !== "create") return error;
  const { code, jobNumber } = error;
  const lookUp = lookUpAdvice(tool, jobNumber, context);
  if (code === "unknownOutcome") {
    const again = jobNumber === undefined ? "" : " If it is not there, call again with the same arguments and this jobNumber.";
    return withDetails(error, { advice: lookUp + again });
  }
  const field = tool.operation.idempotencyKey?.field;
  if (field === undefined || !rejectsOnly(error, field)) return error;
  return withDetails(error, { advice: `The job number is taken, perhaps by this job. ${lookUp}` });
}

/** Rethrows an error from before a write is sent. If its outcome is unknown, an earlier call may have sent it with this number. */
export function withLookUpOf(tool: WriteTool, number: string | undefined, context: ToolContext) {
  return (error: unknown): never => {
    if (!(error instanceof FleetError && error.code === "unknownOutcome")) throw error;
    throw withLookUp(tool, withDetails(error, { jobNumber: error.jobNumber ?? number }), context);
  };
}

/**
 * Sends a write. Reports its job number before the request and its outcome afterwards, so that neither is lost if the caller disconnects.
 * Once sent, a request completes even if the caller is gone.
 */
export async function sendWrite(
  tool: WriteTool,
  { unchecked }: PlannedWrite,
  { input, number }: OutgoingWrite,
  maybeSent: boolean,
  context: ToolContext,
): Promise<CompletedWrite> {
  const { callOptions, endsAt, onWrite } = context;
  const carried = tool.operation.idempotencyKey && input[tool.operation.idempotencyKey.field];
  const jobNumber = typeof carried === "string" ? singleLine(carried, MAX_NUMBER_LENGTH) : undefined;
  const write = { ...callOptions.write, generatedKey: number !== undefined, maybeSent, finishOnceSent: true };
  const totalTimeout = endsAt === undefined ? {} : { totalTimeout: Math.max(endsAt - performance.now(), 0) + AFTER_THE_CALL_MS };

  const fields = auditedFields(tool.operation, input);
  onWrite({ tool: tool.name, jobNumber, fields });
  try {
    const sent = await tool.send(input, { ...context, callOptions: { ...callOptions, ...totalTimeout, write } }, unchecked);
    onWrite({ tool: tool.name, jobNumber: sent.jobNumber ?? jobNumber, fields, outcome: sent.outcome });
    return sent;
  } catch (error) {
    onWrite({ tool: tool.name, jobNumber, fields, outcome: error instanceof FleetError ? error.code : "internal" });
    throw withLookUp(tool, error, context);
  }
}

/** Sends a write whose job number nobody else can have used. If it is taken, an earlier process created this job, and the result is inferred. */
export async function sendWithOwnNumber(
  tool: WriteTool,
  plan: PlannedWrite,
  pending: OutgoingWrite,
  maybeSent: boolean,
  context: ToolContext,
): Promise<CompletedWrite> {
  try {
    return await sendWrite(tool, plan, pending, maybeSent, context);
  } catch (error) {
    const { field } = tool.operation.idempotencyKey ?? {};
    const isTaken = field !== undefined && pending.number !== undefined && error instanceof FleetError && rejectsOnly(error, field);
    if (maybeSent || !isTaken) throw error;
    return sendWrite(tool, plan, pending, true, context);
  }
}
