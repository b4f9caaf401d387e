import { createFetch } from "ofetch";
import { FleetError } from "../errors.ts";
import { type BodyReader, dropBody, openBody, readAll } from "./response-body.ts";

/** A request as it goes out. Its headers hold credentials: it is never attached to an error or logged. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether it must go out once only. */
  once?: true;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Bytes of the body, decompressed. */
  bytes: number;
  /** Whether the body was given up, for it was larger than is read at once. */
  tooLarge?: true;
  /** Of a success that was asked for as a stream: its body, which is yet to be read. */
  body?: BodyReader;
}

export interface Deadline {
  /** Milliseconds for headers and body together. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

export type FailureKind = "timeout" | "aborted" | "network";

/** How far a request got that brought no answer: to a caller that must not do things twice it matters whether it was sent. */
export type Failure = { kind: FailureKind; sent: boolean };

export type Send = (request: HttpRequest, deadline: Deadline) => Promise<HttpResponse | Failure>;

// Codes of Node's fetch for a connection that was never made. Other runtimes do not tell; the request then counts as sent. A connection that was made
// may break with the same codes, by another system call.
const NEVER_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);
const CONNECTING = new Set<unknown>(["connect", "getaddrinfo", undefined]);

function neverConnected(error: unknown): boolean {
  for (let depth = 0, current = error; depth < 4 && current instanceof Error; depth++, current = current.cause) {
    const { code, syscall } = current as { code?: unknown; syscall?: unknown };
    if (NEVER_CONNECTED.has(String(code))) return CONNECTING.has(syscall);
  }
  return false;
}

// A longer delay would overflow the timer and fire at once.
const LONGEST_DELAY = 2 ** 31 - 1;

/** Tells when a deadline is missed, and why. Gives what ends the watch. */
export function watchDeadline({ timeout, signal }: Deadline, onMissed: (why: "timeout" | "aborted") => void): () => void {
  const onAbort = () => onMissed("aborted");
  const timer = setTimeout(() => onMissed("timeout"), Math.min(timeout, LONGEST_DELAY));
  signal?.addEventListener("abort", onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
}

const { process } = globalThis as { process?: { versions?: { undici?: string }; type?: string } };

// Node's fetch sends a request again after 421 by itself, as its standard says, unless the body can be read only once. Elsewhere bodies stay texts: browsers
// take no stream over HTTP/1.1.
const repeatsByItself = process?.versions?.undici !== undefined && process.type !== "renderer";

/** The part of a request that its body makes. A fetch of the caller's own may look at it, and gets a text. */
function bodyOf({ body, headers, once }: HttpRequest, ownFetch: boolean): Pick<RequestInit, "headers" | "body"> {
  if (once === undefined || ownFetch || !repeatsByItself) return { headers, ...(body !== undefined && { body }) };
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  // Of a stream the length is not known unless it is said, and the body would go out in chunks.
  return { headers: { ...headers, "content-length": String(bytes.length) }, body: stream };
}

interface Connection {
  control: AbortController;
  /** The answer's body, once it has begun. */
  body: BodyReader | undefined;
}

const isSuccess = ({ status }: Response) => status >= 200 && status <= 299;

export interface TransportOptions {
  /** Bytes of a body that is read at once, decompressed. */
  maxResponseBytes: number;
  /** `stream` leaves the body of a success open. */
  answer: "whole" | "stream";
  /** Whether the fetch is the caller's own, and not the runtime's. */
  ownFetch: boolean;
}

/**
 * Sends one request and reads its whole body within the deadline; that of a success is left open where the answer is to be a stream. Never follows a
 * redirect: it would take a credential header to another origin.
 */
export function createTransport(fetch: typeof globalThis.fetch, { maxResponseBytes, answer, ownFetch }: TransportOptions): Send {
  const { raw } = createFetch({ fetch });

  async function exchange(request: HttpRequest, connection: Connection): Promise<HttpResponse | Failure> {
    try {
      const response = await raw(request.url, {
        method: request.method,
        ...bodyOf(request, ownFetch),
        redirect: "manual",
        retry: false,
        ignoreResponseError: true,
        responseType: "stream",
        signal: connection.control.signal,
      });
      const { status, headers: received } = response;
      const streamed = answer === "stream" && isSuccess(response);
      const tooLarge: HttpResponse = { status, headers: received, text: "", bytes: 0, tooLarge: true };
      // Said beforehand, nothing of it needs to be read. Of a compressed body it is the lesser number.
      if (!streamed && Number(received.get("content-length")) > maxResponseBytes) {
        dropBody(response, connection.control);
        return tooLarge;
      }
      connection.body = await openBody(response, connection.control);
      if (connection.control.signal.aborted) connection.body.cancel();
      if (streamed) return { status, headers: received, text: "", bytes: 0, body: connection.body };
      const bytes = await readAll(connection.body, maxResponseBytes);
      if (bytes === undefined) return tooLarge;
      return { status, headers: received, text: new TextDecoder().decode(bytes), bytes: bytes.length };
    } catch (error) {
      return { kind: "network", sent: !neverConnected(error) };
    }
  }

  return (request, deadline) =>
    new Promise((resolve) => {
      if (deadline.signal?.aborted) return resolve({ kind: "aborted", sent: false });
      const connection: Connection = { control: new AbortController(), body: undefined };
      const stopWatching = watchDeadline(deadline, (kind) => {
        stopWatching();
        // Not left to the fetch: one that the caller brought may not heed the signal.
        resolve({ kind, sent: true });
        if (connection.body) connection.body.cancel();
        else connection.control.abort();
      });
      exchange(request, connection).then((end) => {
        stopWatching();
        resolve(end);
      });
    });
}

/** Waits between two attempts; the caller's signal ends it at once. */
export function pause(delay: number, signal: AbortSignal | undefined, operation: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(failureToError("aborted", operation));
    if (signal?.aborted) return aborted();
    const stopWatching = watchDeadline({ timeout: delay, signal }, (why) => {
      stopWatching();
      if (why === "aborted") aborted();
      else resolve();
    });
  });
}

const FAILURES = {
  timeout: ["no complete answer came within the timeout", "Try again, or allow more time with the timeout option"],
  aborted: ["the caller ended the call", "Nothing: the call was ended on purpose"],
  network: ["the service could not be reached, or the connection broke", "Check the server's address and the network, then try again"],
} as const;

export function failureToError(kind: FailureKind, operation: string): FleetError {
  const [message, advice] = FAILURES[kind];
  return new FleetError(kind, `${operation}: ${message}`, { operation, advice });
}
