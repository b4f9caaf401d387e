import {
  FleetError,
  type FleetErrorDetails,
  metadataOf,
  type NonSensitiveKind,
  type Operation,
  requestFields,
  type Sensitivity,
} from "@fleetwire/core";
import { withDetails } from "@fleetwire/core/internal";
import type { ToolQuestion, ToolResult } from "../model/tool.ts";
import { NameQuestion } from "../names/name-question.ts";
import { unlessAborted } from "../runtime/call-deadline.ts";
import { singleLine } from "../text/clip-values.ts";
import { askForApproval, dryRunResult, previewResult, redeem, unsentResult } from "./approval.ts";
import { partsOf, type WasSent } from "./confirmations.ts";
import type { Hold, WriteRecord } from "./hold.ts";
import { isTaken, jobNumberFromKey, lookUpAdvice, numbered, numberedInput, ownJobNumber, withLookUp, withLookUpOf } from "./job-number.ts";
import { callOf, changedNothing, type Entry, type SentWrite } from "./ledger.ts";
import type { LocalTool, PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

const MAX_LENGTH = 64;

const SHOWN: ReadonlySet<unknown> = new Set<Exclude<NonSensitiveKind, object> | "id">([
  "id",
  "flag",
  "instant",
  "duration",
  "country",
  "language",
  "make",
  "faultCode",
  "fileType",
  "field",
  "label",
]);

const isShown = (holds: Sensitivity | undefined) => typeof holds === "object" || SHOWN.has(holds);

const brief = (value: unknown): unknown => (typeof value === "string" ? singleLine(value, MAX_LENGTH) : value);

/** What a write sends, for audits: names, places and free text are withheld, since they may identify someone. */
function auditedFields(operation: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = requestFields(operation);
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const schema = known[name]?.schema;
      if (schema === undefined || !isShown(metadataOf(schema)?.holds)) return [name, "(withheld)"];
      return [name, Array.isArray(value) ? value.map(brief) : brief(value)];
    }),
  );
}

const MAX_NUMBER_LENGTH = 64;

// The client times out this much later than the call, so that an unsent write fails with the call's own message.
const AFTER_THE_CALL_MS = 500;

/**
 * Sends a plan. Reports its job number before the request and its outcome afterwards, so that neither is lost if the caller disconnects.
 * Once sent, a request completes even if the caller is gone.
 */
async function send(tool: WriteTool, plan: PlannedWrite, wasSent: WasSent, context: ToolContext): Promise<SentWrite> {
  const { callOptions, endsAt, onWrite } = context;
  const input = numberedInput(tool, plan);
  const carried: unknown = ownJobNumber(tool, input);
  const jobNumber = typeof carried === "string" ? singleLine(carried, MAX_NUMBER_LENGTH) : undefined;
  const write = { ...callOptions.write, generatedKey: plan.number !== undefined, maybeSent: wasSent === "maybe", finishOnceSent: true };
  const totalTimeout = endsAt === undefined ? {} : { totalTimeout: Math.max(endsAt - performance.now(), 0) + AFTER_THE_CALL_MS };

  const fields = auditedFields(tool.operation, input);
  onWrite({ tool: tool.name, jobNumber, fields });
  try {
    const sent = await tool.send(input, { ...context, callOptions: { ...callOptions, ...totalTimeout, write } }, plan.unchecked);
    onWrite({ tool: tool.name, jobNumber: sent.jobNumber ?? jobNumber, fields, outcome: sent.outcome });
    return sent;
  } catch (error) {
    onWrite({ tool: tool.name, jobNumber, fields, outcome: error instanceof FleetError ? error.code : "internal" });
    // Nobody else can have used a generated number, so an earlier process created this job.
    if (wasSent === "unlikely" && plan.number !== undefined && isTaken(tool, error)) return send(tool, plan, "maybe", context);
    throw withLookUp(tool, error, context);
  }
}

const RESUMED =
  "An earlier call with the same arguments was interrupted, perhaps after it was sent: this is its outcome, not a second write. To repeat it, call again.";

/** Sends a plan with the number of the interrupted call that it repeats, so that the service rejects it if the first one arrived. */
async function resume(tool: WriteTool, plan: PlannedWrite, interrupted: WriteRecord, context: ToolContext): Promise<SentWrite> {
  const resumed = { ...plan, number: interrupted.number ?? plan.number };
  if (tool.effect === "create" && ownJobNumber(tool, numberedInput(tool, resumed)) === undefined) {
    const message = `${tool.name}: an earlier call with the same arguments was interrupted; this call sent nothing`;
    throw new FleetError("unknownOutcome", message, {
      advice: `${lookUpAdvice(tool, undefined, context)} If it is not there, call again`,
    });
  }
  const sent = await send(tool, resumed, "maybe", context);
  return { ...sent, result: (remarks = []) => sent.result([RESUMED, ...remarks]) };
}

/** The check before a request. Once there was one, its failure must not say that nothing was sent. */
function checkBeforeSending(hold: Hold): () => Promise<void> {
  let isSent = false;
  return async () => {
    await hold.check().catch((error: FleetError) => {
      if (!isSent) throw error;
      throw new FleetError(error.code, "the store that coordinates writes with other servers did not allow another attempt", error);
    });
    isSent = true;
  };
}

/** Plans and sends an approved write while no other process can. The number of its job is recorded before anything is sent. */
async function sendApproved(
  tool: WriteTool,
  planned: () => Promise<PlannedWrite>,
  { token, keyedNumber, ownNumber }: { token: string | undefined; keyedNumber: string | undefined; ownNumber: string | undefined },
  hold: Hold,
  called: ToolContext,
): Promise<SentWrite> {
  const { writes, idempotencyKey, callOptions } = called;
  const context: ToolContext = { ...called, callOptions: { ...callOptions, write: { beforeSend: checkBeforeSending(hold) } } };
  const expected = ownNumber ?? keyedNumber ?? (token === undefined ? undefined : partsOf(token)?.number);
  const withNumber = withLookUpOf(tool, expected, context);
  await hold.take(callOptions.signal, called.caller.wasPaused).catch(withNumber);
  const unconfirmed = await planned();
  if (token === undefined) {
    const plan = numbered(tool, unconfirmed, context, { keyedNumber });
    await hold.record({ number: plan.number }).catch(withNumber);
    if (hold.interrupted) return resume(tool, plan, hold.interrupted, context);
    const wasSent = idempotencyKey === undefined ? "no" : writes.maybeSent(idempotencyKey) ? "maybe" : "unlikely";
    return send(tool, plan, wasSent, context);
  }
  // Recorded before the confirmation counts as used, so that another process can use it if this one dies.
  await hold.record({ number: partsOf(token)?.number, confirmation: token }).catch(withNumber);
  const { plan, wasSent } = await redeem(tool, unconfirmed, token, context, hold);
  try {
    return await (hold.interrupted ? resume(tool, plan, hold.interrupted, context) : send(tool, plan, wasSent, context));
  } catch (error) {
    if (error instanceof FleetError && error.changed === "no") await hold.restore(partsOf(token)?.mac ?? "");
    throw error;
  }
}

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

/** Returns the confirmation that a call carries, and whether the call goes ahead with or without it. If users can be asked, a model's confirmation is not enough. */
function approvalOf(confirmation: unknown, { settings, canElicit, reply, approved = false }: ToolContext) {
  const token = reply?.state ?? (typeof confirmation === "string" ? confirmation : undefined);
  const needsNone = approved || settings.confirm === "never";
  return { token, isApproved: needsNone || (token !== undefined && (reply !== undefined || !canElicit)) };
}

/** Runs a write with validated arguments. The first call sends nothing unless the user has approved it or FLEET_CONFIRM is `never`. */
export async function runWrite(
  tool: WriteTool,
  { dryRun, confirmation, ...args }: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult | ToolQuestion> {
  const { reply, idempotencyKey: key, writes, callOptions, caller } = context;
  if (reply && reply.answer !== "yes") return unsentResult(reply, context);
  const { token, isApproved } = approvalOf(confirmation, context);
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

  if (isApproved) {
    const numbers = { token, keyedNumber, ownNumber: ownJobNumber(tool, args) };
    return (await writes.send(write, caller, (hold) => sendApproved(tool, planned, numbers, hold, context))).result();
  }
  const plan = await planned();
  if (token !== undefined) {
    // The token is verified even though the user is asked anyway, so that the job keeps its number. The question's state then replaces it.
    const redeemed = await redeem(tool, plan, token, context);
    return askForApproval(tool, redeemed.plan, redeemed.wasSent, context);
  }
  return askForApproval(tool, numbered(tool, plan, context, { keyedNumber }), "no", context);
}

/** Runs a tool that sends nothing to the service. As for a write, the first call changes nothing unless the user has approved it or FLEET_CONFIRM is `never`. */
export async function runLocal(
  tool: LocalTool,
  { confirmation, ...args }: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolResult | ToolQuestion> {
  const { reply, previewOnly = false } = context;
  if (reply && reply.answer !== "yes") return unsentResult(reply, context);
  if (!tool.changes(args)) return tool.read(context);
  const { make, ...plan } = await tool.plan(args, context);
  if (previewOnly) return previewResult(tool, plan);
  const { token, isApproved } = approvalOf(confirmation, context);
  if (!isApproved) return askForApproval(tool, plan, "no", context);
  if (token !== undefined) await redeem(tool, plan, token, context);
  return make();
}
