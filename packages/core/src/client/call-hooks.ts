import type { FleetErrorCode } from "../errors.ts";

/** A request that is about to go out. No event holds a secret, an address, a header or a body. */
export interface RequestEvent {
  /** Such as `listLivePositions`; `requestAccessToken` for the client's own token requests. */
  operation: string;
  /** The same number in every event of one call, another one for each call of the client. */
  call: number;
  /** 1 for the first request of the call. */
  attempt: number;
  /** Bytes of the request's body. */
  requestBytes: number;
}

/** How a request ended: each `onRequest` is followed by one `onResponse`, whatever happens. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; absent where no complete answer came. */
  status?: number;
  /** Why no complete answer came. */
  failure?: "timeout" | "aborted" | "network";
  /** Milliseconds from the request to the end of the answer's body; of a list that is read as it streams, to its beginning. */
  duration: number;
  /** Bytes of the answer's body, decompressed; 0 of a list that is read as it streams. */
  responseBytes: number;
}

/** An attempt that failed and is followed by another one. */
export interface RetryEvent {
  /** The operation that was called, such as `listLivePositions`. */
  operation: string;
  /** The call's number, as in its other events. */
  call: number;
  /** The attempt that failed. */
  attempt: number;
  /** What it failed with. */
  code: FleetErrorCode;
  /** Its HTTP status, where an answer came. */
  status?: number;
  /** Milliseconds until the next attempt. */
  delay: number;
}

/** Told of what calls do. Whatever they throw is ignored: a call never fails for its listener. */
export interface CallHooks {
  /** Told of each request before it is sent. */
  onRequest?: (event: RequestEvent) => void;
  /** Told how each request ended. */
  onResponse?: (event: ResponseEvent) => void;
  /** Told of each attempt that failed and is followed by another one. */
  onRetry?: (event: RetryEvent) => void;
}

/** Tells a listener, whose failures are its own: after a creation they would hide what was made. */
export function tell<Event>(listener: ((event: Event) => unknown) | undefined, event: Event): void {
  try {
    const answer = listener?.(event);
    // An async listener is allowed by its type, and its rejection would end a Node process.
    if (answer instanceof Promise) answer.catch(() => {});
  } catch {}
}
