import { FleetError } from "../errors.ts";
import { notify } from "../notify.ts";
import type { AuthScheme, Operation } from "../operation.ts";
import type { Token, TokenSource } from "./access-token.ts";
import { buildRequest, type RequestSettings } from "./build-request.ts";
import type { CallHooks } from "./call-hooks.ts";
import { checkOf } from "./compile-check.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { type DecodeSettings, decodeResponse } from "./decode-response.ts";
import { type CallMetadata, type CallOptions, parseTraceContext, type ResultWithMetadata, type TraceContext } from "./operation-method.ts";
import { parseInput } from "./parse-input.ts";
import { confidentialValues, type KnownSecrets, redactor } from "./redaction.ts";
import { type CallSettings, callSettings, isTransient, MAX_DELAY, retryDelay } from "./retry-policy.ts";
import { type Deadline, type Failure, failureToError, type HttpRequest, type HttpResponse, type Send, sleep } from "./transport.ts";
import { addIdempotencyKey, WriteOutcome } from "./write-outcome.ts";

/** State shared by all calls of a client. */
export interface CallContext {
  send: Send;
  /** Like `send`, but leaves the body of a successful response open. */
  open: Send;
  /** Options for calls that do not set their own. */
  defaults: CallOptions;
  basic: string;
  tokens: TokenSource;
  limit: ConcurrencyLimit;
  hooks: CallHooks;
  request: Omit<RequestSettings, "server">;
  decode: DecodeSettings;
  /** Values that errors must not contain, even if the service repeats them. */
  secrets: KnownSecrets;
  serverOf(operation: Operation): string;
  schemeOf(operation: Operation): AuthScheme;
  now(): number;
  random(): number;
  /** Returns the number of the next call, which identifies it in hook events. */
  nextCall(): number;
  generateKeys: boolean;
  /** Whether the service lists a record with this key; false if there is no list, or it cannot be read. */
  isListed(operation: Operation, key: string, options: CallOptions): Promise<boolean>;
}

/** A call in progress. */
interface Call {
  operation: Operation;
  id: number;
  input: Record<string, unknown>;
  request: HttpRequest;
  requestBytes: number;
  trace: TraceContext | undefined;
  scheme: AuthScheme;
  settings: CallSettings;
  signal: AbortSignal | undefined;
  /** Whether a request already sent continues after the signal fires. */
  finishOnceSent: boolean;
  beforeSend: (() => Promise<void>) | undefined;
  /** Tracks an update or a creation; undefined for a read. */
  write: WriteOutcome | undefined;
  decode: DecodeSettings;
  jobNumber: string | undefined;
  /** As returned by `performance.now()`. */
  startedAt: number;
  /** When the call got its first slot; the wait for it does not count towards `totalTimeout`. */
  firstSlotAt: number | undefined;
  attempt: number;
}

/** Also redacts confidential input values from errors, in case the service repeats them. */
function withConfidentialInput(operation: Operation, input: Record<string, unknown>, context: CallContext): DecodeSettings {
  const values = confidentialValues(operation, input);
  if (values.length === 0) return context.decode;
  return { ...context.decode, redact: redactor(() => [...context.secrets.list(), ...values]) };
}

function prepareCall(operation: Operation, rawInput: unknown, options: CallOptions, context: CallContext): Call {
  const startedAt = performance.now();
  const settings = callSettings(operation, options, context.defaults);
  // Before anything is sent, reject an output schema that cannot be checked.
  checkOf(operation.output);
  const input = parseInput(operation, rawInput);
  const { generatedKey = false, maybeSent = false, finishOnceSent = false, beforeSend } = options.write ?? {};
  const { effect } = operation;
  const key = addIdempotencyKey(operation, input, context);
  const sentKey = { value: key?.value, generated: key?.generated === true || generatedKey };
  const trace = parseTraceContext(options.trace?.traceparent, options.trace?.tracestate);
  const request = buildRequest(operation, input, { ...context.request, server: context.serverOf(operation), trace });
  return {
    operation,
    id: context.nextCall(),
    input,
    request: effect === "create" ? { ...request, once: true } : request,
    requestBytes: new TextEncoder().encode(request.body).byteLength,
    trace,
    scheme: context.schemeOf(operation),
    settings,
    signal: options.signal,
    finishOnceSent,
    beforeSend: effect === "read" ? undefined : beforeSend,
    write: effect === "read" ? undefined : new WriteOutcome(operation, sentKey, maybeSent && effect === "create"),
    decode: withConfidentialInput(operation, input, context),
    jobNumber: key?.value,
    startedAt,
    firstSlotAt: undefined,
    attempt: 0,
  };
}

/** Milliseconds left of `totalTimeout`. */
function timeLeft({ settings, firstSlotAt }: Call): number {
  return firstSlotAt === undefined ? settings.totalTimeout : settings.totalTimeout - (performance.now() - firstSlotAt);
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
  response: HttpResponse | Failure;
  /** The token sent, and whether it came from the cache: a rejection may then mean that it expired early. */
  token: Token | undefined;
}

/** Sends one request and waits for its response while holding a slot. */
async function exchange(call: Call, context: CallContext): Promise<Exchange> {
  const { scheme, signal, request } = call;
  const needsToken = scheme !== "basic";
  // Get the token first, so that no slot is held while waiting for it.
  let token = needsToken ? await context.tokens.get(deadlineOf(call)) : undefined;
  const isRetry = call.firstSlotAt !== undefined;
  const slotDeadline = { timeout: isRetry ? timeLeft(call) : Number.POSITIVE_INFINITY, signal };
  const releaseSlot = await context.limit.acquire(call.operation.name, slotDeadline, isRetry);
  try {
    call.firstSlotAt ??= performance.now();
    if (token && !context.tokens.isCurrent(token.token)) token = await context.tokens.get(deadlineOf(call));
    await call.beforeSend?.();
    if (call.finishOnceSent && signal?.aborted) throw failureToError("aborted", call.operation.name);
    if (timeLeft(call) <= 0) throw failureToError("timeout", call.operation.name);
    const headers = { ...request.headers, ...credentialHeaders[scheme](token?.token ?? context.basic) };
    call.attempt += 1;
    const deadline = { ...deadlineOf(call), ...(call.finishOnceSent && { signal: undefined }) };
    const response = await withHooks(call, context, () => context.send({ ...request, headers }, deadline));
    return { response, token };
  } finally {
    releaseSlot();
  }
}

async function withHooks(call: Call, { hooks }: CallContext, send: () => Promise<HttpResponse | Failure>): Promise<HttpResponse | Failure> {
  const { operation, id, attempt, requestBytes, trace } = call;
  const event = { operation: operation.name, call: id, attempt, requestBytes, ...(trace && { trace }) };
  notify(hooks.onRequest, event);
  const sentAt = performance.now();
  const response = await send();
  const duration = performance.now() - sentAt;
  const end = isFailure(response)
    ? { failure: response.kind, responseBytes: 0 }
    : { status: response.status, responseBytes: response.bytes };
  notify(hooks.onResponse, { ...event, ...end, duration });
  return response;
}

function isFailure(response: HttpResponse | Failure): response is Failure {
  return "kind" in response;
}

function metadataOf(call: Call, { status, bytes }: HttpResponse): CallMetadata {
  return {
    operation: call.operation.name,
    status,
    attempts: call.attempt,
    duration: performance.now() - call.startedAt,
    requestBytes: call.requestBytes,
    responseBytes: bytes,
    ...(call.jobNumber !== undefined && { jobNumber: call.jobNumber }),
  };
}

/** Milliseconds until the next attempt of a call, or undefined if this failure is final. */
function nextRetryDelay(call: Call, error: FleetError, sent: boolean, retry: number, random: () => number): number | undefined {
  // A failed token request has already been retried by its own call.
  if (error.operation !== call.operation.name || retry > call.settings.retries || !isTransient(error)) return undefined;
  if (call.write?.canRetry(sent) === false) return undefined;
  const delay = retryDelay(retry, error, random);
  return delay !== undefined && delay < timeLeft(call) ? delay : undefined;
}

function notifyRetry(call: Call, { hooks }: CallContext, { code, status }: FleetError, delay: number): void {
  const event = { operation: call.operation.name, call: call.id, attempt: call.attempt, code, delay };
  notify(hooks.onRetry, { ...event, ...(status !== undefined && { status }) });
}

/** Options for a look-up that leaves a call time to ask once more. */
function lookUpOptions(call: Call): CallOptions {
  const timeout = Math.max(Math.min(call.settings.timeout, timeLeft(call) / 2), 1);
  return { timeout, totalTimeout: timeout, retries: 0, ...(call.signal && { signal: call.signal }) };
}

/** Authenticates, sends and decodes until there is a result or a retry would not help. */
async function attempts(call: Call, context: CallContext): Promise<ResultWithMetadata<unknown>> {
  const { operation, write } = call;
  let retries = 0;
  let refreshes = 0;
  let askedAgain = false;
  for (;;) {
    let sent = false;
    let ended = false;
    let response: HttpResponse | undefined;
    let token: Token | undefined;
    let delay: number | undefined;
    try {
      const end = await exchange(call, context);
      token = end.token;
      sent = !isFailure(end.response) || end.response.sent;
      ended = isFailure(end.response) && end.response.responded === true;
      if (isFailure(end.response)) throw failureToError(end.response.kind, operation.name);
      response = end.response;
      const data = decodeResponse(operation, response, call.decode, call.input);
      context.secrets.remember(operation, data);
      return { data: write ? write.succeed(data, response.status) : data, metadata: metadataOf(call, response) };
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      const isListed = (key: string) => context.isListed(operation, key, lookUpOptions(call));
      const inferred = write?.fail(error, sent, ended) ?? (await write?.prove(error, askedAgain, isListed));
      if (inferred && response) return { data: inferred, metadata: metadataOf(call, response) };
      if (write?.isInDoubt(error) && !askedAgain) {
        askedAgain = true;
        delay = Math.min(MAX_DELAY, Math.max(timeLeft(call), 0) / 2);
      } else if (token && response && context.tokens.isWorthRenewing(token, response, operation.name, refreshes)) {
        // Try again with a new one, which is safe because the rejection means that nothing was done.
        context.tokens.invalidate(token.token);
        refreshes += 1;
        delay = 0;
      } else {
        retries += 1;
        delay = nextRetryDelay(call, error, sent, retries, context.random);
        if (delay === undefined) throw error;
      }
      notifyRetry(call, context, error, delay);
    }
    await sleep(delay, call.signal, operation.name);
  }
}

/**
 * Runs a call: parses the input, sends the request, retries it if that can help, and decodes the response. With `firstSlotAt`, it is part of a call that got
 * its first slot then.
 */
export async function callOperation(
  operation: Operation,
  input: unknown,
  options: CallOptions,
  context: CallContext,
  firstSlotAt?: number,
): Promise<ResultWithMetadata<unknown>> {
  const call: Call = { ...prepareCall(operation, input, options, context), firstSlotAt };
  try {
    return await attempts(call, context);
  } catch (error) {
    throw error instanceof FleetError && call.write ? call.write.finalError(error) : error;
  }
}
