import { FleetError } from "../errors.ts";
import { requestAccessToken } from "../operations/request-access-token.ts";
import type { AccessToken } from "../schemas/access-token.ts";
import { type Deadline, type Failure, failureToError, watchDeadline } from "./transport.ts";

/** Gives tokens to calls. One request is in flight at most, whoever waits for it. */
export interface TokenSource {
  /** A token, and whether it was used before: only then may a 401 mean that it ended early. */
  get(deadline: Deadline): Promise<{ token: string; cached: boolean }>;
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

const ended = (kind: Failure["kind"]) => failureToError({ kind, sent: false }, requestAccessToken.name);

/** Lets one caller stop waiting without ending the request for the others. */
function waitFor<Value>(promise: Promise<Value>, deadline: Deadline): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stopWatching = watchDeadline(deadline, (kind) => reject(ended(kind)));
    promise.then(resolve, reject).finally(stopWatching);
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
    async get(deadline) {
      if (deadline.signal?.aborted) throw ended("aborted");
      if (current && now() < current.until) return { token: current.token, cached: true };
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return { token: await waitFor(pending, deadline), cached: false };
    },
    discard(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
