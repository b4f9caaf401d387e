import { randomUUID } from "node:crypto";
import type { ResponseEvent, TraceContext } from "@fleetwire/core";
import { type api as Api, api, NodeSDK, resources } from "@opentelemetry/sdk-node";
import type { ServerLog } from "../log.ts";
import type { RequestObserver } from "../mcp/around.ts";

/** A request to the fleet service that has ended. The path has placeholders instead of values. */
export interface ServiceRequest extends ResponseEvent {
  method: string;
  path: string;
}

/** Spans and metrics of one process. */
export interface Telemetry {
  observeRequest: RequestObserver;
  requestEnded: (request: ServiceRequest) => void;
  /** Exports what has been recorded. */
  close: () => Promise<void>;
}

export interface Signals {
  traces: boolean;
  metrics: boolean;
}

/** The boundaries that the conventions recommend for each metric, in seconds. */
const MCP_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Drops what is undefined. */
function attributesOf(values: Record<string, string | number | undefined>): Api.Attributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The context in which a span has the sender of a trace as its parent. */
function parentOf(trace: TraceContext | undefined): Api.Context {
  const [, traceId = "", spanId = "", flags = ""] = trace?.traceparent.split("-") ?? [];
  if (trace === undefined) return api.ROOT_CONTEXT;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(trace.tracestate !== undefined && { traceState: api.createTraceState(trace.tracestate) }),
  });
}

function traceOf(span: Api.Span): TraceContext | undefined {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  if (!api.isSpanContextValid(span.spanContext())) return undefined;
  const tracestate = traceState?.serialize();
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`, ...(tracestate && { tracestate }) };
}

const secondsSince = (start: number) => (performance.now() - start) / 1000;

/** Starts the SDK, which reads the standard variables. What cannot be exported is logged, without the text of the error, which may quote the collector. */
export function startOpenTelemetry({ traces, metrics }: Signals, version: string, log: ServerLog): Telemetry {
  const warn = () => log.warn({}, "telemetry: a problem in the exporter or its settings; OTEL_LOG_LEVEL=error says which");
  api.diag.setLogger({ error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }, api.DiagLogLevel.WARN);
  const identity = { "service.name": "fleetwire-mcp", "service.version": version, "service.instance.id": randomUUID() };
  const sdk = new NodeSDK({
    // The variables override the identity.
    resource: resources.defaultResource().merge(resources.resourceFromAttributes(identity)),
    // By default, these include the command line and the name of the user.
    ...(!process.env["OTEL_NODE_RESOURCE_DETECTORS"] && { resourceDetectors: [resources.envDetector] }),
    // An async context would slow down every promise of every call, and parents are passed explicitly.
    contextManager: null as never,
    textMapPropagator: null,
    logRecordProcessors: [],
    ...(!traces && { spanProcessors: [] }),
    ...(!metrics && { metricReaders: [] }),
  });
  sdk.start();
  const tracer = api.trace.getTracer("fleetwire-mcp", version);
  const meter = api.metrics.getMeter("fleetwire-mcp", version);
  const operations = meter.createHistogram("mcp.server.operation.duration", {
    description: "Duration of the requests of hosts",
    unit: "s",
    advice: { explicitBucketBoundaries: MCP_SECONDS },
  });
  const requests = meter.createHistogram("http.client.request.duration", {
    description: "Duration of the requests to the fleet service",
    unit: "s",
    advice: { explicitBucketBoundaries: HTTP_SECONDS },
  });

  return {
    observeRequest: ({ method, tool, id, protocolVersion, session, transport, trace }) => {
      const common = attributesOf({
        "mcp.method.name": method,
        "gen_ai.tool.name": tool,
        "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
        "mcp.protocol.version": protocolVersion,
        "network.transport": transport === "http" ? "tcp" : "pipe",
        "network.protocol.name": transport === "http" ? "http" : undefined,
      });
      const startedAt = performance.now();
      const span = tracer.startSpan(
        tool === undefined ? method : `${method} ${tool}`,
        {
          kind: api.SpanKind.SERVER,
          attributes: { ...common, ...attributesOf({ "jsonrpc.request.id": id, "mcp.session.id": session }) },
        },
        parentOf(trace),
      );
      return {
        trace: traceOf(span) ?? trace,
        end: (failure) => {
          const failed = attributesOf({
            "error.type": failure && (failure.code === undefined ? "tool_error" : String(failure.code)),
            "rpc.response.status_code": failure?.code === undefined ? undefined : String(failure.code),
            "fleetwire.error.code": failure?.reason,
          });
          if (failure) span.setAttributes(failed).setStatus({ code: api.SpanStatusCode.ERROR });
          span.end();
          operations.record(secondsSince(startedAt), { ...common, ...failed });
        },
      };
    },
    requestEnded: ({ method, path, status, failure, attempt, duration, trace }) => {
      const error = failure ?? (status !== undefined && status >= 400 ? String(status) : undefined);
      const attributes = attributesOf({
        "http.request.method": method,
        "url.template": path,
        "http.response.status_code": status,
        "error.type": error,
      });
      const endedAt = Date.now();
      const span = tracer.startSpan(
        `${method} ${path}`,
        {
          kind: api.SpanKind.CLIENT,
          startTime: endedAt - duration,
          attributes: { ...attributes, ...(attempt > 1 && { "http.request.resend_count": attempt - 1 }) },
        },
        parentOf(trace),
      );
      if (error !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(endedAt);
      requests.record(duration / 1000, attributes);
    },
    close: () => sdk.shutdown(),
  };
}
