/** What the client and `curl` examples send, and W3C trace context. */
const HEADERS = ["authorization", "content-type", "traceparent", "tracestate", "x-connect-token", "x-sandbox-fault"].join(", ");

type Handle<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>;

/** Whether a text is the origin of a web page, such as `http://localhost:5173`. */
export const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Lets the pages of one origin send requests to a handler, and read its responses. */
export function allowingOrigin<Rest extends unknown[]>(origin: string, handle: Handle<Rest>): Handle<Rest> {
  return async (request, ...rest) => {
    if (request.headers.get("origin") !== origin) return handle(request, ...rest);
    const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
    const answer = isPreflight ? new Response(null, { status: 204 }) : await handle(request, ...rest);
    const response = new Response(answer.body, answer);
    response.headers.set("access-control-allow-origin", origin);
    response.headers.append("vary", "origin");
    if (isPreflight) {
      response.headers.set("access-control-allow-methods", "GET, POST, PUT");
      response.headers.set("access-control-allow-headers", HEADERS);
    } else response.headers.set("access-control-expose-headers", "retry-after");
    return response;
  };
}
