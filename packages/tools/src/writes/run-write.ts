import { FleetError, type FleetErrorDetails } from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";
import type { ToolQuestion, ToolResult } from "../model/tool-result.ts";
import { NameQuestion } from "../names/name-question.ts";
import { unlessAborted } from "../runtime/call-deadline.ts";
import { askUser, confirmationNeeded, previewResult, redeem, unsentResult } from "./approval.ts";
import { partsOf } from "./confirmations.ts";
import { jobNumberFromKey, numbered, ownJobNumber } from "./job-number.ts";
import { callOf, changedNothing, type Entry } from "./ledger.ts";
import { lookUpAdvice } from "./look-up.ts";
import { dryRunResult } from "./preview.ts";
import { sendApproved } from "./send.ts";
import type { ToolContext, WriteTool } from "./write-tool.ts";

/** Returns the error for a call that failed before sending anything. If an earlier call may have used its confirmation, the error says so. */
async function planFailure(tool: WriteTool, error: unknown, token: string | undefined, context: ToolContext): Promise<unknown> {
  const isExpected = error instanceof FleetError || error instanceof NameQuestion;
  if (!isExpected || token === undefined || tool.effect !== "create") return error;
  const jobNumber = partsOf(token)?.number;
  if (jobNumber === undefined || (await context.writes.confirmations.wasSent(token, context.now())) !== "maybe") return error;
  const { summary, quotation, operation, status, errors }: FleetErrorDetails & { summary: string } =
    error instanceof FleetError ? error : { summary: `${tool.name}: ${error.message}` };
  const doubt =
    "this call sent nothing, but an earlier call with this confirmation may have created the job, with a number that could not be verified";
  return new FleetError("unknownOutcome", `${summary}; ${doubt}`, {
    ...{ quotation, operation, status, errors, jobNumber },
    advice: lookUpAdvice(tool, jobNumber, context),
  });
}

const FROM_CALL = "This is the outcome of an identical earlier call: nothing was sent this time.";
const TO_REPEAT = "To repeat it, call again.";
const FROM_CONFIRMATION = "This is the outcome of an earlier call with the same confirmation: nothing was sent this time.";
const FROM_REPEATED_KEY = "This is the outcome of an earlier call with the same idempotency key: nothing was sent this time.";

/** Returns the result of an earlier call again; undefined if that call changed nothing. */
async function earlierResult(
  earlier: Entry,
  { key, token }: Pick<Entry, "key" | "token">,
  { writes, callOptions: { signal } }: ToolContext,
): Promise<ToolResult | undefined> {
  const isKey = key !== undefined && key === earlier.key;
  const isConfirmation = token !== undefined && token === earlier.token;
  const remark = isKey ? FROM_REPEATED_KEY : isConfirmation ? FROM_CONFIRMATION : `${FROM_CALL} ${TO_REPEAT}`;
  try {
    const { result } = await earlier.sending;
    if (!isKey && !isConfirmation && !signal?.aborted) writes.returned(earlier);
    return result([remark]);
  } catch (error) {
    if (changedNothing(error)) return undefined;
    if (!signal?.aborted) writes.returned(earlier);
    throw withDetails(error as FleetError, { advice: `${FROM_CALL} ${(error as FleetError).advice ?? ""}`.trim() });
  }
}

/** Runs a write with validated arguments. The first call sends nothing unless the user has approved it or FLEET_CONFIRM is `never`. */
export async function runWrite(
  tool: WriteTool,
  { dryRun, confirmation, ...args }: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult | ToolQuestion> {
  const { settings, canElicit, reply, approved = false, idempotencyKey: key, writes, callOptions, caller } = context;
  if (reply && reply.answer !== "yes") return unsentResult(reply, context);
  const token = reply?.state ?? (typeof confirmation === "string" ? confirmation : undefined);
  const planned = () =>
    tool.plan(args, context).catch(async (error: unknown) => {
      throw await planFailure(tool, error, token, context);
    });
  const write = { call: callOf(tool.name, args), key, token, isRepeatable: tool.effect === "update" };
  const keyedNumber = jobNumberFromKey(tool, args, context);
  let earlier = writes.find(write);
  if (context.previewOnly) return previewResult(tool, { ...(await planned()), number: keyedNumber });
  if (dryRun === true) return dryRunResult(tool, numbered(tool, await planned(), context, { keyedNumber }), context);

  // Nothing is awaited between the last search and `send`: another waiting call would start at the same time.
  for (; earlier; earlier = writes.find(write)) {
    const result = await unlessAborted(callOptions.signal, earlierResult(earlier, write, context));
    if (result) return result;
  }

  const sendNow = approved || settings.confirm === "never";
  if (token === undefined ? sendNow : reply !== undefined || sendNow || !canElicit) {
    const numbers = { token, keyedNumber, ownNumber: ownJobNumber(tool, args) };
    return (await writes.send(write, caller, (hold) => sendApproved(tool, planned, numbers, hold, context))).result();
  }
  const plan = await planned();
  if (token !== undefined) {
    // The token is verified even though the user is asked anyway, so that the job keeps its number. The question's state then replaces it.
    const redeemed = await redeem(tool, plan, token, context);
    return askUser(tool, redeemed.plan, redeemed.wasSent, context);
  }
  const shown = numbered(tool, plan, context, { keyedNumber });
  return canElicit ? askUser(tool, shown, "no", context) : confirmationNeeded(tool, shown, context);
}
