import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { localhostAllowedOrigins, validateOriginHeader } from "@modelcontextprotocol/server";
import type { Refusal } from "./refusal.ts";

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const isLoopbackV4 = (host: string) => isIPv4(host) && host.startsWith("127.");

/** Returns the loopback address that a host name denotes, or undefined if it is not loopback. `localhost` is not resolved, since it may point elsewhere. */
export function loopbackAddress(host: string): string | undefined {
  if (host === "localhost") return "127.0.0.1";
  if (host === "::1" || host === "[::1]") return "::1";
  return isLoopbackV4(host) ? host : undefined;
}

/** Rejects requests from web pages elsewhere, which can reach loopback too: their Host (with DNS rebinding) or Origin is not this machine's. */
export function foreignCaller({ headers, headersDistinct, url }: IncomingMessage): Refusal | undefined {
  const [host, ...more] = headersDistinct["host"] ?? [];
  const name = HOST.exec(host ?? "")?.[1]?.toLowerCase();
  if (name === undefined || more.length > 0)
    return { status: 400, message: "Invalid Host header: send exactly one host, optionally with a port" };
  if (!url?.startsWith("/")) return { status: 400, message: "Invalid request target: send a path, with the host in the Host header" };
  if (loopbackAddress(name) === undefined) return { status: 403, message: "Invalid Host: only requests from this machine are accepted" };
  const origin = validateOriginHeader(headers.origin, localhostAllowedOrigins());
  const foreign = !origin.ok && !(origin.hostname !== undefined && /^https?:/i.test(headers.origin ?? "") && isLoopbackV4(origin.hostname));
  if (foreign || headers.origin?.includes("@"))
    return { status: 403, message: "Invalid Origin: only web pages on this machine may send requests" };
  return undefined;
}
