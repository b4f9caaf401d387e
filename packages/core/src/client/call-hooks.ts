import type { FleetErrorCode } from "../errors.ts";
import type { TraceContext } from "./operation-method.ts";

/** A request about to be sent. Events never contain a secret, a URL, a header or a body. */
export interface RequestEvent {
  /** Name of the operation, such as `listLivePositions`; `requestAccessToken` for the client's own token requests. */
  operation: string;
  /** Identifies the call: the same in all events of one call, different for every call that the client makes. */
  call: number;
  /** 1 for the first request of the call. */
  attempt: number;
  /** Size of the request body in bytes. */
  requestBytes: number;
  /** The trace that the request is sent with, if the call has one. */
  trace?: TraceContext;
}

/** How a request ended. Every `onRequest` is followed by exactly one `onResponse`. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status; absent if no complete response arrived. */
  status?: number;
  /** Why no complete response arrived. */
  failure?: "timeout" | "aborted" | "network";
  /** Milliseconds from the request to the end of the response body, or to its start if the list is streamed. */
  duration: number;
  /** Decompressed size of the response body in bytes; 0 if the list is streamed. */
  responseBytes: number;
}

/** A failed attempt that will be retried. */
export interface RetryEvent {
  /** The operation called, such as `listLivePositions`. */
  operation: string;
  /** Identifies the call; the same as in its other events. */
  call: number;
  /** The attempt that failed. */
  attempt: number;
  /** The error code of the failure. */
  code: FleetErrorCode;
  /** HTTP status of the failed attempt, if there was a response. */
  status?: number;
  /** Milliseconds until the next attempt. */
  delay: number;
}

/** Functions called as requests are made. Whatever they throw is ignored. */
export interface CallHooks {
  /** Called before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each request, whether it succeeded or failed. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before each retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
}
