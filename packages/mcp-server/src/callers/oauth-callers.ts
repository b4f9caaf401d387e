import type { Access } from "../http/access.ts";
import type { VerifyToken } from "./bearer-access.ts";
import { type IssuerMetadata, issuerMetadata, metadataDocuments } from "./oauth-metadata.ts";
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

/** Accepts the access tokens of an authorization server, and lets clients discover that server. */
export function oauthCallers({ issuer: url, publicUrl, audience = publicUrl.href, tenantClaim = "tenant" }: OAuthSettings): OAuthCallers {
  // An issuer without a path has no trailing slash, but a URL adds one.
  const issuer = url.pathname === "/" ? url.origin : url.href;
  const metadata = issuerMetadata(issuer);
  const documents = metadataDocuments(publicUrl, issuer, metadata);
  return { verify: oauthTokens({ audience, tenantClaim, metadata }), ...documents, issuer: metadata };
}
