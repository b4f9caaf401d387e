import { FleetError } from "../errors.ts";
import { requestAccessToken } from "../operations/request-access-token.ts";
import type { AccessToken } from "../schemas/access-token.ts";
import { failureToError } from "./transport.ts";

/** Gives tokens to calls. One request is in flight at most, whoever waits for it. */
export interface TokenSource {
  /** A token, and whether it was used before: only then may a 401 mean that it ended early. */
  get(signal?: AbortSignal): Promise<{ token: string; cached: boolean }>;
  /** Forgets a token that the service refused. */
  discard(token: string): void;
}

const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;

/** When to stop using a token: shortly before its end; never where its lifetime is missing or absurd, until the service refuses it. */
function usableUntil(expiresIn: number | undefined, requestedAt: number): number {
  if (expiresIn === undefined || expiresIn <= 0 || expiresIn > MAX_LIFETIME_SECONDS) return Number.POSITIVE_INFINITY;
  const margin = Math.min(60, expiresIn / 10);
  return requestedAt + (expiresIn - margin) * 1000;
}

const ended = () => failureToError({ kind: "aborted", sent: false }, requestAccessToken.name);

/** Lets one caller stop waiting without ending the request for the others. */
function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(ended());
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

export function createTokenSource(request: () => Promise<AccessToken>, now: () => number): TokenSource {
  let current: { token: string; until: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const requestedAt = now();
    const { accessToken, expires_in } = await request();
    // Only what may stand in a header; the token itself is never shown.
    if (accessToken === undefined || !/^[\x21-\x7e]+$/.test(accessToken)) {
      throw new FleetError("contract", `${requestAccessToken.name}: the answer holds no usable accessToken`, {
        operation: requestAccessToken.name,
        advice: "Check the token service's address and the token path",
      });
    }
    current = { token: accessToken, until: usableUntil(expires_in, requestedAt) };
    return accessToken;
  }

  return {
    async get(signal) {
      if (signal?.aborted) throw ended();
      if (current && now() < current.until) return { token: current.token, cached: true };
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return { token: await abortable(pending, signal), cached: false };
    },
    discard(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
