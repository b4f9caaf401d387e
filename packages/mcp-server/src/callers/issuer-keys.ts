import { isRecord } from "@fleetwire/core/internal";
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import { Unverifiable } from "./bearer-access.ts";
import { fetchJson } from "./fetch-json.ts";
import { type OnProblem, RETRY_MS } from "./oauth-metadata.ts";

/** How long keys are used before they are fetched again, so that a rotation takes effect. */
const FRESH_MS = 600_000;

/** How long keys are used if they cannot be fetched again. */
const USABLE_MS = 3_600_000;

/** Minimum time between two attempts to fetch keys while there are some, however many tokens arrive that none of them fits. */
const COOLDOWN_MS = 30_000;

const FETCH = { timeout: 3_000, maxBytes: 1_048_576 };

/** Far more than any server publishes under one id, or without any. */
const MAX_TRIED_KEYS = 100;

/** Finds the key for a token. Keys without an id fit any token. */
function keysIn(document: unknown): JWTVerifyGetKey {
  const published = isRecord(document) ? document["keys"] : undefined;
  if (!Array.isArray(published)) throw new Unverifiable("does not publish a key set");
  const keys = published.filter(isRecord);
  const named = createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
  const unnamed = createLocalJWKSet({ keys: keys.filter(({ kid }) => kid === undefined) } as unknown as JSONWebKeySet);
  return async (header, token) => {
    try {
      return await named(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || header.kid === undefined) throw error;
      const { kid: _, ...rest } = header;
      return unnamed(rest, token);
    }
  };
}

/** Verifies a token with whichever of the keys fits. */
async function verifyWith(keys: JWTVerifyGetKey, token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    // A key that cannot be imported is as good as none.
    if (!(error instanceof errors.JOSEError || error instanceof Unverifiable)) throw new errors.JWKSNoMatchingKey();
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (++tried > MAX_TRIED_KEYS) break;
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (failure instanceof errors.JOSEError && !(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWKSNoMatchingKey();
  }
}

export const fitsNoKey = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;

/**
 * Verifies tokens with the keys at an address, which are fetched again every ten minutes and for a token that none of them fits. If that fails, the
 * previous keys remain in use for an hour.
 */
export function issuerKeys(
  address: string,
  onProblem: OnProblem,
  now: () => number = Date.now,
): (token: string, options: JWTVerifyOptions) => Promise<JWTPayload> {
  let known: JWTVerifyGetKey | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let problem = new Unverifiable("does not respond");
  const read = async () => {
    attemptedAt = now();
    try {
      known = keysIn(await fetchJson(address, FETCH));
      readAt = now();
    } catch (error) {
      problem = error as Unverifiable;
      onProblem(problem);
    }
    reading = undefined;
  };
  const isYounger = (milliseconds: number) => now() - readAt <= milliseconds;
  /** The keys, read again unless that was tried a moment ago. */
  const latest = async (): Promise<JWTVerifyGetKey> => {
    if (Math.abs(now() - attemptedAt) >= (isYounger(USABLE_MS) ? COOLDOWN_MS : RETRY_MS)) reading ??= read();
    await reading;
    if (known === undefined || !isYounger(USABLE_MS)) throw problem;
    return known;
  };
  return async (token, options) => {
    const keys = known !== undefined && isYounger(FRESH_MS) ? known : await latest();
    try {
      return await verifyWith(keys, token, options);
    } catch (error) {
      if (!fitsNoKey(error)) throw error;
      const newer = await latest();
      if (newer === keys) throw error;
      return verifyWith(newer, token, options);
    }
  };
}
