import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ABORT_GRACE_MS, SHUTDOWN_GRACE_MS, settlesWithin } from "../limits.ts";
import type { ServerLog } from "../log.ts";
import type { Access } from "./access.ts";
import { createApp } from "./app.ts";
import { callerLimits, type SharedRate } from "./caller-limits.ts";
import { callsInFlight } from "./calls-in-flight.ts";
import type { Exchange } from "./exchange.ts";
import type { AllowedCallers } from "./host-and-origin.ts";
import type { HttpLimits } from "./limits.ts";
import type { prometheusMetrics } from "./metrics.ts";
import { refused } from "./refusal.ts";

export interface HandlerOptions {
  access: Access;
  allowed: AllowedCallers;
  limits: HttpLimits;
  log: ServerLog;
  /** What replicas share: callers' request counts, and whether another may have finished a call meanwhile. */
  shared?: { rate: SharedRate; isReady: () => boolean; wasPausedSince: (receivedAt: number) => boolean } | undefined;
  /** Creates the metrics. */
  metrics?: typeof prometheusMetrics;
  /** The version that probes and metrics state. */
  version?: string | undefined;
}

/** Serves requests, independently of the HTTP server that receives them. */
export interface Handler {
  fetch: (request: Request, exchange: Exchange) => Promise<Response>;
  /** The response to a request that failed unexpectedly. */
  failed: (error: Error) => Response;
  /** Rejects new calls, gives those in flight a moment to finish, then aborts them. */
  close: () => Promise<void>;
}

export function createHandler({ access, allowed, limits, log, shared, metrics, version }: HandlerOptions): Handler {
  const calls = callsInFlight();
  let ending = false;
  const app = createApp({
    access,
    allowed,
    limits,
    log,
    calls,
    callers: callerLimits(limits, shared?.rate),
    isSharing: shared?.isReady,
    wasPausedSince: shared?.wasPausedSince,
    metrics: metrics?.({ inFlight: calls.size, version: version ?? "unknown", fleets: access.fleets, isSharing: shared?.isReady }),
    version,
    isEnding: () => ending,
  });
  const failed = (error: Error) => {
    // Only the name, since the message may quote what a caller sent.
    log.warn({ error: error.name }, "protocol");
    return refused({ status: 500, code: ProtocolErrorCode.InternalError, message: "Internal server error" });
  };
  app.onError(failed);
  return {
    fetch: async (request, exchange) => app.fetch(request, { exchange }),
    failed,
    close: async () => {
      ending = true;
      for (const fleet of access.fleets) fleet.detach();
      calls.abortListening();
      const settled = async () => {
        await calls.idle();
        await Promise.all(access.fleets.map((fleet) => fleet.writesSettled()));
      };
      if (!(await settlesWithin(SHUTDOWN_GRACE_MS, settled()))) {
        calls.abortAll();
        await settlesWithin(ABORT_GRACE_MS, calls.idle());
      }
      await Promise.all(access.fleets.map((fleet) => fleet.close()));
    },
  };
}
