import { isJsonContentType, validateOriginHeader } from "@modelcontextprotocol/server";
import { MAX_MESSAGE_BYTES, readUpTo } from "../limits.ts";
import type { Exchange } from "./exchange.ts";
import { INCOMPLETE, type Refusal } from "./refusal.ts";
import { loopbackAddress } from "./trusted-proxies.ts";

// The SDK's own check of the Host takes it for a URL, and so accepts user@localhost, localhost/x and 2130706433.
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
  return loopbackAddress(validateOriginHeader(header, []).hostname ?? "") !== undefined;
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

const IDENTITY = "identity";

/** Rejects a body that is not uncompressed JSON. */
export function contentRefusal({ headers }: Request): Refusal | undefined {
  const encoding = headers.get("content-encoding") || IDENTITY;
  // A few bytes could decompress to gigabytes, and no known host compresses requests.
  if (encoding.toLowerCase() !== IDENTITY) {
    const message = "Content-Encoding is not supported: send the body uncompressed";
    return { status: 415, message, headers: { "accept-encoding": IDENTITY } };
  }
  return isJsonContentType(headers.get("content-type")) ? undefined : { status: 415, message: "Content-Type must be application/json" };
}

const TOO_LARGE: Refusal = {
  status: 413,
  message: `Request body must not exceed ${MAX_MESSAGE_BYTES} bytes`,
  headers: { connection: "close" },
};

/** Reads the body of a request, up to the limit. Hono's body-limit cannot read chunked bodies unless the global Request is replaced. */
export async function readBody(request: Request): Promise<ArrayBuffer | Refusal> {
  const { headers } = request;
  const length = headers.has("transfer-encoding") ? null : headers.get("content-length");
  if (length !== null && Number(length) > MAX_MESSAGE_BYTES) return TOO_LARGE;
  try {
    if (length !== null) return await request.arrayBuffer();
    if (request.body === null) return new ArrayBuffer();
    // Cancelling a body that is too large would close the connection before the response is sent.
    const read = await readUpTo(MAX_MESSAGE_BYTES, request.body.getReader());
    return (await read?.arrayBuffer()) ?? TOO_LARGE;
  } catch {
    return INCOMPLETE;
  }
}
