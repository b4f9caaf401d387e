import { FleetError } from "../errors.ts";
import { requestAccessToken } from "../operations/request-access-token.ts";
import type { AccessToken } from "../schemas/access-token.ts";
import { type Deadline, type FailureKind, failureToError, type HttpResponse, watchDeadline } from "./transport.ts";

/** A stored access token. It is a secret: anyone who has it can act for the customer. */
export interface StoredToken {
  /** The token itself. */
  accessToken: string;
  /** When to stop using the token, in milliseconds since 1970; absent if its lifetime is unknown. */
  usableUntil?: number;
}

/**
 * Stores the access token so that several processes can share it. Use a separate store for each combination of credentials and token service. A store that
 * throws, returns garbage or takes more than two seconds is ignored: the client then requests a token itself.
 */
export interface TokenStore {
  /** Returns the token set last, if any. */
  get(): StoredToken | undefined | null | Promise<StoredToken | undefined | null>;
  /** Replaces the stored token. */
  set(token: StoredToken): void | Promise<void>;
}

/** Milliseconds to wait for a store before ignoring it. */
const STORE_TIMEOUT = 2_000;

/** Whether a value is a token that can be sent in a header. */
function isUsableToken(token: unknown): token is string {
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
}

function checked(record: unknown): StoredToken | undefined {
  const { accessToken, usableUntil } = record as Record<string, unknown>;
  if (!isUsableToken(accessToken)) return undefined;
  if (usableUntil === undefined || usableUntil === null) return { accessToken };
  return typeof usableUntil === "number" && !Number.isNaN(usableUntil) ? { accessToken, usableUntil } : undefined;
}

/** Reads a usable token from the store, if it has one. Never throws. */
async function readStore(store: TokenStore | undefined): Promise<StoredToken | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), STORE_TIMEOUT);
  });
  try {
    // Without a record, this throws, like a store that fails.
    return checked(await Promise.race([store?.get(), timedOut]));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a token to the store. Never throws; calls do not wait for the write. */
async function writeStore(store: TokenStore | undefined, token: StoredToken): Promise<void> {
  try {
    await store?.set(token);
  } catch {}
}

/** A token, and whether it may have been used before: only then can a rejection mean that it expired early. */
export interface Token {
  token: string;
  cached: boolean;
}

/** Provides access tokens to calls. Concurrent calls share one token request. */
export interface TokenSource {
  get(deadline: Deadline): Promise<Token>;
  /** Whether a token returned earlier is still current. */
  isCurrent(token: string): boolean;
  /** Whether to replace the token and try again, because a response may mean that it expired early. `renewals` counts those of the same call. */
  isWorthRenewing(token: Token, response: HttpResponse, operation: string, renewals: number): boolean;
  /** Discards a token that the service rejected, and ignores it if the store still returns it. */
  invalidate(token: string): void;
  /** Recent tokens, to redact in case the service repeats them. */
  secrets(): readonly string[];
}

const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;
const REMEMBERED = 4;
/** For this long after a new token was rejected with 403, another 403 means a missing permission: renewing would replace the token of all other calls. */
const FORBIDDEN_MS = 60_000;

/** When to stop using a token: shortly before it expires. Absent if its lifetime is missing or implausible; it is then used until rejected. */
function usableUntil(expiresIn: number | undefined, requestedAt: number): { usableUntil?: number } {
  if (expiresIn === undefined || expiresIn <= 0 || expiresIn > MAX_LIFETIME_SECONDS) return {};
  const margin = Math.min(60, expiresIn / 10);
  return { usableUntil: requestedAt + (expiresIn - margin) * 1000 };
}

/** Types are case-insensitive (RFC 6749, section 5.1); a missing one means the only documented type. */
const isBearer = (type = "") => /^(bearer)?$/i.test(type.trim());

/** Whether a rejection names the token as its reason (RFC 6750, section 3.1). */
const saysInvalidToken = (text: string, headers: Headers) =>
  /"error"\s*:\s*"invalid_token"/.test(text) || /\berror="?invalid_token\b/.test(headers.get("www-authenticate") ?? "");

const ended = (kind: FailureKind) => failureToError(kind, requestAccessToken.name);

interface TokenRequest {
  promise: Promise<Token>;
  stop: AbortController;
  /** How many callers wait for it. */
  waiting: number;
}

export function createTokenSource(
  request: (signal: AbortSignal) => Promise<AccessToken>,
  now: () => number,
  store: TokenStore | undefined,
): TokenSource {
  let current: StoredToken | undefined;
  let pending: TokenRequest | undefined;
  let rejected: readonly string[] = [];
  let recent: readonly string[] = [];
  const forbiddenAt = new Map<string, number>();
  // A token from a store may have expired as well.
  const maxRenewals = store ? 2 : 1;

  const usable = (stored: StoredToken | undefined): stored is StoredToken =>
    stored !== undefined && now() < (stored.usableUntil ?? Number.POSITIVE_INFINITY);

  function use(stored: StoredToken): string {
    current = stored;
    recent = [stored.accessToken, ...recent.filter((token) => token !== stored.accessToken)].slice(0, REMEMBERED);
    return stored.accessToken;
  }

  async function refresh(signal: AbortSignal): Promise<Token> {
    // Another process may have stored a newer token, which our own request could invalidate.
    const shared = await readStore(store);
    if (usable(shared) && !rejected.includes(shared.accessToken)) return { token: use(shared), cached: true };
    const requestedAt = now();
    const { accessToken, token_type, expires_in } = await request(signal);
    if (!isUsableToken(accessToken) || !isBearer(token_type)) {
      // The error must not contain the token itself.
      const problem = isUsableToken(accessToken)
        ? "the token_type is not bearer, so the token cannot be used"
        : "the response has no usable accessToken";
      throw new FleetError("contract", `${requestAccessToken.name}: ${problem}`, {
        operation: requestAccessToken.name,
        advice: "Check the token service URL and the token path",
      });
    }
    const stored = { accessToken, ...usableUntil(expires_in, requestedAt) };
    void writeStore(store, stored);
    // With a store, another process may already have requested a token that invalidates this one.
    return { token: use(stored), cached: store !== undefined };
  }

  function start(): TokenRequest {
    const stop = new AbortController();
    const started: TokenRequest = { promise: refresh(stop.signal), stop, waiting: 0 };
    const forget = () => {
      if (pending === started) pending = undefined;
    };
    started.promise.then(forget, forget);
    return started;
  }

  /** Lets one caller stop waiting without cancelling the request for the others. Once all have aborted, nothing may keep a program alive. */
  function leave(left: TokenRequest, why: "timeout" | "aborted"): void {
    left.waiting -= 1;
    if (left.waiting > 0 || why !== "aborted") return;
    if (pending === left) pending = undefined;
    left.stop.abort();
  }

  function waitFor(awaited: TokenRequest, deadline: Deadline): Promise<Token> {
    awaited.waiting += 1;
    return new Promise((resolve, reject) => {
      const stopWatching = watchDeadline(deadline, (why) => {
        reject(ended(why));
        leave(awaited, why);
      });
      awaited.promise.then(resolve, reject).finally(stopWatching);
    });
  }

  return {
    async get(deadline) {
      if (deadline.signal?.aborted) throw ended("aborted");
      if (usable(current)) return { token: current.accessToken, cached: true };
      pending ??= start();
      return waitFor(pending, deadline);
    },
    isWorthRenewing({ cached }, { status, text, headers }, operation, renewals) {
      const canRenew = cached && renewals < maxRenewals;
      if (status !== 403) return canRenew && (status === 401 || (status === 400 && saysInvalidToken(text, headers)));
      const isForbidden = now() - (forbiddenAt.get(operation) ?? Number.NEGATIVE_INFINITY) < FORBIDDEN_MS;
      if (!canRenew) forbiddenAt.set(operation, now());
      return canRenew && !isForbidden;
    },
    isCurrent: (token) => current?.accessToken === token && usable(current),
    invalidate(token) {
      if (current?.accessToken !== token) return;
      current = undefined;
      rejected = [token, ...rejected].slice(0, REMEMBERED);
    },
    secrets: () => recent,
  };
}
