import { FleetError } from "@fleetwire/core";
import { settlesWithin } from "../limits.ts";
import type { ServedFleet } from "./served-fleet.ts";

const PROBE_MS = 5_000;
const CACHED_MS = 10_000;
/** How long a check waits for what it has begun: whoever probes has little patience, and the result is not about this process. */
const WAIT_MS = 500;

/**
 * How many customers' services may fail in a row before a check gives up: enough to distinguish an outage of one from a server that can reach none.
 */
const MAX_TRIED = 3;

/** What this process can do. */
interface Readiness {
  /** Whether it serves calls. A service or a Redis that fails does not change that: callers get a sentence that says so. */
  ready: true;
  /** Whether a fleet service accepts its credentials; absent until that is known. */
  fleet?: boolean;
  /** The error code of each service that failed in the last check, without the customer. */
  problems: string[];
  /** Whether writes are possible, if that depends on state shared by replicas. Reads are always possible. */
  writes?: boolean;
}

async function problemOf(fleet: ServedFleet): Promise<string | undefined> {
  try {
    return (await settlesWithin(PROBE_MS, fleet.probe())) ? undefined : "timeout";
  } catch (error) {
    return error instanceof FleetError ? error.code : "internal";
  }
}

/**
 * Returns a function that says that this process is ready, and whether a service accepts its credentials, which it tries at most every ten seconds. One
 * customer whose service is down does not count: the check moves on to the next customer.
 */
export function readinessOf(fleets: readonly ServedFleet[], isSharing?: () => boolean): () => Promise<Readiness> {
  let next = 0;
  let state: Pick<Readiness, "fleet" | "problems"> = { problems: [] };
  let nextCheck = Number.NEGATIVE_INFINITY;
  let checking = Promise.resolve();
  const check = async (): Promise<void> => {
    const problems: string[] = [];
    const tries = Math.min(MAX_TRIED, fleets.length);
    while (problems.length < tries) {
      const problem = await problemOf(fleets[next % fleets.length] as ServedFleet);
      if (problem === undefined) break;
      problems.push(problem);
      next++;
    }
    if (tries > 0) state = { fleet: problems.length < tries, problems };
  };
  return async () => {
    if (performance.now() >= nextCheck) {
      nextCheck = performance.now() + CACHED_MS;
      checking = check();
    }
    await settlesWithin(WAIT_MS, checking);
    return { ready: true, ...state, ...(isSharing && { writes: isSharing() }) };
  };
}
