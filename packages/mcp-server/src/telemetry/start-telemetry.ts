import { Console } from "node:console";
import { type Environment, FleetError } from "@fleetwire/core";
import { settlesWithin } from "../limits.ts";
import type { ServerLog } from "../log.ts";
import { withPackage } from "../optional-package.ts";
import type { Signals, Telemetry } from "./open-telemetry.ts";

export type { Telemetry };

const SDK = {
  name: "@opentelemetry/sdk-node",
  neededBy: "configuration: the OTEL_ variables need",
  advice: "Install it beside the server: npm install @fleetwire/mcp-server @opentelemetry/sdk-node@0.223, or set OTEL_SDK_DISABLED=true",
};

/** How long a shutdown waits for the collector. */
const FLUSH_MS = 1_000;

/** Whether the standard variables ask for a signal: they name a collector, or an exporter other than `none`. */
function isExported(env: Environment, signal: "TRACES" | "METRICS"): boolean {
  const exporter = env[`OTEL_${signal}_EXPORTER`]?.trim();
  if (exporter) return exporter !== "none";
  return Boolean(env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim());
}

/** Returns the signals to export; undefined if there are none. */
function signalsOf(env: Environment): Signals | undefined {
  if (env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return undefined;
  if (env["OTEL_METRICS_EXPORTER"]?.includes("prometheus"))
    throw new FleetError("config", "configuration: OTEL_METRICS_EXPORTER=prometheus would open another port", {
      advice: "Use otlp, console or none; the http command serves Prometheus at /metrics",
    });
  const signals = { traces: isExported(env, "TRACES"), metrics: isExported(env, "METRICS") };
  return signals.traces || signals.metrics ? signals : undefined;
}

/**
 * Exports spans and metrics if the standard `OTEL_` variables ask for it, and loads OpenTelemetry only then. Few need it, so it is an optional peer
 * dependency. Throws a `config` error if it is not installed.
 */
export async function startTelemetry(env: Environment, version: string, log: ServerLog): Promise<Telemetry | undefined> {
  const signals = signalsOf(env);
  if (signals === undefined) return undefined;
  // Its console exporters and its own messages are printed with the global console, but stdout is reserved for the protocol.
  globalThis.console = new Console(process.stderr, process.stderr);
  const { startOpenTelemetry } = await withPackage(SDK, () => import("./open-telemetry.ts"));
  const telemetry = startOpenTelemetry(signals, version, log);
  return { ...telemetry, close: async () => void (await settlesWithin(FLUSH_MS, telemetry.close()).catch(() => false)) };
}
