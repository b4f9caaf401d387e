import type { AuthScheme, Operation, ServerName } from "../operation.ts";

/** What decides where an operation is sent and how it proves who it is. */
export interface Routes {
  /** Addresses by server; those of the operations in use. */
  servers: { readonly [Name in ServerName]?: string };
  /** Other schemes than the default ones, by operation. */
  authSchemes?: { readonly [operation: string]: AuthScheme };
}

/** The address of the first of an operation's servers that is configured. */
export function serverOf({ servers: candidates }: Operation, { servers }: Routes): string | undefined {
  return candidates.map((candidate) => servers[candidate]).find((address) => address !== undefined);
}

/** The scheme configured for an operation, else its default. */
export function schemeOf({ name, auth }: Operation, { authSchemes = {} }: Routes): AuthScheme {
  return authSchemes[name] ?? auth[0];
}

/** The servers that have yet to be configured before an operation can be called: its own, and the token service where it needs a token. */
export function missingServers(operation: Operation, routes: Routes): ServerName[] {
  const own = serverOf(operation, routes) === undefined ? operation.servers.slice(-1) : [];
  const needsToken = schemeOf(operation, routes) !== "basic" && routes.servers.auth === undefined;
  return [...own, ...(needsToken ? (["auth"] as const) : [])];
}
