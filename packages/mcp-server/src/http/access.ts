import type { AuthInfo } from "@modelcontextprotocol/server";
import { SCOPES } from "../mcp/scopes.ts";
import type { Admission } from "./admission.ts";
import type { Fleet, PageHandler } from "./fleet.ts";

/** The path of the console's page; its assets and data are below this path. */
export const CONSOLE_PATH = "/console";

/** An authorized caller. */
export interface Caller {
  /** Identifies the caller in the log and for its limits: a token's name, or an access token's subject. */
  id: string;
  /** The scopes, as the SDK checks them. */
  auth: AuthInfo;
  /** The only fleet that the caller can reach. */
  fleet: Fleet;
}

/** The holder of a valid token that may read. */
export interface Identity {
  id: string;
  auth: AuthInfo;
  /** The fleets of its customers; over MCP, a caller has exactly one. */
  fleets: readonly Fleet[];
}

/** The console for callers who sign in. */
export interface TeamPage {
  /** The origin of the page. @default the address of the request */
  origin: string | undefined;
  serve: (request: Request, admission: Admission) => Promise<Response | undefined>;
}

/** Decides who may call, and whose fleet they reach. */
export interface Access {
  /** Returns the caller, or the response for a request without valid credentials. */
  authenticate(request: Request): Promise<Caller | Response>;
  /** Serves the documents through which clients find the authorization server; undefined for any other request. */
  metadata?: ((request: Request) => Promise<Response | undefined>) | undefined;
  /** Serves the console. It does not authenticate callers, so it is available only if everyone on this machine may call. */
  page?: PageHandler | undefined;
  /** Serves the console to callers who sign in. */
  teamPage?: TeamPage | undefined;
  /** Every fleet, each created when it is first called. */
  fleets: readonly Fleet[];
}

/** Lets anyone who can reach the server call it, so it must be on loopback. */
export function openAccess(fleet: Fleet): Access {
  const auth: AuthInfo = { token: "", clientId: "local", scopes: [...SCOPES] };
  return { authenticate: async () => ({ id: "local", auth, fleet }), page: fleet.page, fleets: [fleet] };
}
