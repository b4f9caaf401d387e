import { withDetails } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { definitionOf } from "../schemas/schema-walk.ts";
import { type CallContext, callOperation } from "./call-operation.ts";
import { checkText, malformedError, reportDrift } from "./check-body.ts";
import { DriftTotal } from "./drift.ts";
import type { CallOptions } from "./operation-method.ts";
import { MalformedList, RecordScanner } from "./record-scanner.ts";
import type { BodyReader } from "./response-body.ts";
import { callSettings } from "./retry-policy.ts";
import { type Deadline, type FailureKind, failureToError, onAbort, watchDeadline } from "./transport.ts";

/** Whether an operation returns a list, which can be streamed record by record. */
export function returnsList({ output }: Operation): boolean {
  return definitionOf(output).type === "array";
}

/** A successful response whose body is still unread. */
interface RecordStream {
  operation: Operation;
  status: number;
  body: BodyReader;
  /** Applies to the wait for a complete record; time that the caller spends between records does not count. */
  deadline: Deadline;
  /** Milliseconds for all waits together. */
  totalTimeout: number;
}

// Limits how much is parsed at once, even if the body arrives in one chunk.
const MAX_CHUNK = 64 * 1024;

/** Returns the next bytes of a body, undefined at its end, or why reading failed. The caller's signal cancels the body. */
async function readWithin({ timeout, signal }: Deadline, body: BodyReader): Promise<Uint8Array | FailureKind | undefined> {
  if (signal?.aborted) return "aborted";
  let late = false;
  const stopWatching = watchDeadline({ timeout }, () => {
    late = true;
    body.cancel();
  });
  const missed = () => {
    if (late) return "timeout";
    return signal?.aborted ? "aborted" : undefined;
  };
  try {
    const bytes = await body.read();
    return missed() ?? bytes;
  } catch {
    return missed() ?? "network";
  } finally {
    stopWatching();
  }
}

/** Splits a body into JSON lists of complete records. */
async function* recordLists({ operation, status, body, deadline, totalTimeout }: RecordStream): AsyncGenerator<string> {
  const scanner = new RecordScanner(body.decode);
  // Bytes alone are no progress: a service may send spaces forever.
  let [sinceRecord, inAll] = [0, 0];
  try {
    for (;;) {
      const begun = performance.now();
      const timeout = Math.max(0, Math.min(deadline.timeout - sinceRecord, totalTimeout - inAll));
      const bytes = await readWithin({ ...deadline, timeout }, body);
      const waited = performance.now() - begun;
      [sinceRecord, inAll] = [sinceRecord + waited, inAll + waited];
      if (bytes === undefined) break;
      if (typeof bytes === "string") throw withDetails(failureToError(bytes, operation.name), { status });
      for (let at = 0; at < bytes.length; at += MAX_CHUNK) {
        const list = scanner.push(bytes.subarray(at, at + MAX_CHUNK));
        if (list === undefined) continue;
        sinceRecord = 0;
        yield list;
      }
    }
    scanner.end();
  } catch (error) {
    if (!(error instanceof MalformedList)) throw error;
    throw malformedError(operation, status, error.why === "not JSON" && scanner.started ? "invalid JSON" : error.why);
  }
}

/** Calls an operation and yields its records as they arrive, checked like a whole response. Reports drift once, however the loop ends. */
export async function* streamRecords(
  operation: Operation,
  input: unknown,
  options: CallOptions,
  context: CallContext,
): AsyncGenerator<unknown, void, void> {
  const { data, metadata } = await callOperation(operation, input, options, { ...context, send: context.open });
  const { status } = metadata;
  const { decode } = context;
  const body = data as BodyReader;
  // By default, a list may take as long as its records keep arriving.
  const { signal, totalTimeout = Number.POSITIVE_INFINITY } = options;
  const deadline = { timeout: callSettings(operation, options, context.defaults).timeout, signal };
  const total = new DriftTotal();
  // Also cancel between records: an abandoned loop would otherwise keep its connection open.
  const ignoreSignal = onAbort(signal, () => body.cancel());
  try {
    for await (const list of recordLists({ operation, status, body, deadline, totalTimeout })) {
      const checked = checkText(operation, status, list);
      total.add(checked.drift);
      if (decode.validation === "strict") reportDrift(operation, status, total.list(), decode);
      for (const record of checked.body as unknown[]) {
        if (signal?.aborted) throw failureToError("aborted", operation.name);
        yield record;
      }
    }
  } finally {
    ignoreSignal();
    body.cancel();
    if (decode.validation === "tolerant") reportDrift(operation, status, total.list(), decode);
  }
}
