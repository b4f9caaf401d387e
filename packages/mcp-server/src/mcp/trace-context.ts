import { parseTraceContext, type TraceContext } from "@fleetwire/core";
import type { ServerContext } from "@modelcontextprotocol/server";

/** The trace that a request was sent with: the one in its `_meta`, which its sender wrote for this call, or else the one in the HTTP headers. */
export function receivedTrace({ mcpReq, http }: ServerContext): TraceContext | undefined {
  const meta = mcpReq._meta as Record<string, unknown> | undefined;
  const headers = http?.req?.headers;
  return (
    parseTraceContext(meta?.["traceparent"], meta?.["tracestate"]) ??
    parseTraceContext(headers?.get("traceparent"), headers?.get("tracestate"))
  );
}
