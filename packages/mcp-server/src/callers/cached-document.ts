import { connectionCause } from "../connection-failure.ts";
import { readUpTo, withTimeout } from "../limits.ts";

/** Minimum time between two attempts to read a document that callers wait for, in milliseconds; their Retry-After. One that stalls is asked for anew by the next call. */
const RETRY_MS = 1_000;

/** Minimum time between two attempts while there is a document to use, however many callers ask for a newer one. */
const COOLDOWN_MS = 30_000;

/** What the authorization server does instead of helping, such as "does not respond". */
export class Unverifiable extends Error {
  override readonly name = "Unverifiable";
  /** Why the connection failed, which concerns the operator of this server only. */
  readonly reason: string | undefined;

  constructor(message: string, reason?: string) {
    super(message);
    this.reason = reason;
  }
}

export const NOT_FOUND = "has no document at the expected address";

async function readText(response: Response, signal: AbortSignal, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  // Fetch may no longer observe its signal once the response has begun.
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  const read = await readUpTo(maxBytes, reader);
  if (read !== undefined) return read.text();
  await reader.cancel();
  throw new Unverifiable(`sends more than ${maxBytes} bytes`);
}

/** Reads a JSON document. The timeout, in milliseconds, is for headers and body together. @throws {Unverifiable} */
export async function fetchJson(address: string, timeout: number, maxBytes: number): Promise<unknown> {
  const read = async (signal: AbortSignal) => {
    const response = await fetch(address, { redirect: "error", headers: { accept: "application/json" }, signal });
    if (response.ok) return readText(response, signal, maxBytes);
    await response.body?.cancel();
    throw new Unverifiable(response.status === 404 ? NOT_FOUND : `responds with status ${response.status}`);
  };
  const text = await withTimeout(timeout, read).catch((error: unknown) => {
    throw error instanceof Unverifiable ? error : new Unverifiable("does not respond", connectionCause(error));
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Unverifiable("sends something other than JSON");
  }
}

/** How long a document is used before it is read again, and if it cannot be, in milliseconds. */
const FOREVER = { fresh: Number.POSITIVE_INFINITY, usable: Number.POSITIVE_INFINITY };

/** Returns a function that reads a document when it is first needed, once for all who wait, and again when it is no longer fresh or a newer one is needed. @throws {Unverifiable} */
export function cachedDocument<Value>(
  read: () => Promise<Value>,
  onProblem: (problem: Unverifiable) => void,
  { fresh, usable } = FOREVER,
): (needsNewer?: boolean) => Promise<Value> {
  let known: { value: Value; at: number } | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let problem: Unverifiable;
  const attempt = async () => {
    attemptedAt = Date.now();
    try {
      known = { value: await read(), at: Date.now() };
    } catch (error) {
      problem = error as Unverifiable;
      onProblem(problem);
    }
    reading = undefined;
  };
  const within = (milliseconds: number) => (known !== undefined && Date.now() - known.at <= milliseconds ? known : undefined);
  return async (needsNewer = false) => {
    const current = needsNewer ? undefined : within(fresh);
    if (current) return current.value;
    if (Math.abs(Date.now() - attemptedAt) >= (within(usable) ? COOLDOWN_MS : RETRY_MS)) reading ??= attempt();
    await reading;
    const latest = within(usable);
    if (!latest) throw problem;
    return latest.value;
  };
}
