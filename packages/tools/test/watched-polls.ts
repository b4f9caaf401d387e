import type { LivePosition } from "@fleetwire/core";
import { expect } from "vitest";
import { type SavedWatch, type WatchEvent, type WatchOptions, type WatchRuleInput, type WatchStore, watchFleet } from "../src/watch.ts";
import { faultPages, type Responder, type Script, tachoRecords } from "./fleet-service.ts";
import { servedFleet } from "./served-fleet.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const MINUTE = 60_000;
export const LYON = { latitude: 45.75, longitude: 4.85, city: "Lyon", country: "France" };
export const DEPOT = { ...LYON, locationId: "loc1", locationName: "Lyon Depot" };
export const PARIS = { latitude: 48.85, longitude: 2.35, city: "Paris", country: "France" };
export const METRE = 1 / 111_195;

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
  assetId: "v2",
  assetName: "Truck 2",
  date: at(minute),
  ...more,
});

export type Rule = Omit<WatchRuleInput, "id">;

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

const responderOf = (script: Script) => Object.values(script)[0] as Responder;

/** Watches a service that responds to each poll as listed. */
export async function eventsOf(
  rules: readonly Rule[],
  polls: readonly Poll[],
  options: WatchOptions = {},
  edits: Readonly<Record<number, readonly Rule[]>> = {},
): Promise<WatchEvent[]> {
  let [now, sent, others]: [number, Poll[1], OtherLists] = [START, [], {}];
  const { tools } = await servedFleet({
    script: {
      listLivePositions: () => (typeof sent === "number" ? { status: sent } : { body: sent }),
      listVehicleFaults: (request) => responderOf(faultPages(others.faults ?? []))(request),
      queryTachoActivity: (request) => responderOf(tachoRecords(others.entries ?? []))(request),
      listJobs: () => ({ body: others.jobs ?? [] }),
    },
    config: { snapshotSeconds: 0, timeZone: "UTC", retries: 0 },
    options: { now: () => now, gazetteer: () => import("@fleetwire/tools/gazetteer") },
  });
  const ending = new AbortController();
  const fileOf = (list: readonly Rule[]) => ({ rules: list.map((rule, index) => ({ id: `r${index}`, ...rule }) as WatchRuleInput) });
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
