import { ProtocolErrorCode, type RequestId } from "@modelcontextprotocol/server";

/** What JSON-RPC leaves to servers, and the SDK says of HTTP. */
const HTTP_ERROR = -32_000;

export interface Refusal {
  status: number;
  message: string;
  code?: number;
  /** Of the one request that is refused, where it is known. */
  id?: RequestId;
  headers?: Record<string, string>;
}

export const bodyOf = ({ code = HTTP_ERROR, message, id }: Refusal): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: id ?? null });

/** A refusal as an HTTP response with a JSON-RPC error. */
export function refused(refusal: Refusal): Response {
  return new Response(bodyOf(refusal), { status: refusal.status, headers: { "content-type": "application/json", ...refusal.headers } });
}

/** One that says to come back: the connection is closed, for its next request need not wait on this one. */
export const busy = (status: 429 | 503, message: string): Refusal => ({
  status,
  message,
  headers: { "retry-after": "1", connection: "close" },
});

export const invalid = (message: string): Refusal => ({ status: 400, code: ProtocolErrorCode.InvalidRequest, message });

export const unreadable = (message: string): Refusal => ({ status: 400, code: ProtocolErrorCode.ParseError, message });
