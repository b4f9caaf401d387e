import type { Operation } from "../operation.ts";

/** The trace that a call belongs to (W3C Trace Context). */
export interface TraceContext {
  /** Version 00: `00-{32 hex digits}-{16 hex digits}-{2 hex digits}`, in lower case; neither id may be all zeros. */
  traceparent: string;
  /** Data of the tracing systems: `key=value` entries, at most 32, with at most 512 characters in total. */
  tracestate?: string;
}

const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

const VALUE = String.raw`[ -+\--<>-~]{0,255}[!-+\--<>-~]`;
const ENTRY = new RegExp(String.raw`^[a-z\d][a-z\d_*/-]{0,240}(@[a-z][a-z\d_*/-]{0,13})?=${VALUE}$`);

const MAX_ENTRIES = 32;
const MAX_LENGTH = 512;

function isTracestate(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return false;
  const entries = value.split(/ *, */);
  return entries.length <= MAX_ENTRIES && entries.every((entry) => ENTRY.test(entry));
}

/**
 * Parses a trace context from untrusted values, such as headers. Returns undefined unless `traceparent` is well-formed. A malformed
 * `tracestate` is dropped, as W3C Trace Context requires.
 */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  return { traceparent, ...(isTracestate(tracestate) && { tracestate }) };
}

/** Returns the trace id, 32 hex digits, of a trace context from {@link parseTraceContext}. */
export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);

/** Options of one call, which override those of the client. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Time limit in milliseconds for each request, including the response body; by default, the client's, or 30,000. */
  timeout?: number | undefined;
  /** How many times a failed request is retried; by default, the client's, or 2. */
  retries?: number | undefined;
  /**
   * Time limit in milliseconds for all requests of the call and the delays between them, starting when the call gets its first slot; by
   * default, the client's, or three times `timeout`.
   */
  totalTimeout?: number | undefined;
  /** Options for updates and creations; ignored for reads. */
  write?: WriteOptions | undefined;
  /** The trace that the call belongs to, sent as `traceparent` and `tracestate` (W3C Trace Context); ignored unless well-formed. Token requests, which calls share, carry none. */
  trace?: TraceContext | undefined;
}

/** Options for callers that manage idempotency keys themselves, or need to know how a write ended. */
export interface WriteOptions {
  /**
   * Says that the idempotency key in the input was generated for this creation and never used for another. If an attempt may have succeeded and the service
   * then rejects only the key, the call returns the creation as `inferred`.
   */
  generatedKey?: boolean | undefined;
  /** Says that an earlier call, perhaps in another process, may have sent this creation with the same key, so that a failure proves nothing about it. */
  maybeSent?: boolean | undefined;
  /** Once the request is sent, the signal no longer aborts it, so that its outcome becomes known. The signal still prevents retries. */
  finishOnceSent?: boolean | undefined;
  /** Called right before each attempt is sent. If it throws, the attempt is not sent, and the call fails with this error. */
  beforeSend?: (() => Promise<void>) | undefined;
}

/** Details of a call. Contains no secret, header or body. */
export interface CallMetadata {
  /** The operation called, such as `listLivePositions`. */
  operation: string;
  /** HTTP status of the response. */
  status: number;
  /** Number of requests sent, including failed ones but not token requests. */
  attempts: number;
  /** Milliseconds from the call to its result, including all waiting. */
  duration: number;
  /** Size of the request body in bytes. */
  requestBytes: number;
  /** Decompressed size of the response body in bytes. */
  responseBytes: number;
  /** The job number sent with a creation, whether you or the client chose it. */
  jobNumber?: string;
}

/** The result of a call, with details of the call. */
export interface ResultWithMetadata<Output> {
  /** The value that the plain method returns. */
  data: Output;
  /** Details of the call. */
  metadata: CallMetadata;
}

/** A client method that calls one operation. Every failure is a `FleetError`. */
export interface OperationMethod<Input, Output> {
  (input: Input, options?: CallOptions): Promise<Output>;
  /** Makes the same call and also returns its status, attempts, duration and sizes. */
  withMetadata(input: Input, options?: CallOptions): Promise<ResultWithMetadata<Output>>;
}

/** A method whose input is optional. */
export interface OptionalInputMethod<Input, Output> {
  (input?: Input, options?: CallOptions): Promise<Output>;
  /** Makes the same call and also returns its status, attempts, duration and sizes. */
  withMetadata(input?: Input, options?: CallOptions): Promise<ResultWithMetadata<Output>>;
}

/** A method of a paged operation. */
export interface PagedMethod<Input, Page, Item> extends OperationMethod<Input, Page> {
  /** Yields the records of all pages. The options apply to each page. */
  iterate(input: Input, options?: CallOptions): AsyncGenerator<Item, void, void>;
  /** Yields the pages one by one. The options apply to each page. */
  pages(input: Input, options?: CallOptions): AsyncGenerator<Page, void, void>;
}

/** A method of a paged operation whose input is optional. */
export interface OptionalInputPagedMethod<Input, Page, Item> extends OptionalInputMethod<Input, Page> {
  /** Yields the records of all pages. The options apply to each page. */
  iterate(input?: Input, options?: CallOptions): AsyncGenerator<Item, void, void>;
  /** Yields the pages one by one. The options apply to each page. */
  pages(input?: Input, options?: CallOptions): AsyncGenerator<Page, void, void>;
}

/** A method that returns one list and whose input is optional. */
export interface OptionalInputListMethod<Input, Item> extends OptionalInputMethod<Input, Item[]> {
  /**
   * Yields the records as they arrive, so that memory use does not grow with the list. `timeout` then limits the time without data, and nothing is
   * retried after the response has started.
   */
  iterate(input?: Input, options?: CallOptions): AsyncGenerator<Item, void, void>;
}

/** Calls an operation that has no method of its own. */
export interface RequestMethod {
  <Input, Output>(operation: Operation<Input, Output>, input: Input, options?: CallOptions): Promise<Output>;
  /** Makes the same call and also returns its status, attempts, duration and sizes. */
  withMetadata<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options?: CallOptions,
  ): Promise<ResultWithMetadata<Output>>;
}
