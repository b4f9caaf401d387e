import { createFleetClient, FleetError, operations } from "@fleetwire/core";
import type { ConsoleHost } from "@fleetwire/sandbox";
import { createFleetTools, type FleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { type WatchEvent, type WatchRules, watchFleet } from "@fleetwire/tools/watch";
import { createFleetConsole } from "../data/fleet-console.ts";
import type { ConsoleEvents } from "../data/page-data.ts";
import { consoleHandler } from "./console-handler.ts";

const SNAPSHOT_SECONDS = 1;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const MAX_SPEED = 3_600;

/** What happens to any fleet. A name would be that of one sandbox. */
const RULES: WatchRules = {
  rules: [
    { id: "start", when: "starts" },
    { id: "stop", when: "stops", forMinutes: 5 },
    { id: "fast", when: "speedOver", kmh: 85, coolDownMinutes: 30 },
    { id: "silent", when: "silent", forMinutes: 24 * 60 },
    { id: "fault", when: "faultBegins" },
    { id: "fuel", when: "fuelBelow", percent: 15 },
    { id: "private", when: "becomesPrivate" },
    { id: "late", when: "jobLate" },
  ],
};
const MAX_EVENTS = 200;
/** How often the fleet is read for events, in milliseconds of the real clock: the sandbox's may be paused. */
const MIN_AGE = 2_000;

/** Reads the fleet like any client, so faults and latency show in the console too. */
function sandboxTools({ env, fetch }: ConsoleHost, snapshotSeconds: number, now?: () => number): FleetTools {
  const config = fleetToolsConfigFromEnv({ ...env(), FLEET_SNAPSHOT_SECONDS: String(snapshotSeconds) });
  const send = (input: string | URL | Request, init?: RequestInit) => fetch(new Request(input, init));
  const client = createFleetClient({ ...config, fetch: send, userAgent: "fleetwire-console/1" });
  return createFleetTools(config, { fleet: client, ...(now && { now }) });
}

/** What has happened to the fleet, by the sandbox's clock, since its console was opened, while somebody looks at it. */
function sandboxEvents(host: ConsoleHost): () => Promise<ConsoleEvents> {
  let [events, rules]: [WatchEvent[], string[]] = [[], []];
  let [since, problem]: [number?, string?] = [];
  let reading: Promise<void> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let end: (unexpected?: unknown) => void = () => {};
  /** Begins a read. */
  let begin = () => {
    void watch();
  };
  const untilNext = (unexpected?: unknown) => {
    [readAt, reading] = [performance.now(), undefined];
    end(unexpected);
    return new Promise<void>((resolve) => {
      begin = resolve;
    });
  };
  const onRule = (rule: string) => {
    since ??= host.clock();
    rules.push(rule);
  };
  const onFailure = (error: FleetError) => {
    problem = error.summary;
  };
  const watch = async () => {
    const tools = sandboxTools(host, 0, host.clock);
    for (;;) {
      rules = [];
      try {
        const options = { untilNext: () => untilNext(), onRule, onFailure };
        for await (const event of watchFleet(tools, RULES, options)) events = [...events, event].slice(-MAX_EVENTS);
      } catch (error) {
        const isKnown = error instanceof FleetError;
        // A fault of the sandbox may fail any read, and the next one tries again.
        if (isKnown) onFailure(error);
        await untilNext(isKnown ? undefined : error);
      }
    }
  };
  return async () => {
    if (performance.now() - readAt >= MIN_AGE)
      reading ??= new Promise((resolve, reject) => {
        end = (unexpected) => (unexpected === undefined ? resolve() : reject(unexpected));
        problem = undefined;
        begin();
      });
    await reading;
    return { since, ruleCount: rules.length, rules, events, problem };
  };
}

function numberIn(change: Readonly<Record<string, unknown>>, name: string, least: number, most: number) {
  const { [name]: value } = change;
  if (value === undefined) return {};
  if (typeof value === "number" && value >= least && value <= most) return { [name]: value };
  throw new RangeError(`${name} must be a number from ${least} to ${most}`);
}

/** Serves the console of a sandbox, which can change its faults and its clock. */
export function sandboxConsole(host: ConsoleHost) {
  const { clock, faults, folder, groups, requests } = host;
  return consoleHandler({
    home: "/",
    folder,
    // The age of the data is measured by the real clock, since the sandbox's may be paused.
    fleet: () => createFleetConsole(sandboxTools(host, SNAPSHOT_SECONDS), clock),
    events: sandboxEvents(host),
    about: { kind: "sandbox", refreshMs: SNAPSHOT_SECONDS * 1000, faults: faults.known, operations: Object.keys(operations) },
    status: () => ({
      now: Math.floor(clock()),
      ...("set" in clock && { speed: clock.speed }),
      faults: faults.list(),
      groups: groups(),
      requests: requests(),
    }),
    controls: {
      faults: ({ list }) => {
        if (typeof list !== "string") throw new RangeError("list must be text, such as 503@0.2");
        faults.set(list);
      },
      ...("set" in clock && {
        clock: (change: Readonly<Record<string, unknown>>) =>
          clock.set({ ...numberIn(change, "at", EARLIEST, LATEST), ...numberIn(change, "speed", 0, MAX_SPEED) }),
      }),
    },
  });
}
