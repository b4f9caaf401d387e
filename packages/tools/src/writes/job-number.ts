import { FleetError } from "@fleetwire/core";
import { rejectsOnly, withDetails } from "@fleetwire/core/internal";
import { sha256 } from "@noble/hashes/sha2.js";
import { toolNameOf } from "../query/derived-tool.ts";
import { utf8 } from "../runtime/base64url.ts";
import { canonicalText, partsOf } from "./confirmations.ts";
import type { ApprovedTool, PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Derives a job number from the key and the call. It has 90 bits, as many as a random one. */
function deriveJobNumber(key: string, tool: string, args: Readonly<Record<string, unknown>>, customerId: string): string {
  const bytes = sha256(utf8(canonicalText(["fleetwire job number", customerId, tool, key, args])));
  const characters = Array.from(bytes.subarray(0, 18), (byte) => CROCKFORD[byte & 31]).join("");
  return `FW-${characters.slice(0, 8)}-${characters.slice(8)}`;
}

/** Returns the job number for an idempotency key. Throws if the key could not prevent a second job. */
export function jobNumberFromKey(tool: WriteTool, args: Readonly<Record<string, unknown>>, context: ToolContext): string | undefined {
  const { idempotencyKey: key, settings } = context;
  if (key === undefined) return undefined;
  if (typeof key !== "string" || key === "")
    throw new FleetError("input", "idempotencyKey: must be a non-empty string", { advice: "Pass one, or call without it" });
  if (tool.operation.idempotencyKey === undefined || ownJobNumber(tool, args) !== undefined) return undefined;
  if (settings.jobNumbers !== "service") return deriveJobNumber(key, tool.name, args, settings.customerId);
  throw new FleetError("config", `${tool.name}: an idempotency key cannot prevent a second job if the service assigns job numbers`, {
    advice: "Call without it, or set FLEET_JOB_NUMBERS=client",
  });
}

export function ownJobNumber({ operation }: ApprovedTool, input: Readonly<Record<string, unknown>>): string | undefined {
  return operation?.idempotencyKey && (input[operation.idempotencyKey.field] as string | undefined);
}

/**
 * Assigns the job number before anything is shown or sent: the number in the confirmation, the one derived from the idempotency key, or a new
 * one. A repeated call with the same confirmation or key therefore sends the same number.
 */
export function numbered(
  tool: ApprovedTool,
  plan: PlannedWrite,
  { settings, now }: ToolContext,
  { token, keyedNumber }: { token?: string | undefined; keyedNumber?: string | undefined },
): PlannedWrite {
  const { idempotencyKey } = tool.operation ?? {};
  if (!idempotencyKey || ownJobNumber(tool, plan.input) !== undefined || settings.jobNumbers === "service") return plan;
  if (token !== undefined) return { ...plan, number: partsOf(token)?.number };
  return { ...plan, number: keyedNumber ?? idempotencyKey.generate(new Date(now())) };
}

export function numberedInput({ operation }: WriteTool, { input, number }: PlannedWrite): Record<string, unknown> {
  return operation.idempotencyKey && number !== undefined ? { [operation.idempotencyKey.field]: number, ...input } : input;
}

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
