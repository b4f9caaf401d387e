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
import * as z from "zod";
import { cachedDocument, fetchJson, NOT_FOUND, Unverifiable } from "./cached-document.ts";

const METADATA_BOUNDS = [5_000, 262_144] as const;
const KEYS_BOUNDS = [3_000, 1_048_576] as const;

/** How long keys are used before they are fetched again, so that a rotation takes effect; and if they cannot be. */
const KEYS_USED = { fresh: 600_000, usable: 3_600_000 };

/** Far more than any server publishes under one id, or without any. */
const MAX_TRIED_KEYS = 100;

const Metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
type IssuerMetadata = z.output<typeof Metadata>;

/** Where the metadata of an issuer may be: RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after it. */
function addressesOf({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  return [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}${path}/.well-known/openid-configuration`];
}

async function readMetadata(url: URL, names: readonly string[]): Promise<IssuerMetadata> {
  const problems: Unverifiable[] = [];
  for (const address of addressesOf(url)) {
    try {
      const { success, data } = Metadata.safeParse(await fetchJson(address, ...METADATA_BOUNDS));
      if (!success) throw new Unverifiable("does not describe itself: its metadata lacks issuer or jwks_uri");
      // Metadata of another issuer could name another server's keys.
      if (!names.includes(data.issuer)) throw new Unverifiable("names itself differently in its metadata");
      return data;
    } catch (error) {
      problems.push(error as Unverifiable);
    }
  }
  throw problems.find(({ message }) => message !== NOT_FOUND) ?? new Unverifiable(NOT_FOUND);
}

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
    if (!(error instanceof errors.JOSEError)) throw new errors.JWKSNoMatchingKey();
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

/** An authorization server. Its functions throw {@link Unverifiable} while it does not respond, immediately if it was tried a moment ago. */
export interface Issuer {
  /** Its name as configured; its metadata may have another spelling. */
  name: string;
  /** Returns what it says about itself. */
  metadata: () => Promise<IssuerMetadata>;
  /** Verifies a token with its keys, which are also fetched again for a token that none of them fits. */
  verify: (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>;
}

export function issuerAt(url: URL, onProblem: (problem: Unverifiable) => void): Issuer {
  // An issuer without a path may be written with a slash, which a URL always has.
  const names = url.pathname === "/" ? [url.origin, `${url.origin}/`] : [url.href];
  const metadata = cachedDocument(() => readMetadata(url, names), onProblem);
  let keys: ReturnType<typeof cachedDocument<JWTVerifyGetKey>> | undefined;
  return {
    name: names[0] as string,
    metadata: () => metadata(),
    verify: async (token, options) => {
      const { jwks_uri, issuer } = await metadata();
      keys ??= cachedDocument(async () => keysIn(await fetchJson(jwks_uri, ...KEYS_BOUNDS)), onProblem, KEYS_USED);
      const known = await keys();
      try {
        return await verifyWith(known, token, { ...options, issuer });
      } catch (error) {
        if (!fitsNoKey(error)) throw error;
        const newer = await keys(true);
        if (newer === known) throw error;
        return verifyWith(newer, token, { ...options, issuer });
      }
    },
  };
}
