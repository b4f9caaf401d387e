import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { errors, type JWTPayload } from "jose";
import type { VerifyToken } from "./bearer-access.ts";
import { fitsNoKey, issuerKeys } from "./issuer-keys.ts";
import type { IssuerMetadata, OnProblem } from "./oauth-metadata.ts";

/** Signatures that only the holder of a private key can make. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** Allowed clock skew between the authorization server and this machine, in seconds. */
const SKEW_SECONDS = 30;

const isNotThisOne = "is not the one that this server is configured for";
const REASONS: Readonly<Record<string, string>> = {
  iss: `its issuer ${isNotThisOne}`,
  aud: `its audience ${isNotThisOne}`,
  exp: "it has no expiry",
  nbf: "it is not valid yet",
};

/** Why a token is refused, without its values. The claims are only read once the signature has been verified. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTClaimValidationFailed) return REASONS[error.claim] ?? "its claims are malformed";
  if (fitsNoKey(error)) return "no key of the authorization server fits its signature";
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return "its algorithm or header is not accepted";
  return "it is not a signed JWT";
}

/** An audience in both spellings: a URL may be written with a slash at its end or without. */
const spellings = (audience: string) => [audience, audience.endsWith("/") ? audience.slice(0, -1) : `${audience}/`];

const listOf = (value: unknown): string[] => {
  if (typeof value === "string") return value.split(" ").filter(Boolean);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
};

const valuesOf = (value: unknown): string[] => (typeof value === "string" ? [value] : listOf(value));

interface OAuthTokensOptions {
  audience: string;
  tenantClaim: string;
  metadata: () => Promise<IssuerMetadata>;
  onProblem: OnProblem;
  now?: () => number;
}

/** Verifies access tokens that are JWTs signed by an authorization server for this server. */
export function oauthTokens({ audience, tenantClaim, metadata, onProblem, now = Date.now }: OAuthTokensOptions): VerifyToken {
  let verifyWithKeys: ReturnType<typeof issuerKeys> | undefined;
  const verified = async (token: string): Promise<JWTPayload> => {
    const { jwks_uri, issuer } = await metadata();
    verifyWithKeys ??= issuerKeys(jwks_uri, onProblem, now);
    const options = {
      issuer,
      audience: spellings(audience),
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ["exp"],
      currentDate: new Date(now()),
    };
    return verifyWithKeys(token, options);
  };
  return async (token) => {
    let claims: JWTPayload;
    try {
      claims = await verified(token);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new OAuthError(OAuthErrorCode.InvalidToken, "The access token has expired");
      if (error instanceof errors.JOSEError)
        throw new OAuthError(OAuthErrorCode.InvalidToken, `The access token is not valid: ${reasonOf(error)}`);
      throw error;
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
