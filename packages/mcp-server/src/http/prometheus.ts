import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Fleet } from "./fleet.ts";
import { SECONDS, serviceMetrics } from "./service-metrics.ts";

/** Counts what is served. Labels never contain a customer or caller: whoever reads the metrics may not be allowed to know these. */
export interface Metrics {
  called: (tool: string, outcome: string, ms: number) => void;
  responded: (status: number, ms: number) => void;
  /** Returns all metrics in the text format of Prometheus. */
  render: () => Promise<{ contentType: string; text: string }>;
}

/** What the metrics of a server are read from. */
export interface MeasuredServer {
  /** Returns the number of requests being served. */
  inFlight: () => number;
  version: string;
  fleets: readonly Fleet[];
  /** Whether Redis can be reached, if it is used. */
  isSharing?: (() => boolean) | undefined;
}

/** Metrics of one server. */
export function prometheusMetrics({ inFlight, version, fleets, isSharing }: MeasuredServer): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: "fleetwire_tool_call_seconds",
    help: "Duration of tool calls",
    labelNames: ["tool", "outcome"],
    buckets: SECONDS,
    registers,
  });
  const requests = new Histogram({
    name: "fleetwire_http_request_seconds",
    help: "Duration of requests, until the whole response has been written",
    labelNames: ["status"],
    buckets: SECONDS,
    registers,
  });
  new Gauge({
    name: "fleetwire_requests_in_flight",
    help: "Requests being served",
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  new Gauge({ name: "fleetwire_build_info", help: "Always 1, with the version of the server", labelNames: ["version"], registers }).set(
    { version },
    1,
  );
  if (isSharing)
    new Gauge({
      name: "fleetwire_redis_up",
      help: "Whether Redis accepts writes; if not, they are rejected",
      registers,
      collect() {
        this.set(isSharing() ? 1 : 0);
      },
    });
  const refused = new Counter({
    name: "fleetwire_http_refused_total",
    help: "Requests rejected with a 4xx or 5xx status",
    labelNames: ["status"],
    registers,
  });
  serviceMetrics(fleets, registers);
  return {
    called: (tool, outcome, ms) => calls.observe({ tool, outcome }, ms / 1_000),
    responded: (status, ms) => {
      requests.observe({ status }, ms / 1_000);
      if (status >= 400) refused.inc({ status });
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
