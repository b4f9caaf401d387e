import type { Operation } from "../operation.ts";
import { type CallContext, callOperation } from "./call-operation.ts";
import { checkText, contractError, MALFORMED, reportDrift } from "./check-body.ts";
import { DriftTotal } from "./drift.ts";
import type { CallOptions } from "./method.ts";
import { MalformedList, RecordScanner } from "./record-scanner.ts";
import type { BodyReader } from "./response-body.ts";
import { callSettings } from "./retry-policy.ts";
import { type Deadline, type Failure, failureToError, watchDeadline } from "./transport.ts";

/** Whether an operation's answer is a list of records, which can be read one by one. */
export function answersWithList({ output }: Operation): boolean {
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

async function readWithin(deadline: Deadline, body: BodyReader): Promise<Uint8Array | Failure | undefined> {
  if (deadline.signal?.aborted) return { kind: "aborted", sent: true };
  let reason: "timeout" | "aborted" | undefined;
  const stopWatching = watchDeadline(deadline, (why) => {
    reason ??= why;
    body.cancel();
  });
  try {
    const bytes = await body.read();
    // Another listener may have closed the body before ours was told.
    if (deadline.signal?.aborted) reason ??= "aborted";
    return reason ? { kind: reason, sent: true } : bytes;
  } catch {
    return { kind: reason ?? "network", sent: true };
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
      if ("kind" in bytes) throw failureToError(bytes, operation.name);
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
  signal?.addEventListener("abort", body.cancel, { once: true });
  try {
    for await (const list of recordLists({ operation, status, body, deadline })) {
      const checked = checkText(operation, status, list);
      total.add(checked.drift);
      if (decode.validation === "strict") reportDrift(operation, status, total.list(), decode);
      for (const record of checked.body as unknown[]) {
        if (signal?.aborted) throw failureToError({ kind: "aborted", sent: true }, operation.name);
        yield record;
      }
    }
  } finally {
    signal?.removeEventListener("abort", body.cancel);
    body.cancel();
    if (decode.validation === "tolerant") reportDrift(operation, status, total.list(), decode);
  }
}
