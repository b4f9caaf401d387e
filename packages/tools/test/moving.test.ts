import type { LivePosition } from "@fleetwire/core";
import { isMoving } from "@fleetwire/core/internal";
import { expect, it } from "vitest";
import { NOW, servedFleet } from "./served-fleet.ts";

const before = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

const CASES: readonly (readonly [what: string, position: LivePosition, moving: boolean, said: string])[] = [
  ["driving", { eventType: "driving", speed: 80.4, heading: 90 }, true, "driving, 80 km/h, heading E,"],
  ["parked", { eventType: "stopped", speed: 0.4, heading: 90, ignitionStatus: "OFF" }, false, "stopped, 0 km/h,"],
  ["parked, and only pinging", { eventType: "ping", speed: 0.4, heading: 90 }, false, "last reported, 0 km/h,"],
  ["a trailer", { eventType: "ping", speed: 80, ignitionStatus: "OFF" }, true, "moving, 80 km/h,"],
  ["a trailer 13 minutes ago", { eventType: "ping", speed: 80, date: before(13) }, false, "last reported moving, 80 km/h,"],
  ["driving an hour ago", { eventType: "driving", speed: 80, date: before(60) }, false, "last reported driving, 80 km/h,"],
  ["driving with the ignition off", { eventType: "driving", speed: 80, ignitionStatus: "OFF" }, false, "last reported driving, 80 km/h,"],
];

const fleet = CASES.map(([what, position], at) => ({
  ...{ assetId: `v${at}`, assetName: what, date: before(1), latitude: 50 + at, longitude: 8, city: "Mainz" },
  ...position,
}));
const serve = () => servedFleet({ script: { listLivePositions: () => ({ body: fleet }) } });
const moving = CASES.flatMap(([what, , is]) => (is ? [what] : []));

it("every list and count has the same idea of moving", async () => {
  const { record, text } = await serve();
  const names = async (tool: string, args: Record<string, unknown>) =>
    (await record(tool, args)).items.map(({ assetName }: LivePosition) => assetName);
  expect((await names("list_live_positions", { where: "moving=true" })).toSorted()).toEqual(moving.toSorted());
  expect((await names("list_live_positions", { where: "moving=true, speed>0", fields: ["assetName", "odometer"] })).toSorted()).toEqual(
    moving.toSorted(),
  );
  expect(await names("find_nearest_vehicles", { to: "50, 8", moving: true, limit: 50 })).toEqual(moving);
  expect(await names("find_nearest_vehicles", { to: "50, 8", moving: false, limit: 50 })).toHaveLength(CASES.length - moving.length);
  expect((await record("summarize_fleet")).moving).toBe(moving.length);
  expect(await text("summarize_fleet")).toContain(`\nMoving: ${moving.length}\n`);
});

it.each(CASES)("%s: %j moves: %j, told as %j", async (what, _, is, said) => {
  const { text } = await serve();
  const at = CASES.findIndex(([other]) => other === what);
  expect(isMoving(fleet[at] ?? {}, NOW)).toBe(is);
  expect((await text("locate_vehicle", { query: `v${at}` })).toLowerCase()).toContain(said.toLowerCase());
});
