import { Console } from "node:console";
import { randomUUID } from "node:crypto";
import { type Environment, FleetError, type ResponseEvent, type TraceContext } from "@fleetwire/core";
import type * as Sdk from "@opentelemetry/sdk-node";
import { settlesWithin } from "../limits.ts";
import type { ServerLog } from "../log.ts";
import type { RequestObserver } from "../mcp/around.ts";
import { withPackage } from "../optional-package.ts";

const SDK = {
  name: "@opentelemetry/sdk-node",
  neededBy: "configuration: the OTEL_ variables need",
  advice: "Install it beside the server: npm install @fleetwire/mcp-server @opentelemetry/sdk-node@0.223, or set OTEL_SDK_DISABLED=true",
};

/** How long a shutdown waits for the collector. */
const FLUSH_MS = 1_000;

/** The boundaries that the conventions recommend for each metric, in seconds. */
const MCP_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Spans and metrics of one process. */
export interface Telemetry {
  observeRequest: RequestObserver;
  /** Called when a request to the fleet service has ended. The path has placeholders instead of values. */
  requestEnded: (request: ResponseEvent & { method: string; path: string }) => void;
  /** Exports what has been recorded. */
  close: () => Promise<void>;
}

/** Whether the standard variables ask for a signal: they name a collector, or an exporter other than `none`. */
function isExported(env: Environment, signal: "TRACES" | "METRICS"): boolean {
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim();
  if (exporter) return exporter !== "none";
  return Boolean(env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim());
}

type Attributes = Record<string, string | number | undefined>;

/** Drops what is undefined. */
const defined = (attributes: Attributes): Sdk.api.Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** Starts the SDK, which reads the standard variables. What cannot be exported is logged, without the text of the error, which may quote the collector. */
function start(
  { api, NodeSDK, resources }: typeof Sdk,
  signals: { traces: boolean; metrics: boolean },
  version: string,
  log: ServerLog,
): Telemetry {
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
    ...(!signals.traces && { spanProcessors: [] }),
    ...(!signals.metrics && { metricReaders: [] }),
  });
  sdk.start();
  const tracer = api.trace.getTracer("fleetwire-mcp", version);
  const meter = api.metrics.getMeter("fleetwire-mcp", version);
  const durations = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries } });
  const operations = durations("mcp.server.operation.duration", "Duration of the requests of hosts", MCP_SECONDS);
  const requests = durations("http.client.request.duration", "Duration of the requests to the fleet service", HTTP_SECONDS);

  /** The context in which a span has the sender of a trace as its parent. */
  const parentOf = (trace: TraceContext | undefined): Sdk.api.Context => {
    const [, traceId = "", spanId = "", flags = ""] = trace?.traceparent.split("-") ?? [];
    if (trace === undefined) return api.ROOT_CONTEXT;
    return api.trace.setSpanContext(api.ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16),
      isRemote: true,
      ...(trace.tracestate !== undefined && { traceState: api.createTraceState(trace.tracestate) }),
    });
  };

  const traceOf = (span: Sdk.api.Span): TraceContext | undefined => {
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    if (!api.isSpanContextValid(span.spanContext())) return undefined;
    const tracestate = traceState?.serialize();
    return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`, ...(tracestate && { tracestate }) };
  };

  /** Begins a span. Its end also records its duration, with the attributes that are not its alone. */
  const record = (
    name: string,
    histogram: Sdk.api.Histogram,
    { attributes, own, ...options }: { kind: Sdk.api.SpanKind; startTime?: number; attributes: Attributes; own: Attributes },
    trace: TraceContext | undefined,
  ) => {
    const span = tracer.startSpan(name, { ...options, attributes: defined({ ...attributes, ...own }) }, parentOf(trace));
    return {
      trace: traceOf(span) ?? trace,
      end: (seconds: number, failure?: Attributes, endedAt?: number) => {
        if (failure) span.setAttributes(defined(failure)).setStatus({ code: api.SpanStatusCode.ERROR });
        span.end(endedAt);
        histogram.record(seconds, defined({ ...attributes, ...failure }));
      },
    };
  };

  return {
    observeRequest: ({ method, tool, id, protocolVersion, session, transport, trace: received }) => {
      const attributes = {
        "mcp.method.name": method,
        "gen_ai.tool.name": tool,
        "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
        "mcp.protocol.version": protocolVersion,
        "network.transport": transport === "http" ? "tcp" : "pipe",
        "network.protocol.name": transport === "http" ? "http" : undefined,
      };
      const own = { "jsonrpc.request.id": id, "mcp.session.id": session };
      const startedAt = performance.now();
      const name = tool === undefined ? method : `${method} ${tool}`;
      const { trace, end } = record(name, operations, { kind: api.SpanKind.SERVER, attributes, own }, received);
      return {
        trace,
        end: (failure) => {
          const code = failure?.code === undefined ? undefined : String(failure.code);
          const failed = { "error.type": code ?? "tool_error", "rpc.response.status_code": code, "fleetwire.error.code": failure?.reason };
          end((performance.now() - startedAt) / 1000, failure && failed);
        },
      };
    },
    requestEnded: ({ method, path, status, failure, attempt, duration, trace }) => {
      const error = failure ?? (status !== undefined && status >= 400 ? String(status) : undefined);
      const attributes = { "http.request.method": method, "url.template": path, "http.response.status_code": status };
      const own = { "http.request.resend_count": attempt > 1 ? attempt - 1 : undefined };
      const endedAt = Date.now();
      const options = { kind: api.SpanKind.CLIENT, startTime: endedAt - duration, attributes, own };
      const { end } = record(`${method} ${path}`, requests, options, trace);
      end(duration / 1000, error === undefined ? undefined : { "error.type": error }, endedAt);
    },
    close: async () => void (await settlesWithin(FLUSH_MS, sdk.shutdown()).catch(() => false)),
  };
}

/**
 * Exports spans and metrics if the standard `OTEL_` variables ask for it, and loads OpenTelemetry only then. Few need it, so it is an optional peer
 * dependency. Throws a `config` error if it is not installed.
 */
export async function startTelemetry(env: Environment, version: string, log: ServerLog): Promise<Telemetry | undefined> {
  if (env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return undefined;
  if (env["OTEL_METRICS_EXPORTER"]?.includes("prometheus"))
    throw new FleetError("config", "configuration: OTEL_METRICS_EXPORTER=prometheus would open another port", {
      advice: "Use otlp, console or none; the http command serves Prometheus at /metrics",
    });
  const signals = { traces: isExported(env, "TRACES"), metrics: isExported(env, "METRICS") };
  if (!signals.traces && !signals.metrics) return undefined;
  // Its console exporters and its own messages are printed with the global console, but stdout is reserved for the protocol.
  globalThis.console = new Console(process.stderr, process.stderr);
  return start(await withPackage(SDK, () => import("@opentelemetry/sdk-node")), signals, version, log);
}
