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
import { fetchJson, NOT_FOUND } from "./fetch-json.ts";

const FETCH = { timeout: 5_000, maxBytes: 262_144 };

/** Minimum time between two attempts to reach an authorization server, in milliseconds; the callers' Retry-After. One that stalls is asked anew by the next call. */
export const RETRY_MS = 1_000;

/** How long clients that ask for the issuer wait for its exact name, in milliseconds. */
const SPELLING_MS = 1_000;

const Metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** Where the metadata of an issuer may be: RFC 8414 puts the well-known part before the issuer's path, OpenID Connect after it. */
function addressesOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}${path}/.well-known/openid-configuration`];
}

/** Called when an attempt to read a document of the authorization server failed. */
export type OnProblem = (problem: Unverifiable) => void;

export type IssuerMetadata = z.output<typeof Metadata>;

/**
 * Reads the metadata of an authorization server when it is first needed. Throws {@link Unverifiable} while the server does not respond, immediately
 * if it was tried a moment ago.
 */
export function issuerMetadata(issuer: string, onProblem: OnProblem): () => Promise<IssuerMetadata> {
  let known: Promise<IssuerMetadata> | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let problem: unknown;
  const isOrigin = issuer === new URL(issuer).origin;
  // An issuer without a path may be written with a slash.
  const names = [issuer, ...(isOrigin ? [`${issuer}/`] : [])];
  const readAt = async (address: string): Promise<IssuerMetadata> => {
    const { success, data } = Metadata.safeParse(await fetchJson(address, FETCH));
    if (!success) throw new Unverifiable("does not describe itself: its metadata lacks issuer or jwks_uri");
    // Metadata of another issuer could name another server's keys.
    if (!names.includes(data.issuer)) throw new Unverifiable("names itself differently in its metadata");
    return data;
  };
  const read = async (): Promise<IssuerMetadata> => {
    const problems: Unverifiable[] = [];
    for (const address of addressesOf(issuer)) {
      try {
        return await readAt(address);
      } catch (error) {
        problems.push(error as Unverifiable);
      }
    }
    throw problems.find(({ message }) => message !== NOT_FOUND) ?? new Unverifiable(NOT_FOUND);
  };
  return () => {
    if (known === undefined && Math.abs(Date.now() - attemptedAt) < RETRY_MS) return Promise.reject(problem);
    if (known === undefined) attemptedAt = Date.now();
    known ??= read().catch((error: unknown) => {
      known = undefined;
      problem = error;
      onProblem(error as Unverifiable);
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
      if (oauthMetadata === undefined) return new Response(null, { status: 503, headers: { "retry-after": "1" } });
      return oauthMetadataResponse(request, { ...options, oauthMetadata: oauthMetadata as AuthorizationServerMetadata as OAuthMetadata });
    },
  };
}
