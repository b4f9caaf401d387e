import type { Access } from "../http/access.ts";
import type { ServerLog } from "../log.ts";
import type { VerifyToken } from "./bearer-access.ts";
import { type IssuerMetadata, issuerMetadata, metadataDocuments, type OnProblem } from "./oauth-metadata.ts";
import { oauthTokens } from "./oauth-tokens.ts";

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

interface OAuthCallers {
  verify: VerifyToken;
  resourceMetadataUrl: string;
  metadata: NonNullable<Access["metadata"]>;
  /** Returns what the authorization server says about itself. */
  issuer: () => Promise<IssuerMetadata>;
}

/** How often the log repeats a problem, in milliseconds. Every caller meets it. */
const REPEAT_MS = 60_000;

/** Logs what the authorization server does instead of helping, once in a while. */
function problemLog(issuer: URL, log: ServerLog): OnProblem {
  let last = "";
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ message, reason }) => {
    const problem = reason === undefined ? message : `${message}: ${reason}`;
    if (problem === last && Math.abs(performance.now() - loggedAt) < REPEAT_MS) return;
    last = problem;
    loggedAt = performance.now();
    log.warn({ issuer: issuer.host, problem }, "authorization server not usable");
  };
}

/** The name of an issuer, which has no trailing slash without a path, where a URL has one. */
export const issuerName = (url: URL): string => (url.pathname === "/" ? url.origin : url.href);

/** Accepts the access tokens of an authorization server, and lets clients discover that server. */
export function oauthCallers(
  { issuer: url, publicUrl, audience = publicUrl.href, tenantClaim = "tenant" }: OAuthSettings,
  log: ServerLog,
): OAuthCallers {
  const issuer = issuerName(url);
  const onProblem = problemLog(url, log);
  const metadata = issuerMetadata(issuer, onProblem);
  const documents = metadataDocuments(publicUrl, issuer, metadata);
  return { verify: oauthTokens({ audience, tenantClaim, metadata, onProblem }), ...documents, issuer: metadata };
}
