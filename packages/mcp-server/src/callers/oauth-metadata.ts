import { setTimeout } from "node:timers/promises";
import {
  type AuthorizationServerMetadata,
  getOAuthProtectedResourceMetadataUrl,
  type OAuthMetadata,
  oauthMetadataResponse,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { SCOPES } from "../mcp/scopes.ts";
import { Unverifiable } from "./bearer-access.ts";

const FETCH_MS = 5_000;
const MAX_BYTES = 262_144;

/** How long to wait before retrying an authorization server that did not respond, in milliseconds. */
const RETRY_MS = 10_000;

/** How long clients that ask for the issuer wait for its exact name, in milliseconds. */
const SPELLING_MS = 1_000;

const Metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** Where the metadata of an issuer may be: RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after it. */
function addressesOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}${path}/.well-known/openid-configuration`];
}

async function readJson(address: string): Promise<unknown> {
  const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(FETCH_MS) });
  const text = response.ok ? await response.text() : "";
  return text === "" || text.length > MAX_BYTES ? undefined : JSON.parse(text);
}

export type IssuerMetadata = z.output<typeof Metadata>;

/**
 * Reads the metadata of an authorization server when it is first needed. Throws {@link Unverifiable} while the server does not respond, immediately
 * if it was tried a moment ago.
 */
export function issuerMetadata(issuer: string): () => Promise<IssuerMetadata> {
  let known: Promise<IssuerMetadata> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const isOrigin = issuer === new URL(issuer).origin;
  const read = async () => {
    for (const address of addressesOf(issuer)) {
      const parsed = Metadata.safeParse(await readJson(address).catch(() => undefined));
      // Metadata of another issuer could name another server's keys. An issuer without a path may be written with a slash.
      if (parsed.success && [issuer, ...(isOrigin ? [`${issuer}/`] : [])].includes(parsed.data.issuer)) return parsed.data;
    }
    throw new Unverifiable("metadata");
  };
  return () => {
    if (known === undefined && Date.now() - failedAt < RETRY_MS) return Promise.reject(new Unverifiable("metadata"));
    known ??= read().catch((error: unknown) => {
      known = undefined;
      failedAt = Date.now();
      throw error;
    });
    return known;
  };
}

/** Serves the documents through which clients find the authorization server (RFC 9728, and RFC 8414 for older clients). */
export function metadataDocuments(resource: URL, issuer: string, metadata: () => Promise<IssuerMetadata>) {
  const options = { resourceServerUrl: resource, scopesSupported: [...SCOPES], resourceName: "Fleetwire" };
  return {
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
    metadata: async (request: Request): Promise<Response | undefined> => {
      const isIssuers = new URL(request.url).pathname.startsWith("/.well-known/oauth-authorization-server");
      const read = metadata().catch(() => undefined);
      const known = await (isIssuers ? read : Promise.race([read, setTimeout(SPELLING_MS, undefined, { ref: false })]));
      const oauthMetadata = known ?? (isIssuers ? undefined : { issuer });
      if (oauthMetadata === undefined) return new Response(null, { status: 503, headers: { "retry-after": "10" } });
      return oauthMetadataResponse(request, { ...options, oauthMetadata: oauthMetadata as AuthorizationServerMetadata as OAuthMetadata });
    },
  };
}
