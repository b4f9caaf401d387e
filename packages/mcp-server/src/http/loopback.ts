import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { localhostAllowedOrigins, validateOriginHeader } from "@modelcontextprotocol/server";
import type { Refusal } from "./refusal.ts";

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const isLoopbackV4 = (host: string) => isIPv4(host) && host.startsWith("127.");

/** The address that a host name on this machine stands for, to listen on; undefined for any other. Even localhost can be made to lead elsewhere. */
export function loopbackAddress(host: string): string | undefined {
  if (host === "localhost") return "127.0.0.1";
  if (host === "::1" || host === "[::1]") return "::1";
  return isLoopbackV4(host) ? host : undefined;
}

/** A web page that the user visits can reach loopback too: under a name of its own, or from an origin of its own. */
export function foreignCaller({ headers, headersDistinct, url }: IncomingMessage): Refusal | undefined {
  const [host, ...more] = headersDistinct["host"] ?? [];
  const name = HOST.exec(host ?? "")?.[1]?.toLowerCase();
  if (name === undefined || more.length > 0)
    return { status: 400, message: "Invalid Host header: it must name a host once, and a port at most" };
  if (!url?.startsWith("/")) return { status: 400, message: "Invalid request target: it must be a path, with the host in the Host header" };
  if (loopbackAddress(name) === undefined) return { status: 403, message: "Invalid Host: this server is for callers on this machine" };
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  const foreign = !origin.ok && !(origin.hostname !== undefined && /^https?:/i.test(headers.origin ?? "") && isLoopbackV4(origin.hostname));
  if (foreign || headers.origin?.includes("@")) return { status: 403, message: "Invalid Origin: this server is for pages of this machine" };
  return undefined;
}
