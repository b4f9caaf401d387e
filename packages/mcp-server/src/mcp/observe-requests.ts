import type { FleetErrorCode, TraceContext } from "@fleetwire/core";
import { type McpServer, PROTOCOL_VERSION_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import { wrapHandlers } from "./safe-output.ts";
import { receivedTrace } from "./trace-context.ts";

/** A request of a host that is being handled, without its arguments and without any text that a caller can choose freely. */
interface HandledRequest {
  method: string;
  /** The tool called, if there is one of this name. */
  tool: string | undefined;
  /** The JSON-RPC id. */
  id: string | undefined;
  protocolVersion: string | undefined;
  session: string | undefined;
  transport: "stdio" | "http";
  trace: TraceContext | undefined;
}

/** How a request failed. */
export interface RequestFailure {
  /** The JSON-RPC error code; undefined if a tool returned an error as its result. */
  code: number | undefined;
  /** The code of a tool's error. */
  reason: FleetErrorCode | "internal" | undefined;
}

/** A request in progress. */
interface RequestObservation {
  /** The trace for what the request causes. */
  trace: TraceContext | undefined;
  end: (failure?: RequestFailure) => void;
}

/** Called when a request starts to be handled. */
export type RequestObserver = (request: HandledRequest) => RequestObservation;

const CALL = "tools/call";
const ID = /^[\w.-]{1,64}$/;
const VERSION = /^\d{4}-\d\d-\d\d$/;

const matching = (pattern: RegExp, value: unknown) => {
  const text = String(value);
  return pattern.test(text) && value !== undefined && value !== null ? text : undefined;
};

const observed = new WeakMap<ServerContext["mcpReq"], { trace: TraceContext | undefined; reason?: RequestFailure["reason"] }>();

/** The trace that a request belongs to: that of its observation, or else the one it was sent with. */
export function traceOf(context: ServerContext): TraceContext | undefined {
  const found = observed.get(context.mcpReq);
  return found ? found.trace : receivedTrace(context);
}

/** Notes the code of the error that a tool call is about to return as text. */
export function noteFailure({ mcpReq }: ServerContext, reason: RequestFailure["reason"]): void {
  const found = observed.get(mcpReq);
  if (found) found.reason = reason;
}

/** Observes every request whose handler is registered from now on. `tools` are the names that may be called. */
export function observeRequests({ server }: McpServer, observer: RequestObserver, tools: ReadonlySet<string>): void {
  wrapHandlers(server, (method, handler) => async (request, context) => {
    const { mcpReq, http } = context;
    const { name } = (method === CALL && (request as { params?: { name?: string } }).params) || {};
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const headers = http?.req?.headers;
    const header = (field: string) => headers?.get(field) ?? undefined;
    const version = envelope?.[PROTOCOL_VERSION_META_KEY] ?? server.getNegotiatedProtocolVersion() ?? header("mcp-protocol-version");
    const { trace, end } = observer({
      method,
      tool: name !== undefined && tools.has(name) ? name : undefined,
      id: matching(ID, mcpReq.id),
      protocolVersion: matching(VERSION, version),
      session: matching(ID, header("mcp-session-id")),
      transport: http === undefined ? "stdio" : "http",
      trace: receivedTrace(context),
    });
    observed.set(mcpReq, { trace });
    try {
      const result = await handler(request, context);
      const isError = (result as { isError?: boolean }).isError === true;
      end(isError ? { code: undefined, reason: observed.get(mcpReq)?.reason } : undefined);
      return result;
    } catch (error) {
      const { code } = error as { code?: unknown };
      end({ code: typeof code === "number" ? code : -32603, reason: undefined });
      throw error;
    }
  });
}
