import { FleetError } from "../errors.ts";
import type { AuthScheme, IdempotencyKey, Operation } from "../operation.ts";
import type { TokenSource } from "./access-token.ts";
import { buildRequest, type RequestSettings } from "./build-request.ts";
import { type CallHooks, tell } from "./call-hooks.ts";
import { checkOf } from "./compile-check.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { privateInput } from "./confidential-input.ts";
import { type DecodeSettings, decodeResponse } from "./decode-response.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import type { CallMetadata, CallOptions, ResultWithMetadata } from "./operation-method.ts";
import { parseInput } from "./parse-input.ts";
import { redactor } from "./redaction.ts";
import { type CallSettings, callSettings, mayPass, pauseBefore } from "./retry-policy.ts";
import { type Deadline, type Failure, failureToError, type HttpRequest, type HttpResponse, pause, type Send } from "./transport.ts";
import { WriteOutcome } from "./write-outcome.ts";

/** What a client brings to each of its calls. */
export interface CallContext {
  send: Send;
  /** Sends as well, and leaves the body of a success open. */
  open: Send;
  /** Settings of calls that have none of their own. */
  defaults: CallOptions;
  basic: string;
  tokens: TokenSource;
  limit: ConcurrencyLimit;
  hooks: CallHooks;
  request: Omit<RequestSettings, "server">;
  decode: DecodeSettings;
  /** What the service might repeat and errors must not. */
  secrets: KnownSecrets;
  serverOf(operation: Operation): string;
  schemeOf(operation: Operation): AuthScheme;
  now(): number;
  random(): number;
  /** A number for each call, by which a listener tells them apart. */
  nextCall(): number;
  numberJobs: boolean;
}

/** A call under way. */
interface Call {
  operation: Operation;
  id: number;
  request: HttpRequest;
  requestBytes: number;
  scheme: AuthScheme;
  settings: CallSettings;
  signal: AbortSignal | undefined;
  /** Whether a request that is out goes on when the signal fires. */
  finishOnceSent: boolean;
  /** What is known of an update or a creation; a read changes nothing. */
  write: WriteOutcome | undefined;
  decode: DecodeSettings;
  number: string | undefined;
  /** Milliseconds, by the clock of `performance.now`. */
  startedAt: number;
  /** When its first turn came: what it waits before is not its own time. */
  turnAt: number | undefined;
  attempt: number;
}

function newNumber({ name }: Operation, idempotencyKey: IdempotencyKey, now: () => number): string {
  try {
    return idempotencyKey.generate(new Date(now()));
  } catch {
    throw new FleetError("config", `${name}: no ${idempotencyKey.field} could be made`, {
      operation: name,
      advice: "Check the clock that the client was given, and the operation's idempotencyKey; nothing was sent",
    });
  }
}

/** Settings that also take out of an error what the input holds of private things, should the service repeat it. */
function withoutPrivate(operation: Operation, input: Record<string, unknown>, context: CallContext): DecodeSettings {
  const held = privateInput(operation, input);
  if (held.length === 0) return context.decode;
  return { ...context.decode, redact: redactor(() => [...context.secrets.list(), ...held]) };
}

function prepareCall(operation: Operation, rawInput: unknown, options: CallOptions, context: CallContext): Call {
  const startedAt = performance.now();
  const settings = callSettings(operation, options, context.defaults);
  // An output that no answer could be checked against is refused before anything is sent.
  checkOf(operation.output);
  const input = parseInput(operation, rawInput);
  const { idempotencyKey } = operation;
  const { generatedKey = false, maybeSent = false, finishOnceSent = false } = options.write ?? {};
  const madeHere = idempotencyKey !== undefined && context.numberJobs && input[idempotencyKey.field] === undefined;
  if (madeHere) input[idempotencyKey.field] = newNumber(operation, idempotencyKey, context.now);
  const number = idempotencyKey && (input[idempotencyKey.field] as string | undefined);
  const request = buildRequest(operation, input, { ...context.request, server: context.serverOf(operation) });
  return {
    operation,
    id: context.nextCall(),
    request: operation.effect === "create" ? { ...request, once: true } : request,
    requestBytes: new TextEncoder().encode(request.body).byteLength,
    scheme: context.schemeOf(operation),
    settings,
    signal: options.signal,
    finishOnceSent,
    write:
      operation.effect === "read"
        ? undefined
        : new WriteOutcome(operation, { value: number, generated: madeHere || generatedKey }, maybeSent && operation.effect === "create"),
    decode: withoutPrivate(operation, input, context),
    number,
    startedAt,
    turnAt: undefined,
    attempt: 0,
  };
}

/** Milliseconds that a call has left. */
function timeLeft({ settings, turnAt }: Call): number {
  return turnAt === undefined ? settings.totalTimeout : settings.totalTimeout - (performance.now() - turnAt);
}

function deadlineOf(call: Call): Deadline {
  return { timeout: Math.min(call.settings.timeout, Math.max(timeLeft(call), 0)), signal: call.signal };
}

const credentialHeaders: Record<AuthScheme, (credentials: string) => Record<string, string>> = {
  basic: (credentials) => ({ authorization: `Basic ${credentials}` }),
  bearer: (token) => ({ authorization: `Bearer ${token}` }),
  "connect-token": (token) => ({ "x-connect-token": `TOKEN ${token}` }),
};

interface Exchange {
  answer: HttpResponse | Failure;
  /** The token it was sent with, where that was used before: a 401 may then mean that it ended early. */
  cachedToken: string | undefined;
}

/** One request and its answer, in a turn of its own. */
async function exchange(call: Call, context: CallContext): Promise<Exchange> {
  const { scheme, signal, request } = call;
  const needsToken = scheme !== "basic";
  // Waited for before the turn, so that no turn is held by one who only waits for a token.
  let token = needsToken ? await context.tokens.get(deadlineOf(call)) : undefined;
  const begun = call.turnAt !== undefined;
  const patience = { timeout: begun ? timeLeft(call) : Number.POSITIVE_INFINITY, signal };
  const endTurn = await context.limit.take(call.operation.name, patience, begun);
  try {
    call.turnAt ??= performance.now();
    if (token && !context.tokens.isCurrent(token.token)) token = await context.tokens.get(deadlineOf(call));
    if (call.finishOnceSent && signal?.aborted) throw failureToError("aborted", call.operation.name);
    const headers = { ...request.headers, ...credentialHeaders[scheme](token?.token ?? context.basic) };
    call.attempt += 1;
    const deadline = { ...deadlineOf(call), ...(call.finishOnceSent && { signal: undefined }) };
    const answer = await observed(call, context, () => context.send({ ...request, headers }, deadline));
    return { answer, cachedToken: token?.cached ? token.token : undefined };
  } finally {
    endTurn();
  }
}

async function observed(call: Call, { hooks }: CallContext, send: () => Promise<HttpResponse | Failure>): Promise<HttpResponse | Failure> {
  const event = { operation: call.operation.name, call: call.id, attempt: call.attempt, requestBytes: call.requestBytes };
  tell(hooks.onRequest, event);
  const sentAt = performance.now();
  const answer = await send();
  const duration = performance.now() - sentAt;
  const end = isFailure(answer) ? { failure: answer.kind, responseBytes: 0 } : { status: answer.status, responseBytes: answer.bytes };
  tell(hooks.onResponse, { ...event, ...end, duration });
  return answer;
}

function isFailure(answer: HttpResponse | Failure): answer is Failure {
  return "kind" in answer;
}

function metadataOf(call: Call, { status, bytes }: HttpResponse): CallMetadata {
  return {
    operation: call.operation.name,
    status,
    attempts: call.attempt,
    duration: performance.now() - call.startedAt,
    requestBytes: call.requestBytes,
    responseBytes: bytes,
    ...(call.number !== undefined && { jobNumber: call.number }),
  };
}

/** Milliseconds until the next attempt of a call, or undefined where this failure is its end. */
function nextPause(call: Call, error: FleetError, sent: boolean, retry: number, random: () => number): number | undefined {
  // A token request that failed was repeated by itself.
  if (error.operation !== call.operation.name || retry > call.settings.retries || !mayPass(error)) return undefined;
  if (call.write?.mayRepeat(sent) === false) return undefined;
  const delay = pauseBefore(retry, error, random);
  return delay !== undefined && delay < timeLeft(call) ? delay : undefined;
}

function tellOfRetry(call: Call, { hooks }: CallContext, { code, status }: FleetError, delay: number): void {
  const event = { operation: call.operation.name, call: call.id, attempt: call.attempt, code, delay };
  tell(hooks.onRetry, { ...event, ...(status !== undefined && { status }) });
}

/** Authorises, sends and decodes until there is a result, or no sense in another attempt. */
async function attempts(call: Call, context: CallContext): Promise<ResultWithMetadata<unknown>> {
  const { operation, write } = call;
  let retries = 0;
  let renewals = 0;
  for (;;) {
    let sent = false;
    let answer: HttpResponse | undefined;
    let cachedToken: string | undefined;
    let delay: number | undefined;
    try {
      const end = await exchange(call, context);
      cachedToken = end.cachedToken;
      sent = !isFailure(end.answer) || end.answer.sent;
      if (isFailure(end.answer)) throw failureToError(end.answer.kind, operation.name);
      answer = end.answer;
      const data = decodeResponse(operation, answer, call.decode);
      context.secrets.learn(operation, data);
      return { data: write ? write.settle(data, answer.status) : data, metadata: metadataOf(call, answer) };
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      const inferred = write?.take(error, sent);
      if (inferred && answer) return { data: inferred, metadata: metadataOf(call, answer) };
      if (answer?.status === 401 && cachedToken !== undefined && renewals < context.tokens.mostRenewals) {
        // The token ended before its time: one more try with another one. The refusal leaves no doubt that nothing was done.
        context.tokens.discard(cachedToken);
        renewals += 1;
        delay = 0;
      } else {
        retries += 1;
        delay = nextPause(call, error, sent, retries, context.random);
        if (delay === undefined) throw error;
      }
      tellOfRetry(call, context, error, delay);
    }
    await pause(delay, call.signal, operation.name);
  }
}

/** The whole call: parse, number, build, attempt as often as it makes sense, and report what is known. */
export async function callOperation(
  operation: Operation,
  input: unknown,
  options: CallOptions,
  context: CallContext,
): Promise<ResultWithMetadata<unknown>> {
  const call = prepareCall(operation, input, options, context);
  try {
    return await attempts(call, context);
  } catch (error) {
    throw error instanceof FleetError && call.write ? call.write.judge(error) : error;
  }
}
