import { ProtocolErrorCode, type RequestId } from "@modelcontextprotocol/server";

/** A code from the range that JSON-RPC reserves for servers; the SDK uses it for HTTP errors. */
const HTTP_ERROR = -32_000;

export interface Refusal {
  status: number;
  message: string;
  code?: number;
  /** The id of the rejected request, if known. */
  id?: RequestId;
  headers?: Record<string, string>;
}

export const bodyOf = ({ code = HTTP_ERROR, message, id }: Refusal): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: id ?? null });

/** An HTTP response with a JSON-RPC error. */
export function refused(refusal: Refusal): Response {
  return new Response(bodyOf(refusal), { status: refusal.status, headers: { "content-type": "application/json", ...refusal.headers } });
}

/** Asks the caller to retry. The connection is closed, so that the retry uses a new one. */
export const busy = (status: 429 | 503, message: string): Refusal => ({
  status,
  message,
  headers: { "retry-after": "1", connection: "close" },
});

export const INCOMPLETE: Refusal = { status: 400, message: "The request body is incomplete" };

export const unreadable = (message: string): Refusal => ({ status: 400, code: ProtocolErrorCode.ParseError, message });
