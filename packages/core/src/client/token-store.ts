/** An access token as it is kept. It is a secret: whoever has it can act for the customer. */
export interface StoredToken {
  /** The token itself, a secret. */
  accessToken: string;
  /** Milliseconds since 1970 until which it is used, shortly before its end; absent where its lifetime is not known. */
  usableUntil?: number;
}

/**
 * Keeps the access token where several processes, or runs of one, can share it. One store is for one pair of credentials and one token service. A store
 * that throws, never answers or gives something else is passed over: the client then requests a token itself.
 */
export interface TokenStore {
  /** The token that was set last, or undefined. */
  get(): StoredToken | undefined | null | Promise<StoredToken | undefined | null>;
  /** Keeps a token in place of the last one. */
  set(token: StoredToken): void | Promise<void>;
}

/** Milliseconds after which a store that has not answered is passed over. */
const PATIENCE = 2_000;

/** Only what may stand in a header. */
export function isUsableToken(token: unknown): token is string {
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
}

function checked(record: unknown): StoredToken | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const { accessToken, usableUntil } = record as Record<string, unknown>;
  if (!isUsableToken(accessToken)) return undefined;
  if (usableUntil === undefined || usableUntil === null) return { accessToken };
  return typeof usableUntil === "number" && !Number.isNaN(usableUntil) ? { accessToken, usableUntil } : undefined;
}

/** The token of a store, if there is one that can be used. Never fails. */
export async function readStore(store: TokenStore | undefined): Promise<StoredToken | undefined> {
  if (!store) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return checked(await Promise.race([store.get(), tooLong]));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Leaves a token for others. Nobody waits for it, and its failure is the store's own. */
export async function writeStore(store: TokenStore | undefined, token: StoredToken): Promise<void> {
  try {
    await store?.set(token);
  } catch {}
}
