import { type FleetErrorCode, parseTraceContext, type TraceContext } from "@fleetwire/core";
import type { ToolHooks } from "@fleetwire/tools";
import { safeLines, safeValue } from "@fleetwire/tools/host";
import {
  type AuthInfo,
  type Implementation,
  isInputRequiredResult,
  type McpServer,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What is known about an HTTP request besides its caller's scopes. */
export interface ReceivedRequest {
  /** Hooks for the calls in the request, used instead of the tools' own. */
  hooks: ToolHooks;
  /** Whether another server may have finished this call, since this one was paused. */
  wasPaused?: () => boolean;
  /** Who sent it, unlike any other caller of the server. */
  caller: string;
  /** The message, with the name in its parameters, such as that of a tool; undefined for a batch. */
  message: { method: unknown; name: string | undefined } | undefined;
}

/** Passes on what is known about a request in what the SDK hands to handlers: an async context would slow down every promise of every call. */
export const withReceived = (auth: AuthInfo, received: ReceivedRequest): AuthInfo => ({ ...auth, extra: { received } });

export const receivedIn = (auth: AuthInfo | undefined): ReceivedRequest | undefined =>
  auth?.extra?.["received"] as ReceivedRequest | undefined;

/** How a request failed. */
interface RequestFailure {
  /** The JSON-RPC error code; undefined if a tool returned an error as its result. */
  code: number | undefined;
  /** The code of a tool's error. */
  reason: FleetErrorCode | "internal" | undefined;
}

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

/** Called when a request starts to be handled. Returns the trace for what the request causes, and what to call when it ends. */
export type RequestObserver = (request: HandledRequest) => { trace: TraceContext | undefined; end: (failure?: RequestFailure) => void };

/** The trace that a request was sent with: the one in its `_meta`, which its sender wrote for this call, or else the one in the HTTP headers. */
function receivedTrace({ mcpReq, http }: ServerContext): TraceContext | undefined {
  const meta = mcpReq._meta as Record<string, unknown> | undefined;
  const headers = http?.req?.headers;
  return (
    parseTraceContext(meta?.["traceparent"], meta?.["tracestate"]) ??
    parseTraceContext(headers?.get("traceparent"), headers?.get("tracestate"))
  );
}

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

const ID = /^[\w.-]{1,64}$/;
const VERSION = /^\d{4}-\d\d-\d\d$/;

const matching = (pattern: RegExp, value: unknown) => {
  const text = String(value);
  return pattern.test(text) && value !== undefined && value !== null ? text : undefined;
};

const ownWords = new WeakSet<object>();

/** Marks a result that contains nothing but the contract's own words, which need no escaping. */
export function asOwnWords<Result extends object>(result: Result): Result {
  ownWords.add(result);
  return result;
}

/** Escapes invisible characters. Line breaks are preserved in text, but become spaces in structured content. */
function safe(value: unknown, field = ""): unknown {
  if (field === "structuredContent") return safeValue(value);
  if (typeof value === "string") return safeLines(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => safe(item));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [safeLines(name), safe(inner, name)]));
}

type Handler = (request: unknown, context: ServerContext) => unknown;
type Register = (method: string, ...more: [...schemas: unknown[], handler: Handler]) => void;

interface Around {
  identity: Implementation;
  /** Leaves out of a result what its host cannot use. */
  visible: ((method: string, result: object, request: ServerContext, server: McpServer) => object) | undefined;
  observer: RequestObserver | undefined;
  /** The names that may be called. */
  tools: ReadonlySet<string>;
}

/**
 * Wraps every handler that is registered from now on: observes its requests, escapes invisible characters in its results and errors, and adds the server's
 * short identity, which the current revision requires in each result (`server/discover` returns the full one).
 */
export function wrapHandlers(mcp: McpServer, { identity, visible, observer, tools }: Around): void {
  const { server } = mcp;
  const { name, title, version } = identity;
  // Its icon and description are too long to repeat in every result.
  const meta = { [SERVER_INFO_META_KEY]: { name, ...(title !== undefined && { title }), version } };

  const before = (method: string, request: unknown, context: ServerContext) => {
    if (observer === undefined) return undefined;
    const { mcpReq, http } = context;
    const called = method === "tools/call" ? (request as { params?: { name?: string } }).params?.name : undefined;
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const header = (field: string) => http?.req?.headers.get(field) ?? undefined;
    const revision = envelope?.[PROTOCOL_VERSION_META_KEY] ?? server.getNegotiatedProtocolVersion() ?? header("mcp-protocol-version");
    const { trace, end } = observer({
      method,
      tool: called !== undefined && tools.has(called) ? called : undefined,
      id: matching(ID, mcpReq.id),
      protocolVersion: matching(VERSION, revision),
      session: matching(ID, header("mcp-session-id")),
      transport: http === undefined ? "stdio" : "http",
      trace: receivedTrace(context),
    });
    observed.set(mcpReq, { trace });
    return end;
  };

  const safeResult = (method: string, given: object, { mcpReq }: ServerContext) => {
    // The SDK stores result metadata under symbols, which the spread preserves. Questions to the user are already escaped.
    const copy = () => ({ ...given, ...(ownWords.has(given) ? {} : (safe(given) as object)) });
    const out = (isInputRequiredResult(given) ? given : copy()) as Record<string, unknown>;
    if (mcpReq.envelope === undefined || method === "server/discover") return out;
    return { ...out, _meta: { ...(out["_meta"] as object | undefined), ...meta } };
  };

  const register = server.setRequestHandler.bind(server) as Register;
  const registerWrapped: Register = (method, ...more) => {
    const handler = more.pop() as Handler;
    register(method, ...more, async (request, context) => {
      const end = before(method, request, context);
      try {
        const returned = (await handler(request, context)) as object;
        const result = safeResult(method, visible?.(method, returned, context, mcp) ?? returned, context);
        end?.(result["isError"] === true ? { code: undefined, reason: observed.get(context.mcpReq)?.reason } : undefined);
        return result;
      } catch (error) {
        const { code } = error as { code?: unknown };
        end?.({ code: typeof code === "number" ? code : -32603, reason: undefined });
        if (error instanceof Error) error.message = safeLines(error.message);
        throw error;
      }
    });
  };
  server.setRequestHandler = registerWrapped as typeof server.setRequestHandler;
}
