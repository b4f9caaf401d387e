import { FleetError } from "@fleetwire/core";
import { settlesWithin } from "../limits.ts";
import type { ServedFleet } from "./served-fleet.ts";

const PROBE_MS = 5_000;
const CACHED_MS = 10_000;

/**
 * How many customers' services may fail in a row before a check gives up: enough to distinguish an outage of one from a server that can reach none.
 */
const MAX_TRIED = 3;

/** The result of a check: the error code of each failure, without the customer. */
interface Readiness {
  ready: boolean;
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
 * Returns a function that checks whether a service accepts its credentials, at most every ten seconds. One customer whose service is down does not make the
 * server unready: the check moves on to the next customer.
 */
export function readinessOf(fleets: readonly ServedFleet[], isSharing?: () => boolean): () => Promise<Readiness> {
  let next = 0;
  let cached: { result: Promise<Readiness>; until: number } | undefined;
  const check = async (): Promise<Readiness> => {
    const problems: string[] = [];
    for (let tried = 0; tried < Math.min(MAX_TRIED, fleets.length); tried++) {
      const problem = await problemOf(fleets[next % fleets.length] as ServedFleet);
      if (problem === undefined) return { ready: true, problems };
      problems.push(problem);
      next++;
    }
    return { ready: fleets.length === 0, problems };
  };
  return async () => {
    if (cached === undefined || performance.now() >= cached.until) cached = { result: check(), until: performance.now() + CACHED_MS };
    const result = await cached.result;
    return isSharing ? { ...result, writes: isSharing() } : result;
  };
}
