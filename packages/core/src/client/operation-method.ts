import type { Operation } from "../operation.ts";

/** Settings of one call, over those of the client. */
export interface CallOptions {
  /** Ends the call when it fires. */
  signal?: AbortSignal;
  /** Milliseconds for headers and body of each request; 30,000 unless the client is told otherwise. */
  timeout?: number;
  /** How often a request that failed is sent again; 2 unless the client is told otherwise. 0 sends it once. */
  retries?: number;
  /** Milliseconds for all requests of the call and the pauses between them, from its first turn on; three times `timeout` unless told otherwise. */
  totalTimeout?: number;
  /** Settings of a call that updates or creates; reads ignore them. */
  write?: WriteOptions;
}

/** What a caller that keeps the number of a creation, or wants to know how a write ends, says of it. */
export interface WriteOptions {
  /**
   * Of a creation: the number was generated for this creation and given to no other. Once an attempt may have been carried out, a refusal of the number alone then means
   * that it was created (`inferred`).
   */
  generatedKey?: boolean;
  /** Of a creation: an earlier call, perhaps of a process that has ended, may have sent it under the same number: no failure of this call means that it was not created. */
  maybeSent?: boolean;
  /** Once a request is out, the signal no longer ends the call, so that its outcome becomes known; it still keeps further attempts from being made. */
  finishOnceSent?: boolean;
}

/** What is known of a call beside its result. It holds no secret, header or body. */
export interface CallMetadata {
  /** The operation that was called, such as `listLivePositions`. */
  operation: string;
  /** HTTP status of the answer that the result was read from. */
  status: number;
  /** Requests that the call took, those included that were answered with a failure. Token requests are not counted. */
  attempts: number;
  /** Milliseconds from the call to its result, all waiting included. */
  duration: number;
  /** Bytes of the request's body. */
  requestBytes: number;
  /** Bytes of the answer's body, decompressed. */
  responseBytes: number;
  /** The number that a creation was sent with, whoever made it. */
  jobNumber?: string;
}

/** A result and what is known of the call that brought it. */
export interface ResultWithMetadata<Output> {
  /** What the call gives. */
  data: Output;
  /** What is known of the call. */
  metadata: CallMetadata;
}

/** A method of the client: one operation. Every failure is a `FleetError`. */
export interface OperationMethod<Input, Output> {
  (input: Input, options?: CallOptions): Promise<Output>;
  /** The same call; its result comes with status, attempts, duration and sizes. */
  withMetadata(input: Input, options?: CallOptions): Promise<ResultWithMetadata<Output>>;
}

/** A method of an operation that requires no input. */
export interface OptionalInputMethod<Input, Output> {
  (input?: Input, options?: CallOptions): Promise<Output>;
  /** The same call; its result comes with status, attempts, duration and sizes. */
  withMetadata(input?: Input, options?: CallOptions): Promise<ResultWithMetadata<Output>>;
}

/** A method of an operation whose answer comes in pages. */
export interface PagedMethod<Input, Page, Item> extends OperationMethod<Input, Page> {
  /** Reads page after page and gives their records one by one. The call's options hold for each page. */
  iterate(input: Input, options?: CallOptions): AsyncGenerator<Item, void, void>;
  /** Reads page after page and gives each as a single call does. */
  pages(input: Input, options?: CallOptions): AsyncGenerator<Page, void, void>;
}

/** A method of an operation whose answer comes in pages and that requires no input. */
export interface OptionalInputPagedMethod<Input, Page, Item> extends OptionalInputMethod<Input, Page> {
  /** Reads page after page and gives their records one by one. The call's options hold for each page. */
  iterate(input?: Input, options?: CallOptions): AsyncGenerator<Item, void, void>;
  /** Reads page after page and gives each as a single call does. */
  pages(input?: Input, options?: CallOptions): AsyncGenerator<Page, void, void>;
}

/** A method of an operation whose answer is one list and that requires no input. */
export interface OptionalInputListMethod<Input, Item> extends OptionalInputMethod<Input, Item[]> {
  /**
   * Gives the records of the list as they arrive, so that memory does not grow with the list. `timeout` is then how long the service may be silent, and
   * once the answer has begun nothing is tried again.
   */
  iterate(input?: Input, options?: CallOptions): AsyncGenerator<Item, void, void>;
}

/** Calls an operation that the client has no method for. */
export interface RequestMethod {
  <Input, Output>(operation: Operation<Input, Output>, input: Input, options?: CallOptions): Promise<Output>;
  /** The same call; its result comes with status, attempts, duration and sizes. */
  withMetadata<Input, Output>(
    operation: Operation<Input, Output>,
    input: Input,
    options?: CallOptions,
  ): Promise<ResultWithMetadata<Output>>;
}
