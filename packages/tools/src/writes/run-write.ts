import { FleetError, type FleetErrorDetails, withDetails } from "@fleetwire/core";
import { NameQuestion } from "../results/name-question.ts";
import type { ToolQuestion, ToolResult } from "../results/tool-result.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "../tool.ts";
import { askUser, confirmationNeeded, type PendingWrite, previewResult, unsentResult } from "./approval.ts";
import { CONFIRMATION_MINUTES, type TokenProblem } from "./confirmation-token.ts";
import { dryRunResult } from "./dry-run.ts";
import { jobNumberFromKey, sendIdempotently } from "./job-number-from-key.ts";
import { lookUpAdvice } from "./lookup-advice.ts";
import { sendWrite } from "./send-write.ts";
import type { SentWrite } from "./sent-write.ts";
import { changedNothing, writeKey } from "./undelivered-writes.ts";

const PROBLEMS: Record<TokenProblem, string> = {
  malformed: "the confirmation was not issued by this server",
  different:
    "the confirmation does not match: it is for other arguments, an earlier state of the fleet, or a server that has since stopped",
  expired: `the confirmation is older than ${CONFIRMATION_MINUTES} minutes`,
  used: "the confirmation was already used",
};

/** A write that is ready to be sent once it is approved. */
interface PreparedWrite extends PendingWrite {
  input: Record<string, unknown>;
}

/**
 * Assigns the job number before anything is shown or sent: the number in the token, the one derived from the idempotency key, or a new one.
 * A repeated call with the same token or key therefore sends the same number.
 */
function prepareWrite(
  tool: WriteTool,
  { input }: PlannedWrite,
  { settings, confirmationTokens, now }: ToolContext,
  { token, keyedNumber }: { token?: string | undefined; keyedNumber?: string | undefined } = {},
): PreparedWrite {
  const { idempotencyKey } = tool.operation;
  const hasNumber = idempotencyKey === undefined || input[idempotencyKey.field] !== undefined;
  const number =
    hasNumber || settings.jobNumbers === "service"
      ? undefined
      : token === undefined
        ? (keyedNumber ?? idempotencyKey.generate(new Date(now())))
        : confirmationTokens.jobNumberIn(token);
  const lacksKey = tool.effect === "create" && number === undefined && !hasNumber;
  return {
    input: idempotencyKey && number !== undefined ? { [idempotencyKey.field]: number, ...input } : input,
    number,
    approved: { tool: tool.name, input, number, lacksKey, issuedFor: "preview" },
  };
}

interface RedeemedToken {
  pending: PreparedWrite;
  /** Whether an earlier process may have sent it. */
  maybeSent: boolean;
  restore: () => void;
}

/** Returns the job number in the caller's arguments. */
function jobNumberFromArguments({ operation: { idempotencyKey } }: WriteTool, input: Record<string, unknown>): string | undefined {
  const number = idempotencyKey && input[idempotencyKey.field];
  return typeof number === "string" ? number : undefined;
}

/**
 * Redeems a token; throws if it is not valid. If a job may have been created with it, the error names the job number to look for.
 */
async function redeemToken(tool: WriteTool, plan: PlannedWrite, token: string, context: ToolContext): Promise<RedeemedToken> {
  const { confirmationTokens, now } = context;
  const pending = prepareWrite(tool, plan, context, { token });
  const issuedFor = context.reply ? "question" : "preview";
  const { problem, isUnsent, restore } = await confirmationTokens.redeem(token, { ...pending.approved, issuedFor }, now());
  if (problem === undefined) return { pending, maybeSent: !isUnsent, restore };
  const jobNumber = confirmationTokens.jobNumberIn(token) ?? jobNumberFromArguments(tool, plan.input);
  const again = "call again without confirmation, and show the user the new preview";
  if (problem === "used") {
    throw new FleetError("input", `${tool.name}: ${PROBLEMS[problem]}`, {
      jobNumber,
      advice: `Do not repeat it. ${lookUpAdvice(tool, jobNumber, context)} For another one, ${again}`,
    });
  }
  if (tool.effect !== "create" || isUnsent || problem === "malformed") {
    throw new FleetError("input", `${tool.name}: ${PROBLEMS[problem]}`, { advice: again.replace(/^c/, "C") });
  }
  const unverified = problem === "expired" || jobNumber === undefined ? "" : ", with a number that could not be verified";
  throw new FleetError(
    "unknownOutcome",
    `${tool.name}: ${PROBLEMS[problem]}; this call sent nothing, but an earlier call with this confirmation may have created the job${unverified}`,
    {
      jobNumber,
      advice: `${lookUpAdvice(tool, jobNumber, context)} If it is not there, ${again}`,
    },
  );
}

async function sendConfirmed(tool: WriteTool, plan: PlannedWrite, token: string, context: ToolContext): Promise<SentWrite> {
  const { pending, maybeSent, restore } = await redeemToken(tool, plan, token, context);
  try {
    return await sendWrite(tool, plan, pending, maybeSent, context);
  } catch (error) {
    if (error instanceof FleetError && error.changed === "no") restore();
    throw error;
  }
}

/** Returns the error for a call that failed before sending anything. If an earlier call may have used its token, the error says so. */
function planFailure(tool: WriteTool, error: unknown, token: string | undefined, context: ToolContext): unknown {
  const known = error instanceof FleetError || error instanceof NameQuestion;
  if (!known || token === undefined || tool.effect !== "create") return error;
  const jobNumber = context.confirmationTokens.jobNumberIn(token);
  if (jobNumber === undefined || context.confirmationTokens.isUnsent(token)) return error;
  const { summary, quotation, operation, status, errors }: FleetErrorDetails & { summary: string } =
    error instanceof FleetError ? error : { summary: `${tool.name}: ${error.message}` };
  const doubt =
    "this call sent nothing, but an earlier call with this confirmation may have created the job, with a number that could not be verified";
  return new FleetError("unknownOutcome", `${summary}; ${doubt}`, {
    ...{ quotation, operation, status, errors, jobNumber },
    advice: lookUpAdvice(tool, jobNumber, context),
  });
}

const FROM_EARLIER_CALL =
  "This is the outcome of an earlier call with the same arguments whose result did not reach its caller: nothing was sent this time.";
const TO_REPEAT = "To do it again, call again.";

/** Returns the result of an earlier call that did not reach its caller; undefined if that call changed nothing. */
async function earlierResult(earlier: Promise<SentWrite>): Promise<ToolResult | undefined> {
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
    idempotentWrites,
    undeliveredWrites,
    callOptions,
    caller,
  } = context;
  if (reply && reply.answer !== "yes") return unsentResult(reply, context);
  const token = reply?.state ?? (typeof confirmation === "string" ? confirmation : undefined);
  const planned = () =>
    tool.plan(args, context).catch((error: unknown) => {
      throw planFailure(tool, error, token, context);
    });
  const call = writeKey(tool.name, args);
  const keyedNumber = jobNumberFromKey(tool, args, context);
  if (idempotencyKey !== undefined) idempotentWrites.find(idempotencyKey, call);
  if (context.previewOnly) return previewResult(tool, await planned(), keyedNumber);
  if (dryRun === true) {
    const plan = await planned();
    return dryRunResult(tool, plan, prepareWrite(tool, plan, context, { keyedNumber }), context);
  }

  for (;;) {
    await undeliveredWrites.waitForIdentical(call, callOptions.signal);
    const repeated = idempotencyKey === undefined ? undefined : idempotentWrites.find(idempotencyKey, call);
    const earlier = undeliveredWrites.take(call);
    if (repeated) {
      const result = await repeated.then((sent) => sent.result([FROM_REPEATED_KEY])).catch(() => undefined);
      if (result) return result;
      continue;
    }
    if (earlier === undefined) break;
    undeliveredWrites.track(call, earlier, caller);
    const result = await earlierResult(earlier);
    if (result) return result;
  }

  const sendNow = approved || settings.confirm === "never";
  if (token === undefined ? sendNow : reply !== undefined || sendNow || !canElicit) {
    const send = async () => {
      const plan = await planned();
      if (token !== undefined) return sendConfirmed(tool, plan, token, context);
      const pending = prepareWrite(tool, plan, context, { keyedNumber });
      return idempotencyKey === undefined
        ? sendWrite(tool, plan, pending, false, context)
        : sendIdempotently(tool, plan, pending, idempotencyKey, context);
    };
    const sending = send();
    if (idempotencyKey !== undefined) idempotentWrites.track(idempotencyKey, call, sending);
    undeliveredWrites.track(call, sending, caller);
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
