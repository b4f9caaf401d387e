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
export function isUsableToken(token: unknown): token is string {
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
}

function checked(record: unknown): StoredToken | undefined {
  const { accessToken, usableUntil } = record as Record<string, unknown>;
  if (!isUsableToken(accessToken)) return undefined;
  if (usableUntil === undefined || usableUntil === null) return { accessToken };
  return typeof usableUntil === "number" && !Number.isNaN(usableUntil) ? { accessToken, usableUntil } : undefined;
}

/** Reads a usable token from the store, if it has one. Never throws. */
export async function readStore(store: TokenStore | undefined): Promise<StoredToken | undefined> {
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
export async function writeStore(store: TokenStore | undefined, token: StoredToken): Promise<void> {
  try {
    await store?.set(token);
  } catch {}
}
