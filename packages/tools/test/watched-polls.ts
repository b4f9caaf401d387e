import { createFleetClient, type LivePosition, operations } from "@fleetwire/core";
import {
  type SavedWatch,
  type WatchEvent,
  type WatchOptions,
  type WatchRuleInput,
  type WatchStore,
  watchFleet,
} from "@fleetwire/tools/watch";
import { expect } from "vitest";
import { createFleetTools, fleetToolsConfigFromEnv } from "../src/index.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const MINUTE = 60_000;
export const LYON = { latitude: 45.75, longitude: 4.85, city: "Lyon", country: "France" };
export const DEPOT = { ...LYON, locationId: "loc1", locationName: "Lyon Depot" };
export const PARIS = { latitude: 48.85, longitude: 2.35, city: "Paris", country: "France" };
export const METRE = 1 / 111_195;
export const stopped = { eventType: "stopped" as const, speed: 0 };
export const driving = { eventType: "driving" as const, speed: 60 };

/** What the service sends besides the live positions. */
export interface OtherLists {
  faults?: readonly object[];
  entries?: readonly object[];
  jobs?: readonly object[];
}

/** One poll: the minute at which it happens, and what the service sends; a number is a status. */
export type Poll = [minute: number, records: readonly LivePosition[] | number, others?: OtherLists];

export const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
export const van = (minute: number, more: LivePosition = {}): LivePosition => ({
  ...{ assetId: "v1", assetName: "Van 1", assetGroupId: "g1", assetGroupName: "Vans", driverId: "d1", driverName: "Ana Silva" },
  date: at(minute),
  ...more,
});
/** Stays at the depot, so that its name is known. */
export const truck = (minute = 0, more: LivePosition = DEPOT): LivePosition => ({
  ...{ assetId: "v2", assetName: "Truck 2", date: at(minute) },
  ...more,
});

/** Polls of the van, with the truck at its depot: when, and what the van's record states, which is from then or from `sent`. */
export const seen = (...records: [minute: number, more: LivePosition, sent?: number][]): Poll[] =>
  records.map(([minute, more, sent = minute]) => [minute, [van(sent, more), truck()]]);

/** Keeps what a watch saves, for the next one. */
export function keptWatch() {
  const tracks = new Map<string, string>();
  let saved: Pick<SavedWatch, "readAt" | "noData"> = { readAt: undefined, noData: undefined };
  const store: WatchStore = {
    load: () => ({ tracks: [...tracks], pending: [], ...saved }),
    save: ({ tracks: changed, readAt, noData }) => {
      for (const [key, track] of changed) track === undefined ? tracks.delete(key) : tracks.set(key, track);
      saved = { readAt, noData };
    },
    delivered: () => {},
  };
  return { store, tracks };
}

const ENV = { FLEET_CUSTOMER_ID: "c42", FLEET_CLIENT_ID: "client", FLEET_CLIENT_SECRET: "secret", FLEET_TIME_ZONE: "UTC" };
const SERVERS = ["BASE_URL", "API_HOST", "TACHO_URL", "AUTH_URL"].map((name) => [`FLEET_${name}`, "https://fleet.example"]);
const settings = fleetToolsConfigFromEnv({ ...ENV, ...Object.fromEntries(SERVERS), FLEET_SNAPSHOT_SECONDS: "0" });

/** Watches a service that responds to each poll as listed. */
export async function eventsOf(
  rules: readonly object[],
  polls: readonly Poll[],
  options: WatchOptions = {},
  edits: Readonly<Record<number, readonly object[]>> = {},
): Promise<WatchEvent[]> {
  let [now, sent, others]: [number, Poll[1], OtherLists] = [START, [], {}];
  const bodies: Record<string, () => unknown> = {
    [operations.requestAccessToken.path]: () => ({ success: true, accessToken: "t", token_type: "bearer", expires_in: 3600 }),
    [operations.listLivePositions.path]: () => sent,
    [operations.listVehicleFaults.path]: () => ({ items: others.faults ?? [] }),
    [operations.queryTachoActivity.path]: () => ({ count: others.entries?.length ?? 0, data: others.entries ?? [] }),
    [operations.listJobs.path]: () => others.jobs ?? [],
  };
  const fetch: typeof globalThis.fetch = async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const [, bodyOf] = Object.entries(bodies).find(([path]) => pathname.endsWith(path.replace("{customerId}", "c42"))) ?? [];
    const body = bodyOf?.();
    return typeof body === "number" ? new Response("", { status: body }) : Response.json(body);
  };
  const config = { ...settings, retries: 0 };
  const gazetteer = () => import("@fleetwire/tools/gazetteer");
  const tools = createFleetTools(config, { fleet: createFleetClient({ ...config, fetch }), now: () => now, gazetteer });
  const ending = new AbortController();
  const fileOf = (list: readonly object[]) => ({ rules: list.map((rule, index) => ({ id: `r${index}`, ...rule }) as WatchRuleInput) });
  let file = fileOf(rules);
  let next = -1;
  const current = () => {
    // Called once when the watch begins, and then after each poll.
    const poll = polls[++next];
    if (poll) [now, sent, others] = [START + poll[0] * MINUTE, poll[1], poll[2] ?? {}];
    else ending.abort();
    const edited = edits[next];
    if (edited) file = fileOf(edited);
    return file;
  };
  const events: WatchEvent[] = [];
  for await (const event of watchFleet(tools, current, { signal: ending.signal, everySeconds: 0.001, ...options })) events.push(event);
  expect(next).toBe(polls.length);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  return events;
}

export const brief = (events: readonly WatchEvent[]) =>
  events.map(({ text, at, late }) => `${at.slice(11, 16)} ${text}${late ? " (late)" : ""}`);
