import * as sdk from "@modelcontextprotocol/server";
import type { Access, Identity } from "../http/access.ts";
import type { Fleet } from "../http/fleet.ts";
import { busy, refused } from "../http/refusal.ts";
import type { ServerLog } from "../log.ts";
import { SCOPES } from "../mcp/scopes.ts";
import { Unverifiable } from "./cached-document.ts";

/** A token that is not accepted. */
export interface OAuthError extends Error {
  /** As RFC 6750 defines it, such as `invalid_token`. */
  readonly code: string;
}

// With types of its own, because the SDK is bundled and users of this package need not install it.
export const OAuthError: new (code: string, message: string) => OAuthError = sdk.OAuthError;

/** The codes that tell a host to get another token: with status 401, or 403 for one with more scopes. */
export const OAuthErrorCode: { readonly InvalidToken: "invalid_token"; readonly InsufficientScope: "insufficient_scope" } = {
  InvalidToken: "invalid_token",
  InsufficientScope: "insufficient_scope",
};

/** What a valid token says about its holder. */
export interface TokenHolder {
  /** Identifies the caller in the log: a token's name or an access token's subject. */
  id: string;
  /** The client that the token was issued to. */
  clientId: string;
  scopes: readonly string[];
  /** Seconds since 1970. */
  expiresAt: number;
  /** What the token says about the customer: values, exactly one of which must belong to a tenant. */
  tenants: readonly string[];
}

/** Returns the holder of a token. Throws an OAuthError if the token is invalid, or any other error, such as {@link Unverifiable}, if that cannot be determined. */
export type VerifyToken = (token: string) => Promise<TokenHolder>;

/** The longest identifier that the log shows. */
const MAX_ID_LENGTH = 128;

interface BearerAccessOptions {
  verify: VerifyToken;
  /** The fleets by the customer named in the token; with a single fleet, every valid token is for that one. */
  fleets: Fleet | ReadonlyMap<string, Fleet>;
  /** Where clients find the authorization server. */
  resourceMetadataUrl?: string;
  metadata?: NonNullable<Access["metadata"]>;
  log?: ServerLog;
}

export interface BearerAccess extends Access {
  /** Returns the holder of the token in an Authorization header, or the response if there is no valid one. */
  identify: (authorization: string | null) => Promise<Identity | Response>;
}

/** Lets callers with a valid bearer token reach the fleet that the token is for. */
export function bearerAccess({ verify, fleets, resourceMetadataUrl, metadata, log }: BearerAccessOptions): BearerAccess {
  /** Every caller needs at least this scope. */
  const challenge = { requiredScopes: [SCOPES[0]], ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
  const fleetsOf = (holder: TokenHolder) =>
    "get" in fleets ? [...new Set(holder.tenants.flatMap((tenant) => fleets.get(tenant) ?? []))] : [fleets];
  const noFleet = () => refused({ status: 403, message: "No fleet is configured for this caller; ask the operator of this server" });
  const identify = async (authorization: string | null): Promise<Identity | Response> => {
    let holder: TokenHolder | undefined;
    const verifyAccessToken = async (token: string): Promise<sdk.AuthInfo> => {
      holder = await verify(token);
      const { clientId, scopes, expiresAt } = holder;
      // The token itself is no longer needed.
      return { token: "", clientId, scopes: [...scopes], expiresAt };
    };
    try {
      const auth = await sdk.verifyBearerToken(authorization, { verifier: { verifyAccessToken }, ...challenge });
      const own = holder === undefined ? [] : fleetsOf(holder);
      if (holder === undefined || own.length === 0) return noFleet();
      return { id: holder.id.slice(0, MAX_ID_LENGTH), auth, fleets: own };
    } catch (error) {
      if (error instanceof Unverifiable)
        return refused(busy(503, `Access tokens cannot be verified: the authorization server ${error.message}. Try again later`));
      if (!(error instanceof sdk.OAuthError)) {
        log?.error({ error: error instanceof Error ? error.name : typeof error }, "token not verified");
        return refused(busy(503, "Access tokens cannot be verified. Try again later"));
      }
      return sdk.bearerAuthChallengeResponse(error, challenge);
    }
  };
  return {
    identify,
    authenticate: async (request) => {
      const identity = await identify(request.headers.get("authorization"));
      if (identity instanceof Response) return identity;
      const { id, auth, fleets: own } = identity;
      const [fleet] = own;
      return fleet === undefined || own.length > 1 ? noFleet() : { id, auth, fleet };
    },
    metadata,
    fleets: "get" in fleets ? [...new Set(fleets.values())] : [fleets],
  };
}
