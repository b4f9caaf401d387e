import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { Unverifiable, type VerifyToken } from "./bearer-access.ts";
import type { IssuerMetadata } from "./oauth-metadata.ts";

/** Signatures that only the holder of a private key can make. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** Allowed clock skew between the authorization server and this machine, in seconds. */
const SKEW_SECONDS = 30;

/** How long keys are used before they are fetched again, so that a rotation takes effect. */
const FRESH_MS = 600_000;

/** How long keys are used if they cannot be fetched again. */
const USABLE_MS = 3_600_000;

/** Minimum time between two attempts to fetch keys, however many unknown key ids arrive. */
const COOLDOWN_MS = 30_000;

const FETCH_MS = 3_000;

/** Finds keys in a key set that is fetched again for an unknown key id and every ten minutes. If that fails, the previous keys remain in use for an hour. */
function rotatingKeys(address: URL, now: () => number = Date.now): JWTVerifyGetKey {
  let readAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  const remote = createRemoteJWKSet(address, {
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: FRESH_MS,
    timeoutDuration: FETCH_MS,
    [customFetch]: async (url, options) => {
      if (now() - failedAt < COOLDOWN_MS) throw new Unverifiable("keys");
      try {
        const response = await fetch(url, options);
        // Reads the body here, so that one that never ends or is not a key set counts as a failure too.
        const body = response.ok ? await response.text() : "";
        createLocalJWKSet(JSON.parse(body));
        readAt = now();
        return new Response(body, { status: response.status });
      } catch (error) {
        failedAt = now();
        throw error;
      }
    },
  });
  const isAnswer = (error: unknown) => error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (isAnswer(error) || error instanceof errors.JOSENotSupported) throw error;
      const known = remote.jwks();
      if (known === undefined || now() - readAt > USABLE_MS) throw new Unverifiable("keys");
      return createLocalJWKSet(known)(header, token);
    }
  };
}

const listOf = (value: unknown): string[] => {
  if (typeof value === "string") return value.split(" ").filter(Boolean);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
};

const valuesOf = (value: unknown): string[] => (typeof value === "string" ? [value] : listOf(value));

interface OAuthTokensOptions {
  audience: string;
  tenantClaim: string;
  metadata: () => Promise<IssuerMetadata>;
  now?: () => number;
}

/** Verifies access tokens that are JWTs signed by an authorization server for this server. */
export function oauthTokens({ audience, tenantClaim, metadata, now = Date.now }: OAuthTokensOptions): VerifyToken {
  let keys: JWTVerifyGetKey | undefined;
  const verified = async (token: string): Promise<JWTPayload> => {
    const { jwks_uri, issuer } = await metadata();
    keys ??= rotatingKeys(new URL(jwks_uri), now);
    const options = {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ["exp"],
      currentDate: new Date(now()),
    };
    return (await jwtVerify(token, keys, options)).payload;
  };
  return async (token) => {
    let claims: JWTPayload;
    try {
      claims = await verified(token);
    } catch (error) {
      // Errors do not reveal what is wrong with a token, except that a new one would help.
      if (error instanceof errors.JWTExpired) throw new OAuthError(OAuthErrorCode.InvalidToken, "The access token has expired");
      if (error instanceof errors.JOSEError)
        throw new OAuthError(OAuthErrorCode.InvalidToken, "The access token is not valid for this server");
      throw error instanceof Unverifiable ? error : new Unverifiable("keys");
    }
    const { sub, exp = 0, client_id: clientId = claims["azp"] ?? sub } = claims;
    const client = typeof clientId === "string" ? clientId : "unknown";
    return {
      id: typeof sub === "string" && sub !== "" ? sub : client,
      clientId: client,
      scopes: [...listOf(claims["scope"]), ...listOf(claims["scp"])],
      expiresAt: exp + SKEW_SECONDS,
      tenants: valuesOf(claims[tenantClaim]),
    };
  };
}
