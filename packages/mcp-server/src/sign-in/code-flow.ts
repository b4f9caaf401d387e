import { randomBytes } from "node:crypto";
import { type AuthorizationServerMetadata, exchangeAuthorization, startAuthorization } from "@modelcontextprotocol/client";
import type { Issuer } from "../callers/issuer.ts";
import { SCOPES } from "../mcp/scopes.ts";
import { PATHS } from "./sign-in-page.ts";

const TIMEOUT_MS = 5_000;

/** What a browser keeps while its user is at the authorization server. */
export interface Pending {
  state: string;
  verifier: string;
}

/** Signs users in at the authorization server: authorization code with PKCE, as a public client. */
export interface CodeFlow {
  /** Returns where to send the browser. */
  begin: () => Promise<{ url: URL; pending: Pending }>;
  /** Returns the access token for what the browser brought back. Throws if the sign-in failed. */
  finish: (reply: URLSearchParams, pending: Pending) => Promise<string>;
}

export function codeFlow(clientId: string, publicUrl: URL, issuer: Issuer): CodeFlow {
  const redirectUri = new URL(PATHS.callback, publicUrl);
  // The SDK checks the endpoints that it uses.
  const known = async () => {
    const metadata = (await issuer.metadata()) as object as AuthorizationServerMetadata;
    const clientInformation = { client_id: clientId, token_endpoint_auth_method: "none" };
    return { metadata, clientInformation, resource: publicUrl };
  };
  return {
    begin: async () => {
      const all = await known();
      const state = randomBytes(32).toString("base64url");
      const { authorizationUrl: url, codeVerifier: verifier } = await startAuthorization(all.metadata.issuer, {
        ...all,
        redirectUrl: redirectUri,
        scope: SCOPES[0],
        state,
      });
      return { url, pending: { state, verifier } };
    },
    finish: async (reply, { state, verifier }) => {
      const code = reply.get("code");
      if (code === null || reply.get("state") !== state) throw new Error("not signed in");
      const all = await known();
      const iss = reply.get("iss");
      const tokens = await exchangeAuthorization(all.metadata.issuer, {
        ...all,
        authorizationCode: code,
        ...(iss !== null && { iss }),
        codeVerifier: verifier,
        redirectUri,
        fetchFn: (url, init) => fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) }),
      });
      return tokens.access_token;
    },
  };
}
