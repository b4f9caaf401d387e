import { createFleetClient, operations } from "@fleetwire/core";
import type { ConsoleHandler, ConsoleHost } from "@fleetwire/sandbox";
import { createFleetTools, type FleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import type { ConsoleEvents } from "../data/console-events.ts";
import { createFleetConsole } from "../data/fleet-console.ts";
import { consoleHandler } from "./console-handler.ts";
import { sandboxEvents } from "./sandbox-events.ts";

const SNAPSHOT_SECONDS = 1;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const MAX_SPEED = 3_600;

/** Reads the fleet like any client, so faults and latency show in the console too. */
function sandboxTools({ env, fetch }: ConsoleHost, snapshotSeconds: number, now?: () => number): FleetTools {
  const config = fleetToolsConfigFromEnv({ ...env(), FLEET_SNAPSHOT_SECONDS: String(snapshotSeconds) });
  const send = (input: string | URL | Request, init?: RequestInit) => fetch(new Request(input, init));
  const client = createFleetClient({ ...config, fetch: send, userAgent: "fleetwire-console/1" });
  return createFleetTools(config, { fleet: client, ...(now && { now }) });
}

/** What happens to the fleet by the sandbox's clock. */
function deferredEvents(host: ConsoleHost): () => Promise<ConsoleEvents> {
  let read: (() => Promise<ConsoleEvents>) | undefined;
  return () => {
    read ??= sandboxEvents(sandboxTools(host, 0, host.clock), host.clock);
    return read();
  };
}

function numberIn(change: Readonly<Record<string, unknown>>, name: string, least: number, most: number): number | undefined {
  const { [name]: value } = change;
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !(value >= least && value <= most))
    throw new RangeError(`${name} must be a number from ${least} to ${most}`);
  return value;
}

/** Creates the console of a sandbox, which can change its faults and its clock. */
export function sandboxConsole(host: ConsoleHost): ConsoleHandler {
  const { clock, faults, folder } = host;
  return consoleHandler({
    home: "/",
    folder,
    // The age of the data is measured by the real clock, since the sandbox's may be paused.
    fleet: () => createFleetConsole(sandboxTools(host, SNAPSHOT_SECONDS), clock),
    events: deferredEvents(host),
    about: {
      kind: "sandbox",
      refreshMs: SNAPSHOT_SECONDS * 1000,
      faults: faults.known,
      operations: Object.keys(operations),
    },
    status: () => ({
      now: Math.floor(clock()),
      ...("set" in clock && { speed: clock.speed }),
      faults: faults.list(),
      groups: host.groups(),
      requests: host.requests(),
    }),
    controls: {
      faults: ({ list }) => {
        if (typeof list !== "string") throw new RangeError("list must be text, such as 503@0.2");
        faults.set(list);
      },
      ...("set" in clock && {
        clock: (change: Readonly<Record<string, unknown>>) => {
          const [at, speed] = [numberIn(change, "at", EARLIEST, LATEST), numberIn(change, "speed", 0, MAX_SPEED)];
          clock.set({ ...(at !== undefined && { at }), ...(speed !== undefined && { speed }) });
        },
      }),
    },
  });
}
