import { localhostAllowedOrigins, validateOriginHeader } from "@modelcontextprotocol/server";
import type { Exchange } from "./exchange.ts";
import { isLoopbackV4, loopbackAddress } from "./loopback.ts";
import type { Refusal } from "./refusal.ts";

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** The host names that the server accepts, and the web pages that may call it. */
export interface AllowedCallers {
  /** Host names besides those of loopback, without ports. */
  hosts: readonly string[];
  /** Origins of web pages, such as `https://claude.ai`. They also get CORS headers. */
  origins: readonly string[];
  /** Whether any web page on this machine may call. */
  localPages: boolean;
}

function isLocalPage(header: string): boolean {
  if (!/^https?:/i.test(header) || header.includes("@")) return false;
  const origin = validateOriginHeader(header, localhostAllowedOrigins());
  return origin.ok || (origin.hostname !== undefined && isLoopbackV4(origin.hostname));
}

/** Rejects requests from other web pages, which can reach any address that the browser can: their Host (with DNS rebinding) or Origin is not allowed. */
export function hostOrOriginRefusal({ hosts, target }: Exchange, header: string | null, allowed: AllowedCallers): Refusal | undefined {
  const [host, ...more] = hosts;
  const name = HOST.exec(host ?? "")?.[1]?.toLowerCase();
  if (name === undefined || more.length > 0)
    return { status: 400, message: "Invalid Host header: send exactly one host, optionally with a port" };
  if (!target.startsWith("/")) return { status: 400, message: "Invalid request target: send a path, with the host in the Host header" };
  if (loopbackAddress(name) === undefined && !allowed.hosts.includes(name)) {
    const expected = allowed.hosts.length === 0 ? "only requests from this machine are accepted" : "the server does not have this name";
    return { status: 403, message: `Invalid Host: ${expected}` };
  }
  if (header === null || header === "" || allowed.origins.includes(header.toLowerCase())) return undefined;
  if (allowed.localPages && isLocalPage(header)) return undefined;
  const pages = allowed.localPages ? "web pages on this machine" : "listed web pages (FLEET_ALLOWED_ORIGINS)";
  return { status: 403, message: `Invalid Origin: only ${pages} may send requests` };
}
