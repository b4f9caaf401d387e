import type { ResponseEvent } from "@fleetwire/core";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Fleet } from "./fleet.ts";

/** Upper bounds of durations, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts what is served. Labels never contain a customer or caller: whoever reads the metrics may not be allowed to know these. */
export interface Metrics {
  called: (tool: string, outcome: string, ms: number) => void;
  responded: (status: number, ms: number) => void;
  /** Returns all metrics in the text format of Prometheus. */
  render: () => Promise<{ contentType: string; text: string }>;
}

interface MeasuredServer {
  /** Returns the number of requests being served. */
  inFlight: () => number;
  version: string;
  fleets: readonly Fleet[];
  /** Whether Redis can be reached, if it is used. */
  isSharing?: (() => boolean) | undefined;
}

const statusOf = ({ status, failure = "network" }: ResponseEvent) => (status === undefined ? failure : `${Math.floor(status / 100)}xx`);

/** Metrics of one server, of its requests to the fleet services, and of the live views that are read from them. */
export function prometheusMetrics({ inFlight, version, fleets, isSharing }: MeasuredServer): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
  /** A gauge without a value while nothing is known. */
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });

  const calls = durations("fleetwire_tool_call_seconds", "Duration of tool calls", "tool", "outcome");
  const requests = durations("fleetwire_http_request_seconds", "Duration of requests, until the whole response has been written", "status");
  gauge("fleetwire_requests_in_flight", "Requests being served", inFlight);
  const help = "Always 1, with the version of the server";
  new Gauge({ name: "fleetwire_build_info", help, labelNames: ["version"], registers }).set({ version }, 1);
  if (isSharing) gauge("fleetwire_redis_up", "Whether Redis accepts writes; if not, they are rejected", () => (isSharing() ? 1 : 0));
  const refused = new Counter({
    name: "fleetwire_http_refused_total",
    help: "Requests rejected with a 4xx or 5xx status",
    labelNames: ["status"],
    registers,
  });

  const toService = durations(
    "fleetwire_fleet_request_seconds",
    "Duration of requests to the fleet service, until the whole response has arrived, or its start if a list is streamed",
    ...["operation", "status"],
  );
  // A counter that starts at 1 shows no increase, and a refused token is rare.
  toService.zero({ operation: "requestAccessToken", status: "4xx" });
  const up = new Map<Fleet, boolean>();
  for (const fleet of fleets) {
    fleet.watchService((event) => {
      toService.observe({ operation: event.operation, status: statusOf(event) }, event.duration / 1_000);
      // A caller who leaves says nothing about the service.
      if (event.failure !== "aborted") up.set(fleet, event.status !== undefined && event.status < 500);
    });
  }
  const failing = () => [...up.values()].filter((isUp) => !isUp).length;
  gauge(
    "fleetwire_fleet_up",
    "Whether the last request to the fleet service got a response below 500, for at least one customer; absent before the first request",
    () => (up.size === 0 ? undefined : Number(failing() < up.size)),
  );
  gauge("fleetwire_fleets_failing", "Customers whose last request to the fleet service failed, or got a 5xx", failing);
  gauge("fleetwire_view_age_seconds", "Age of the oldest live view that questions keep current; absent while there are none", () => {
    const ages = fleets.flatMap((fleet) => fleet.viewAge() ?? []);
    return ages.length === 0 ? undefined : Math.max(...ages) / 1_000;
  });

  return {
    called: (tool, outcome, ms) => calls.observe({ tool, outcome }, ms / 1_000),
    responded: (status, ms) => {
      requests.observe({ status }, ms / 1_000);
      if (status >= 400) refused.inc({ status });
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
