import { FleetError, rejectsOnly } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8 } from "../base64url.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "../tool.ts";
import { canonicalText } from "./confirmation-token.ts";
import { type OutgoingWrite, sendWrite } from "./send-write.ts";
import type { SentWrite } from "./sent-write.ts";

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
  const { idempotencyKey } = tool.operation;
  if (idempotencyKey === undefined || args[idempotencyKey.field] !== undefined) return undefined;
  if (settings.jobNumbers !== "service") return deriveJobNumber(key, tool.name, args, settings.customerId);
  throw new FleetError("config", `${tool.name}: an idempotency key cannot prevent a second job if the service assigns job numbers`, {
    advice: "Call without it, or set FLEET_JOB_NUMBERS=client",
  });
}

/** Sends a write whose job number nobody else can have used. If it is taken, an earlier process created this job, and the result is inferred. */
export async function sendWithOwnNumber(
  tool: WriteTool,
  plan: PlannedWrite,
  pending: OutgoingWrite,
  maybeSent: boolean,
  context: ToolContext,
): Promise<SentWrite> {
  try {
    return await sendWrite(tool, plan, pending, maybeSent, context);
  } catch (error) {
    const { field } = tool.operation.idempotencyKey ?? {};
    const isTaken = field !== undefined && pending.number !== undefined && error instanceof FleetError && rejectsOnly(error, field);
    if (maybeSent || !isTaken) throw error;
    return sendWrite(tool, plan, pending, true, context);
  }
}
