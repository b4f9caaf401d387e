import { STAGE_CLOCK, Stage } from "../src/provider/stage.ts";
import { linkServer } from "./linked-server.ts";
import type { Outcome } from "./outcome.ts";

/** Questions that no one operation answers, put to the tools that answer them over the sandbox. */
const QUESTIONS: readonly [tool: string, args: Record<string, unknown>][] = [
  ["locate_vehicle", { query: "truck 12" }],
  ["locate_vehicle", { query: "truck" }],
  ["locate_vehicle", { query: "no such vehicle" }],
  ["find_nearest_vehicles", { lat: 52.52, lng: 13.4 }],
  ["find_nearest_vehicles", { lat: -40, lng: 179.9, limit: 3 }],
  ["find_nearest_vehicles", { to: "truck 12", moving: true }],
  ["find_nearest_vehicles", { to: "truck 12", moving: false, limit: 2 }],
  ["find_nearest_vehicles", { to: "nowhere at all" }],
  ["find_nearest_vehicles", { lat: 91, lng: 0 }],
  ["find_nearest_vehicles", { lat: 48, lng: 11, energyType: "EV", limit: 2 }],
  ["summarize_fleet", {}],
  ["summarize_fleet", { type: "van" }],
  ["summarize_fleet", { fuelBelow: 60, batteryBelow: 80, silentHours: 1 }],
  ["summarize_fleet", { list: "lowFuel", fuelBelow: 70, limit: 5 }],
  ["summarize_fleet", { list: "lowBattery", batteryBelow: 100, limit: 5 }],
  ["summarize_fleet", { list: "charging" }],
  ["summarize_fleet", { list: "activeFaults" }],
  ["summarize_fleet", { list: "silent", silentHours: 0.5, limit: 4 }],
  ["summarize_fleet", { list: "silent", silentHours: 0 }],
  ["summarize_fleet", { list: "lowFuel", fields: ["fuelPercent", "none"] }],
  ["summarize_fleet", { group: "no such group" }],
  ["summarize_driver_activity", { period: "today" }],
  ["summarize_driver_activity", { period: "yesterday", limit: 5 }],
  ["summarize_driver_activity", { period: "this week", limit: 3 }],
  ["summarize_driver_activity", { period: "last week", limit: 3 }],
  ["summarize_driver_activity", { period: "last 24 hours", driver: "truck 12" }],
  ["summarize_driver_activity", { period: "2026-11-19", limit: 3 }],
  ["summarize_driver_activity", { period: "2026-11-19T06:00Z/2026-11-19T12:00Z", limit: 3 }],
  ...[
    "2026-11-19/2026-11-18",
    "2026-11-18/2026-11-19",
    "2026-11-19T06:00/2026-11-19",
    "2026-11-18/2026-11-19T06:00:30+01:00",
    "2026-11-19T06:00Z/2026-11-19T06:00Z",
    "2026-11-19/",
    "/2026-11-19",
    "2026-11-19T06:00Z/later",
    "2026-11-31",
    "2026-13-01",
    "2026-10-25",
    "2026-03-29",
    "last 2 hours",
    "last 7 days",
    "LAST WEEK",
    "this morning",
    "tomorrow",
    "monday",
    "2026-11-30/2026-12-01",
    "2020-01-01/2026-11-19",
  ].map((period): [string, Record<string, unknown>] => ["summarize_driver_activity", { period, limit: 2 }]),
  ["summarize_driver_activity", { period: "some day" }],
  ["summarize_driver_activity", { period: "2026-02-30" }],
  ["list_vehicle_faults", { limit: 1 }],
  ["list_vehicle_faults", { limit: 5 }],
  ["list_vehicle_faults", { vehicle: "truck 12", period: "this week" }],
  ["list_vehicle_faults", { period: "yesterday" }],
  ["list_live_positions", { limit: 3 }],
  ["list_live_positions", { limit: 2, fields: ["assetName", "serialNumber", "fuelType", "tags"] }],
  ["query_tacho_activity", { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z", limit: 4 }],
];

const BUDGETS = ["5000", "400"];

/** What a host is answered, within the usual budget and within a small one. */
export async function* questionOutcomes(): AsyncGenerator<Outcome> {
  const { sandbox } = new Stage();
  const fetch = ((url, init) => sandbox.fetch(url as URL, init)) as typeof globalThis.fetch;
  for (const [tool, args] of QUESTIONS) {
    let before = "";
    for (const budget of BUDGETS) {
      const env = { ...sandbox.env, FLEET_TIME_ZONE: "Europe/Berlin", FLEET_MAX_RESULT_TOKENS: budget };
      const { client, call } = await linkServer(env, { fetch, now: STAGE_CLOCK });
      const first = await call(tool, args);
      const { next } = first.structured;
      const outcome = next === undefined ? [first] : [first, await call(tool, { ...args, cursor: next })];
      await client.close();
      if (JSON.stringify(outcome) !== before) yield [`${tool} ${JSON.stringify(args)} within ${budget}`, outcome];
      before = JSON.stringify(outcome);
    }
  }
}
