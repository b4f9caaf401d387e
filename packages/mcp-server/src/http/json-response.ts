import { type McpHttpHandler, type McpServerFactory, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

interface SingleMessage {
  id?: unknown;
  method?: unknown;
  params?: { _meta?: { progressToken?: unknown } | null } | null;
}

/** Whether the sender of a message gets only its result: it is a single request that asks for no progress. */
export function sendsOnlyResult(body: unknown): boolean {
  const { id, method, params } = (body ?? {}) as SingleMessage;
  return id !== undefined && typeof method === "string" && params?._meta?.progressToken === undefined;
}

const withoutToken = (message: SingleMessage | null) =>
  message?.params?._meta
    ? { ...message, params: { ...message.params, _meta: { ...message.params._meta, progressToken: undefined } } }
    : message;

/** The body of a caller that cannot receive notifications of progress, because it accepts no stream. */
export const withoutProgress = (body: unknown): unknown =>
  Array.isArray(body) ? body.map(withoutToken) : withoutToken(body as SingleMessage);

/**
 * Responds to a request of an older revision with one JSON document. The SDK's own handler responds with a stream, which takes longer than the call
 * itself. If the request is aborted, the response is an empty stream, as with that handler.
 */
export function jsonResponder(factory: McpServerFactory): McpHttpHandler["fetch"] {
  return async (request, { authInfo, parsedBody } = {}) => {
    const server = await factory({ era: "legacy", ...(authInfo && { authInfo }), requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    const { signal } = request;
    let end = () => {};
    const aborted = new Promise<Response>((resolve) => {
      end = () => resolve(new Response("", { headers: { "content-type": "text/event-stream" } }));
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    });
    try {
      return await Promise.race([transport.handleRequest(request, { ...(authInfo && { authInfo }), parsedBody }), aborted]);
    } finally {
      signal.removeEventListener("abort", end);
      await server.close();
    }
  };
}
