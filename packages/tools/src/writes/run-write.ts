import { FleetError, type FleetErrorDetails } from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";
import type { CompletedWrite } from "../model/completed-write.ts";
import type { ToolQuestion, ToolResult } from "../model/tool-result.ts";
import { NameQuestion } from "../names/name-question.ts";
import { unlessAborted } from "../runtime/unless-aborted.ts";
import { askUser, confirmationNeeded, previewResult, unsentResult } from "./approval.ts";
import { dryRunResult } from "./dry-run.ts";
import { jobNumberFromKey } from "./job-number-from-key.ts";
import { lookUpAdvice } from "./lookup-advice.ts";
import { jobNumberFromArguments, prepareWrite, redeemToken } from "./prepared-write.ts";
import { sendOnce } from "./send-once.ts";
import { changedNothing, writeKey } from "./undelivered-writes.ts";
import type { ToolContext, WriteTool } from "./write-tool.ts";

/** Returns the error for a call that failed before sending anything. If an earlier call may have used its token, the error says so. */
function planFailure(
  tool: WriteTool,
  error: unknown,
  token: string | undefined,
  context: ToolContext,
  isUnsent = token !== undefined && context.confirmationTokens.isUnsent(token),
): unknown {
  const known = error instanceof FleetError || error instanceof NameQuestion;
  if (!known || token === undefined || tool.effect !== "create") return error;
  const jobNumber = context.confirmationTokens.jobNumberIn(token);
  if (jobNumber === undefined || isUnsent) return error;
  const { summary, quotation, operation, status, errors }: FleetErrorDetails & { summary: string } =
    error instanceof FleetError ? error : { summary: `${tool.name}: ${error.message}` };
  const doubt =
    "this call sent nothing, but an earlier call with this confirmation may have created the job, with a number that could not be verified";
  return new FleetError("unknownOutcome", `${summary}; ${doubt}`, {
    ...{ quotation, operation, status, errors, jobNumber },
    advice: lookUpAdvice(tool, jobNumber, context),
  });
}

const FROM_EARLIER_CALL = "This is the outcome of an identical earlier call whose result was lost: nothing was sent this time.";
const TO_REPEAT = "To repeat it, call again.";

/** Returns the result of an earlier call that did not reach its caller; undefined if that call changed nothing. */
async function earlierResult(earlier: Promise<CompletedWrite>): Promise<ToolResult | undefined> {
  try {
    return (await earlier).result([`${FROM_EARLIER_CALL} ${TO_REPEAT}`]);
  } catch (error) {
    if (changedNothing(error)) return undefined;
    throw withDetails(error as FleetError, { advice: `${FROM_EARLIER_CALL} ${(error as FleetError).advice ?? ""}`.trim() });
  }
}

const FROM_REPEATED_KEY = "This is the outcome of an earlier call with the same idempotency key: nothing was sent this time.";

/** Runs a write with validated arguments. The first call sends nothing unless the user has approved it or FLEET_CONFIRM is `never`. */
export async function runWrite(
  tool: WriteTool,
  { dryRun, confirmation, ...args }: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult | ToolQuestion> {
  const {
    settings,
    canElicit,
    reply,
    approved = false,
    idempotencyKey,
    writesByKey,
    undeliveredWrites,
    sharedWrites,
    callOptions,
    caller,
  } = context;
  if (reply && reply.answer !== "yes") return unsentResult(reply, context);
  const token = reply?.state ?? (typeof confirmation === "string" ? confirmation : undefined);
  const planned = (isUnsent?: boolean | undefined) =>
    tool.plan(args, context).catch((error: unknown) => {
      throw planFailure(tool, error, token, context, isUnsent);
    });
  const call = writeKey(tool.name, args);
  const keyedNumber = jobNumberFromKey(tool, args, context);
  const ownNumber = jobNumberFromArguments(tool, args);
  if (idempotencyKey !== undefined) writesByKey.find(idempotencyKey, call);
  if (context.previewOnly) return previewResult(tool, await planned(), keyedNumber);
  if (dryRun === true) {
    const plan = await planned();
    return dryRunResult(tool, plan, prepareWrite(tool, plan, context, { keyedNumber }), context);
  }

  for (;;) {
    const identical = undeliveredWrites.inFlight(call);
    if (identical) {
      await unlessAborted(callOptions.signal, identical);
      continue;
    }
    // Nothing is awaited from here to `track`: another waiting call would start at the same time.
    const repeated = idempotencyKey === undefined ? undefined : writesByKey.find(idempotencyKey, call);
    const earlier = undeliveredWrites.take(call);
    if (repeated) {
      const result = await repeated.then((sent) => sent.result([FROM_REPEATED_KEY])).catch(() => undefined);
      if (result) return result;
      continue;
    }
    if (earlier === undefined) break;
    void undeliveredWrites.track(call, earlier, caller).then((isOver) => sharedWrites.end(call, isOver));
    const result = await earlierResult(earlier);
    if (result) return result;
  }

  const sendNow = approved || settings.confirm === "never";
  if (token === undefined ? sendNow : reply !== undefined || sendNow || !canElicit) {
    const sending = sendOnce(tool, planned, { token, call, keyedNumber, ownNumber }, context);
    if (idempotencyKey !== undefined) writesByKey.track(idempotencyKey, call, sending);
    void undeliveredWrites.track(call, sending, caller).then((isOver) => sharedWrites.end(call, isOver));
    return (await sending).result();
  }
  const plan = await planned();
  if (token === undefined) {
    const pending = prepareWrite(tool, plan, context, { keyedNumber });
    return canElicit ? askUser(tool, plan, pending, context) : confirmationNeeded(tool, plan, pending, context);
  }
  // The token is verified even though the user is asked anyway, so that the job keeps its number. The question's state then replaces the
  // token.
  const { pending, maybeSent } = await redeemToken(tool, plan, token, context);
  return askUser(tool, plan, { ...pending, maybeSent }, context);
}
