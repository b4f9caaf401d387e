import { FleetError, metadataOf, type NonSensitiveKind, type Operation, requestFields, type Sensitivity } from "@fleetwire/core";
import { singleLine } from "../text/clip-values.ts";
import { redeem } from "./approval.ts";
import { partsOf, type WasSent } from "./confirmations.ts";
import type { Hold, WriteRecord } from "./hold.ts";
import { isTaken, lookUpAdvice, numbered, numberedInput, ownJobNumber, withLookUp, withLookUpOf } from "./job-number.ts";
import type { SentWrite } from "./ledger.ts";
import type { PlannedWrite, ToolContext, WriteTool } from "./write-tool.ts";

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
export async function sendApproved(
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
