import { createFetch } from "ofetch";
import { FleetError } from "../errors.ts";
import { type BodyReader, openBody, readAll } from "./response-body.ts";

/** A request ready to send. Its headers contain credentials: never attach it to an error or log it. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Set if the request must not be sent twice. */
  once?: true;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Decompressed size of the body. */
  bytes: number;
  /** Set if the body was discarded because it exceeds the maximum size. */
  tooLarge?: true;
  /** The unread body of a successful response, if it is streamed. */
  body?: BodyReader;
}

export interface Deadline {
  /** Milliseconds for the headers and body together. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

export type FailureKind = "timeout" | "aborted" | "network";

/** Why there is no response, and whether the request was sent: a request that must not be sent twice is retried only if it was not. */
export type Failure = {
  kind: FailureKind;
  sent: boolean;
  /** Set if the response had begun: the service no longer works on the request. */
  responded?: true;
};

export type Send = (request: HttpRequest, deadline: Deadline) => Promise<HttpResponse | Failure>;

// Error codes of Node's fetch when no connection was made. In other runtimes, the request counts as sent. An established connection may break with the
// same codes, but in a different system call.
const NEVER_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);
const CONNECTING = new Set<unknown>(["connect", "getaddrinfo", undefined]);

function neverConnected(error: unknown): boolean {
  for (let depth = 0, current = error; depth < 4 && current instanceof Error; depth++, current = current.cause) {
    const { code, syscall } = current as { code?: unknown; syscall?: unknown };
    if (NEVER_CONNECTED.has(String(code))) return CONNECTING.has(syscall);
  }
  return false;
}

// A longer delay would overflow the timer and fire immediately.
const MAX_TIMER_DELAY = 2 ** 31 - 1;

const listeners = new WeakMap<AbortSignal, { runs: Set<() => void>; fire: () => void }>();

function listenerOn(signal: AbortSignal) {
  const known = listeners.get(signal);
  if (known) return known;
  const runs = new Set<() => void>();
  const fire = () => {
    listeners.delete(signal);
    for (const run of runs) run();
  };
  signal.addEventListener("abort", fire, { once: true });
  listeners.set(signal, { runs, fire });
  return { runs, fire };
}

/** Calls `run` when the signal fires. Returns a function that stops listening. Calls share one listener per signal, because Node warns of more than ten. */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (!signal) return () => {};
  const { runs, fire } = listenerOn(signal);
  runs.add(run);
  return () => {
    runs.delete(run);
    if (runs.size > 0 || listeners.get(signal)?.fire !== fire) return;
    listeners.delete(signal);
    signal.removeEventListener("abort", fire);
  };
}

/** Calls `onMissed` once, when the deadline passes or the signal fires. Returns a function that stops watching. */
export function watchDeadline({ timeout, signal }: Deadline, onMissed: (why: "timeout" | "aborted") => void): () => void {
  const stop = () => {
    clearTimeout(timer);
    ignoreSignal();
  };
  const miss = (why: "timeout" | "aborted") => {
    stop();
    onMissed(why);
  };
  const timer = setTimeout(() => miss("timeout"), Math.min(timeout, MAX_TIMER_DELAY));
  const ignoreSignal = onAbort(signal, () => miss("aborted"));
  return stop;
}

const { process } = globalThis as { process?: { versions?: { undici?: string }; type?: string } };

// Node's fetch resends a request after 421, as the standard requires, unless its body can be read only once. Other runtimes get a string: browsers cannot
// send a stream over HTTP/1.1.
const resendsAfter421 = process?.versions?.undici !== undefined && process.type !== "renderer";

/** The headers and body to send. A custom fetch always gets a string, because it may inspect the body. */
function bodyOf({ body, headers, once }: HttpRequest, customFetch: boolean): Pick<RequestInit, "headers" | "body"> {
  if (once === undefined || customFetch || !resendsAfter421) return { headers, ...(body !== undefined && { body }) };
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  // Without a content-length, a stream would be sent chunked.
  return { headers: { ...headers, "content-length": String(bytes.length) }, body: stream };
}

interface Connection {
  controller: AbortController;
  /** The response body, once it has started. */
  body: BodyReader | undefined;
}

const isSuccess = ({ status }: Response) => status >= 200 && status <= 299;

interface TransportOptions {
  /** Maximum decompressed size of a body that is read whole. */
  maxResponseBytes: number;
  /** `stream` leaves the body of a successful response open. */
  responseBody: "whole" | "stream";
  /** Whether the caller passed its own fetch. */
  customFetch: boolean;
}

/**
 * Returns a function that sends one request and reads the whole response body within the deadline, or leaves the body of a successful response open if it is
 * streamed. Never follows a redirect, which could send credentials to another origin.
 */
export function createTransport(fetch: typeof globalThis.fetch, { maxResponseBytes, responseBody, customFetch }: TransportOptions): Send {
  let raw: ReturnType<typeof createFetch>["raw"] | undefined;

  async function exchange(request: HttpRequest, connection: Connection): Promise<HttpResponse | Failure> {
    try {
      // Created late, because it makes Node load its fetch.
      raw ??= createFetch({ fetch }).raw;
      const response = await raw(request.url, {
        method: request.method,
        ...bodyOf(request, customFetch),
        redirect: "manual",
        retry: false,
        ignoreResponseError: true,
        responseType: "stream",
        signal: connection.controller.signal,
      });
      const { status, headers: received } = response;
      const streamed = responseBody === "stream" && isSuccess(response);
      const tooLarge: HttpResponse = { status, headers: received, text: "", bytes: 0, tooLarge: true };
      // If compressed, the body is even larger than its content-length.
      if (!streamed && Number(received.get("content-length")) > maxResponseBytes) {
        connection.controller.abort();
        response.body?.cancel().catch(() => {});
        return tooLarge;
      }
      connection.body = await openBody(response, connection.controller);
      if (connection.controller.signal.aborted) connection.body.cancel();
      if (streamed) return { status, headers: received, text: "", bytes: 0, body: connection.body };
      const bytes = await readAll(connection.body, maxResponseBytes);
      if (bytes === undefined) return tooLarge;
      return { status, headers: received, text: connection.body.decode(bytes).replace(/^\ufeff/, ""), bytes: bytes.length };
    } catch (error) {
      return { kind: "network", sent: !neverConnected(error) };
    }
  }

  return (request, deadline) =>
    new Promise((resolve) => {
      if (deadline.signal?.aborted) return resolve({ kind: "aborted", sent: false });
      const connection: Connection = { controller: new AbortController(), body: undefined };
      const stopWatching = watchDeadline(deadline, (kind) => {
        // Resolve here, because a custom fetch may ignore the signal.
        resolve({ kind, sent: true, ...(connection.body && { responded: true }) });
        if (connection.body) connection.body.cancel();
        else connection.controller.abort();
      });
      exchange(request, connection).then((end) => {
        stopWatching();
        resolve(end);
      });
    });
}

/** Waits before a retry; rejects as soon as the signal fires. */
export function sleep(delay: number, signal: AbortSignal | undefined, operation: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(failureToError("aborted", operation));
    if (signal?.aborted) return aborted();
    watchDeadline({ timeout: delay, signal }, (why) => {
      if (why === "aborted") aborted();
      else resolve();
    });
  });
}

const FAILURES = {
  timeout: ["no complete response arrived within the timeout", "Try again, or increase the timeout option"],
  aborted: ["the caller aborted the call", "Nothing to do: the call was aborted on purpose"],
  network: ["the service could not be reached, or the connection broke", "Check the server URL and the network, then try again"],
} as const;

export function failureToError(kind: FailureKind, operation: string): FleetError {
  const [message, advice] = FAILURES[kind];
  return new FleetError(kind, `${operation}: ${message}`, { operation, advice });
}
