import type { Operation } from "../operation.ts";
import { type CallContext, callOperation } from "./call-operation.ts";
import { checkText, contractError, MALFORMED, reportDrift } from "./check-body.ts";
import { DriftTotal } from "./drift.ts";
import type { CallOptions } from "./operation-method.ts";
import { MalformedList, RecordScanner } from "./record-scanner.ts";
import type { BodyReader } from "./response-body.ts";
import { callSettings } from "./retry-policy.ts";
import { type Deadline, type FailureKind, failureToError, watchDeadline } from "./transport.ts";

/** Whether an operation's answer is a list of records, which can be read one by one. */
export function returnsList({ output }: Operation): boolean {
  return output._zod.def.type === "array";
}

/** A successful answer whose body is yet to be read. */
interface RecordStream {
  operation: Operation;
  status: number;
  body: BodyReader;
  /** Of each read: how long the service may be silent. What the caller does between records takes no part of it. */
  deadline: Deadline;
}

// A body may come in one piece; what is parsed at a time stays small all the same.
const LARGEST_PIECE = 64 * 1024;

/** The next bytes of a body that is cancelled where its caller aborts; else why there are none. */
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

/** The lists of records that a body is cut into. */
async function* recordLists({ operation, status, body, deadline }: RecordStream): AsyncGenerator<string> {
  const scanner = new RecordScanner();
  try {
    for (;;) {
      const bytes = await readWithin(deadline, body);
      if (bytes === undefined) break;
      if (typeof bytes === "string") throw failureToError(bytes, operation.name);
      for (let at = 0; at < bytes.length; at += LARGEST_PIECE) {
        const list = scanner.take(bytes.subarray(at, at + LARGEST_PIECE));
        if (list !== undefined) yield list;
      }
    }
    scanner.end();
  } catch (error) {
    throw error instanceof MalformedList ? contractError(operation, status, MALFORMED[error.why]) : error;
  }
}

/** Calls an operation and gives its records as they come, each checked as in a whole answer. What differed is reported once, however the reading ends. */
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
  const { signal } = options;
  const deadline = { timeout: callSettings(operation, options, context.defaults).timeout, signal };
  const total = new DriftTotal();
  // Also while nobody asks for the next record: a loop that is forgotten would else hold its connection.
  signal?.addEventListener("abort", body.cancel);
  try {
    for await (const list of recordLists({ operation, status, body, deadline })) {
      const checked = checkText(operation, status, list);
      total.add(checked.drift);
      if (decode.validation === "strict") reportDrift(operation, status, total.list(), decode);
      for (const record of checked.body as unknown[]) {
        if (signal?.aborted) throw failureToError("aborted", operation.name);
        yield record;
      }
    }
  } finally {
    signal?.removeEventListener("abort", body.cancel);
    body.cancel();
    if (decode.validation === "tolerant") reportDrift(operation, status, total.list(), decode);
  }
}
