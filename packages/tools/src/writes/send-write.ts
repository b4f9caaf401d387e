import { FleetError, rejectsOnly, withDetails } from "@fleetwire/core";
import { singleLine } from "../results/clip-values.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "../tool.ts";
import { lookUpAdvice } from "./lookup-advice.ts";
import type { SentWrite } from "./sent-write.ts";

const MAX_NUMBER_LENGTH = 64;

// While nothing was sent, the call's own end comes first, with its own words.
const AFTER_THE_CALL_MS = 500;

/** What goes out. */
export interface OutgoingWrite {
  input: Record<string, unknown>;
  /** The number that Fleetwire gave it. */
  number: string | undefined;
}

/** The failure of a creation that may be there, with the call that shows it: its outcome is not known, or its number is taken. */
function withLookUp(tool: WriteTool, error: unknown, context: ToolContext): unknown {
  if (!(error instanceof FleetError)) return error;
  const { code, jobNumber } = error;
  const lookUp = lookUpAdvice(tool, jobNumber, context);
  if (code === "unknownOutcome") {
    const again = jobNumber === undefined ? "" : " If it is not there, call again with the same arguments and this jobNumber.";
    return withDetails(error, { advice: lookUp + again });
  }
  const field = tool.operation.idempotencyKey?.field;
  if (field === undefined || !rejectsOnly(error, field)) return error;
  return withDetails(error, { advice: `The number is taken, perhaps by this very job. ${lookUp}` });
}

/**
 * Sends a write. Its number is reported before the request goes out and its outcome after, so that neither is lost with the caller; once a request is out, a
 * caller that goes away no longer ends it.
 */
export async function sendWrite(
  tool: WriteTool,
  { unchecked }: PlannedWrite,
  { input, number }: OutgoingWrite,
  maybeSent: boolean,
  context: ToolContext,
): Promise<SentWrite> {
  const { callOptions, endsAt, onWrite } = context;
  const carried = tool.operation.idempotencyKey && input[tool.operation.idempotencyKey.field];
  const jobNumber = typeof carried === "string" ? singleLine(carried, MAX_NUMBER_LENGTH) : undefined;
  const write = { generatedKey: number !== undefined, maybeSent, finishOnceSent: true };
  const totalTimeout = endsAt === undefined ? {} : { totalTimeout: Math.max(endsAt - performance.now(), 0) + AFTER_THE_CALL_MS };

  onWrite({ tool: tool.name, jobNumber });
  try {
    const sent = await tool.send(input, { ...context, callOptions: { ...callOptions, ...totalTimeout, write } }, unchecked);
    onWrite({ tool: tool.name, jobNumber: sent.jobNumber ?? jobNumber, outcome: sent.outcome });
    return sent;
  } catch (error) {
    onWrite({ tool: tool.name, jobNumber, outcome: error instanceof FleetError ? error.code : "internal" });
    throw withLookUp(tool, error, context);
  }
}
