import { FleetError } from "@fleetwire/core";
import type { CompletedWrite } from "../model/completed-write.ts";
import { lookUpAdvice } from "./lookup-advice.ts";
import { type PreparedWrite, prepareWrite, redeemToken } from "./prepared-write.ts";
import { sendWithOwnNumber, sendWrite, withLookUpOf } from "./send-write.ts";
import type { InterruptedWrite } from "./shared-writes.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

/** What identifies a call whose write is to be sent. */
interface ApprovedCall {
  token: string | undefined;
  /** Identifies the call across processes. */
  call: string;
  /** The job number derived from the caller's idempotency key. */
  keyedNumber: string | undefined;
  /** The caller's own job number. */
  ownNumber: string | undefined;
}

/** The check before a request. Once there was one, its failure must not say that nothing was sent. */
function checkBeforeSending(check: () => Promise<void>): () => Promise<void> {
  let isSent = false;
  return async () => {
    await check().catch((error: FleetError) => {
      if (!isSent) throw error;
      throw new FleetError(error.code, "the store that coordinates writes with other servers did not allow another attempt", error);
    });
    isSent = true;
  };
}

const RESUMED =
  "An earlier call with the same arguments was interrupted, perhaps after it was sent: this is its outcome, not a second write. To repeat it, call again.";

/** Sends a write with the number of the interrupted call that it repeats, so that the service rejects it if the first one arrived. */
async function resume(
  tool: WriteTool,
  plan: PlannedWrite,
  { input, number }: PreparedWrite,
  interrupted: InterruptedWrite,
  context: ToolContext,
): Promise<CompletedWrite> {
  const field = tool.operation.idempotencyKey?.field;
  const known = interrupted.number ?? number;
  const numbered = field === undefined || known === undefined ? input : { ...input, [field]: known };
  if (tool.effect === "create" && (field === undefined || numbered[field] === undefined))
    throw new FleetError(
      "unknownOutcome",
      `${tool.name}: an earlier call with the same arguments was interrupted; this call sent nothing`,
      {
        advice: `${lookUpAdvice(tool, undefined, context)} If it is not there, call again`,
      },
    );
  const sent = await sendWrite(tool, plan, { input: numbered, number: known }, true, context);
  return { ...sent, result: (remarks = []) => sent.result([RESUMED, ...remarks]) };
}

/**
 * Plans and sends an approved write in only one of all processes. `planned` receives whether it is certain, as far as other processes
 * know, that nothing was sent; undefined if there are no others.
 */
export async function sendOnce(
  tool: WriteTool,
  planned: (isUnsent: boolean | undefined) => Promise<PlannedWrite>,
  { token, call, keyedNumber, ownNumber }: ApprovedCall,
  called: ToolContext,
): Promise<CompletedWrite> {
  const { sharedWrites, confirmationTokens, idempotencyKey, writesByKey, callOptions } = called;
  const beforeSend = checkBeforeSending(() => sharedWrites.check(call));
  const context: ToolContext = { ...called, callOptions: { ...callOptions, write: { beforeSend } } };
  const expected = ownNumber ?? keyedNumber ?? (token === undefined ? undefined : confirmationTokens.jobNumberIn(token));
  const withNumber = withLookUpOf(tool, expected, context);
  const interrupted = await sharedWrites.begin(call, callOptions.signal).catch(withNumber);
  const plan = await planned(sharedWrites.isShared ? interrupted === undefined : undefined);
  const recorded = (number: string | undefined) => sharedWrites.record(call, { number, confirmation: token }).catch(withNumber);
  if (token === undefined) {
    const pending = prepareWrite(tool, plan, context, { keyedNumber });
    await recorded(pending.number);
    if (interrupted) return resume(tool, plan, pending, interrupted, context);
    if (idempotencyKey === undefined) return sendWrite(tool, plan, pending, false, context);
    return sendWithOwnNumber(tool, plan, pending, writesByKey.maybeSent(idempotencyKey), context);
  }
  // Recorded before the token counts as used, so that another process can use it if this one dies.
  await recorded(confirmationTokens.jobNumberIn(token));
  const { pending, maybeSent, restore } = await redeemToken(tool, plan, token, context, { call, resumed: interrupted?.confirmation });
  try {
    if (interrupted) return await resume(tool, plan, pending, interrupted, context);
    return await (sharedWrites.isShared ? sendWithOwnNumber : sendWrite)(tool, plan, pending, maybeSent, context);
  } catch (error) {
    if (error instanceof FleetError && error.changed === "no") await restore();
    throw error;
  }
}
