import { FleetError } from "../errors.ts";
import { requestAccessToken } from "../operations/request-access-token.ts";
import type { AccessToken } from "../schemas/access-token.ts";
import { isUsableToken, readStore, type StoredToken, type TokenStore, writeStore } from "./token-store.ts";
import { type Deadline, type FailureKind, failureToError, watchDeadline } from "./transport.ts";

/** Gives tokens to calls. One request is in flight at most, whoever waits for it. */
export interface TokenSource {
  /** A token, and whether it may have been used before: only then may a 401 mean that it ended early. */
  get(deadline: Deadline): Promise<{ token: string; cached: boolean }>;
  /** Whether a token that was given is still the one to use. */
  isCurrent(token: string): boolean;
  /** Forgets a token that the service refused, and does not take it from where others are kept. */
  discard(token: string): void;
  /** How many tokens a call may try in place of one that was refused: where others share them, a second one may have ended as well. */
  readonly mostRenewals: number;
  /** The tokens of late, which the service might repeat. */
  secrets(): readonly string[];
}

const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;
const REMEMBERED = 4;

/** When to stop using a token: shortly before its end; unknown where its lifetime is missing or absurd, so not before the service refuses it. */
function usableUntil(expiresIn: number | undefined, requestedAt: number): { usableUntil?: number } {
  if (expiresIn === undefined || expiresIn <= 0 || expiresIn > MAX_LIFETIME_SECONDS) return {};
  const margin = Math.min(60, expiresIn / 10);
  return { usableUntil: requestedAt + (expiresIn - margin) * 1000 };
}

const ended = (kind: FailureKind) => failureToError(kind, requestAccessToken.name);

/** Lets one caller stop waiting without ending the request for the others. */
function waitFor<Value>(promise: Promise<Value>, deadline: Deadline): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stopWatching = watchDeadline(deadline, (kind) => reject(ended(kind)));
    promise.then(resolve, reject).finally(stopWatching);
  });
}

interface TokenSourceOptions {
  request: () => Promise<AccessToken>;
  now: () => number;
  store?: TokenStore | undefined;
}

export function createTokenSource({ request, now, store }: TokenSourceOptions): TokenSource {
  let current: StoredToken | undefined;
  let pending: Promise<{ token: string; cached: boolean }> | undefined;
  let refused: readonly string[] = [];
  let recent: readonly string[] = [];

  const usable = (stored: StoredToken | undefined) => stored !== undefined && now() < (stored.usableUntil ?? Number.POSITIVE_INFINITY);

  function use(stored: StoredToken): string {
    current = stored;
    recent = [stored.accessToken, ...recent.filter((token) => token !== stored.accessToken)].slice(0, REMEMBERED);
    return stored.accessToken;
  }

  async function renew(): Promise<{ token: string; cached: boolean }> {
    // After a refusal the store may hold what another process has got since: a request of ours could end that one.
    const shared = await readStore(store);
    if (shared && usable(shared) && !refused.includes(shared.accessToken)) return { token: use(shared), cached: true };
    const requestedAt = now();
    const { accessToken, expires_in } = await request();
    if (!isUsableToken(accessToken)) {
      // The token itself is never shown.
      throw new FleetError("contract", `${requestAccessToken.name}: the answer holds no usable accessToken`, {
        operation: requestAccessToken.name,
        advice: "Check the token service's address and the token path",
      });
    }
    const stored = { accessToken, ...usableUntil(expires_in, requestedAt) };
    void writeStore(store, stored);
    // Another process may have got a token since, and ended ours by that.
    return { token: use(stored), cached: store !== undefined };
  }

  return {
    async get(deadline) {
      if (deadline.signal?.aborted) throw ended("aborted");
      if (current && usable(current)) return { token: current.accessToken, cached: true };
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return waitFor(pending, deadline);
    },
    isCurrent: (token) => current?.accessToken === token && usable(current),
    discard(token) {
      if (current?.accessToken !== token) return;
      current = undefined;
      refused = [token, ...refused].slice(0, REMEMBERED);
    },
    mostRenewals: store ? 2 : 1,
    secrets: () => recent,
  };
}
