import { setTimeout } from "node:timers/promises";
import {
  type AuthorizationServerMetadata,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  type OAuthMetadata,
  oauthMetadataResponse,
} from "@modelcontextprotocol/server";
import { errors, type JWTPayload } from "jose";
import type { Access } from "../http/access.ts";
import type { ServerLog } from "../log.ts";
import { SCOPES } from "../mcp/scopes.ts";
import type { VerifyToken } from "./bearer-access.ts";
import type { Unverifiable } from "./cached-document.ts";
import { fitsNoKey, type Issuer, issuerAt } from "./issuer.ts";

/** An authorization server, and what its access tokens for this server look like. */
export interface OAuthSettings {
  /** The authorization server. */
  issuer: URL;
  /** The URL at which hosts reach this server. */
  publicUrl: URL;
  /** The audience of accepted access tokens. @default the public URL */
  audience?: string | undefined;
  /** The claim that determines the customer. @default "tenant" */
  tenantClaim?: string | undefined;
}

/** Signatures that only the holder of a private key can make. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** Allowed clock skew between the authorization server and this machine, in seconds. */
const SKEW_SECONDS = 30;

/** How long clients that ask for the issuer wait for its exact name, in milliseconds. */
const SPELLING_MS = 1_000;

/** How often the log repeats a problem, in milliseconds. Every caller meets it. */
const REPEAT_MS = 60_000;

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

const valuesOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
};

const scopesIn = (value: unknown): string[] => (typeof value === "string" ? value.split(" ").filter(Boolean) : valuesOf(value));

/** Verifies access tokens that are JWTs signed by an authorization server for this server. */
function oauthTokens(issuer: Issuer, audience: string, tenantClaim: string): VerifyToken {
  const options = {
    // A URL may be written with a slash at its end or without.
    audience: [audience, audience.endsWith("/") ? audience.slice(0, -1) : `${audience}/`],
    algorithms: ALGORITHMS,
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ["exp"],
  };
  return async (token) => {
    let claims: JWTPayload;
    try {
      claims = await issuer.verify(token, options);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      const problem = error instanceof errors.JWTExpired ? "has expired" : `is not valid: ${reasonOf(error)}`;
      throw new OAuthError(OAuthErrorCode.InvalidToken, `The access token ${problem}`);
    }
    const { sub, exp = 0, client_id: clientId = claims["azp"] ?? sub } = claims;
    const client = typeof clientId === "string" ? clientId : "unknown";
    return {
      id: typeof sub === "string" && sub !== "" ? sub : client,
      clientId: client,
      scopes: [...scopesIn(claims["scope"]), ...scopesIn(claims["scp"])],
      expiresAt: exp + SKEW_SECONDS,
      tenants: valuesOf(claims[tenantClaim]),
    };
  };
}

/** Logs what the authorization server does instead of helping, once in a while. */
function problemLog({ host }: URL, log: ServerLog) {
  let last = "";
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ message, reason }: Unverifiable) => {
    const problem = reason === undefined ? message : `${message}: ${reason}`;
    if (problem === last && Math.abs(performance.now() - loggedAt) < REPEAT_MS) return;
    last = problem;
    loggedAt = performance.now();
    log.warn({ issuer: host, problem }, "authorization server not usable");
  };
}

interface OAuthCallers {
  verify: VerifyToken;
  resourceMetadataUrl: string;
  metadata: NonNullable<Access["metadata"]>;
  issuer: Issuer;
}

/**
 * Accepts the access tokens of an authorization server, and serves the documents through which clients find that server (RFC 9728, and RFC 8414 for
 * older clients).
 */
export function oauthCallers(
  { issuer: url, publicUrl, audience = publicUrl.href, tenantClaim = "tenant" }: OAuthSettings,
  log: ServerLog,
): OAuthCallers {
  const issuer = issuerAt(url, problemLog(url, log));
  const options = { resourceServerUrl: publicUrl, scopesSupported: [...SCOPES], resourceName: "Fleetwire" };
  return {
    issuer,
    verify: oauthTokens(issuer, audience, tenantClaim),
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(publicUrl),
    metadata: async (request) => {
      const isIssuers = new URL(request.url).pathname.startsWith("/.well-known/oauth-authorization-server");
      const read = issuer.metadata().catch(() => undefined);
      const known = await (isIssuers ? read : Promise.race([read, setTimeout(SPELLING_MS, undefined, { ref: false })]));
      const oauthMetadata = known ?? (isIssuers ? undefined : { issuer: issuer.name });
      if (oauthMetadata === undefined) return new Response(null, { status: 503, headers: { "retry-after": "1" } });
      return oauthMetadataResponse(request, { ...options, oauthMetadata: oauthMetadata as AuthorizationServerMetadata as OAuthMetadata });
    },
  };
}
