import type { AuthScheme, Operation, ServerName } from "../operation.ts";

/** The options that determine where operations are sent and how they authenticate. */
export interface Routes {
  /** Server URLs; only the servers you use are needed. */
  servers: { readonly [Name in ServerName]?: string | undefined };
  /** Authentication schemes that replace the defaults, by operation. */
  authSchemes?: { readonly [operation: string]: AuthScheme | undefined } | undefined;
}

/** The URL of an operation's first configured server. */
export function serverOf({ servers: candidates }: Pick<Operation, "servers">, { servers }: Routes): string | undefined {
  return candidates.map((candidate) => servers[candidate]).find((url) => url !== undefined);
}

/** The authentication scheme configured for an operation, or its default. */
export function schemeOf({ name, auth }: Pick<Operation, "name" | "auth">, { authSchemes }: Routes): AuthScheme {
  return authSchemes?.[name] ?? auth[0];
}

/** The servers that must still be configured before an operation can be called: its own, and the token service if it needs a token. */
export function missingServers(operation: Pick<Operation, "name" | "servers" | "auth">, routes: Routes): ServerName[] {
  const own = serverOf(operation, routes) === undefined ? operation.servers.slice(-1) : [];
  const needsToken = schemeOf(operation, routes) !== "basic" && routes.servers.auth === undefined;
  return [...own, ...(needsToken ? (["auth"] as const) : [])];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with a server URL, if anything. Never repeats the URL, which may contain credentials. */
export function serverProblem(address: string, allowHttp: boolean): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address)) return "must be a URL such as https://fleet.example.com/api";
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return "must start with https://";
  if (protocol === "http:" && !allowHttp && !LOOPBACK.test(hostname))
    return "must start with https://; plain http is allowed for loopback only";
  if (username || password) return "must not contain credentials";
  // Check the text itself, because paths are appended to it: parsing would hide an empty query and surrounding whitespace.
  if (/[?#]/.test(address)) return "must not contain a query or a fragment";
  if (/\s/.test(address)) return "must not contain whitespace";
  return undefined;
}
