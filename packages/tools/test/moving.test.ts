import type { LivePosition } from "@fleetwire/core";
import { isMoving } from "@fleetwire/core/internal";
import { expect, it } from "vitest";
import { findNearestVehicles } from "../src/tools/find-nearest-vehicles.ts";
import { listLivePositions } from "../src/tools/list-live-positions.ts";
import { locateVehicle } from "../src/tools/locate-vehicle.ts";
import { summarizeFleet } from "../src/tools/summarize-fleet.ts";
import { cannedService, NOW, rowsOf, toolsOver } from "./canned-service.ts";

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
const tools = async () => toolsOver(await cannedService(() => fleet), { FLEET_MAX_RESULT_TOKENS: "4000" });
const moving = CASES.flatMap(([what, , is]) => (is ? [what] : []));

it("every list and count has the same idea of moving", async () => {
  const { call } = await tools();
  const listed = async (args: Record<string, unknown>) =>
    rowsOf((await call(listLivePositions, args)).structured).map(({ assetName }) => assetName);
  const near = async (is: boolean) => {
    const { structured } = await call(findNearestVehicles, { to: "50, 8", moving: is, limit: 50 });
    return (structured["items"] as LivePosition[]).map(({ assetName }) => assetName);
  };
  expect((await listed({ where: "moving" })).toSorted()).toEqual(moving.toSorted());
  expect((await listed({ where: "moving, speed>0", fields: ["odometer"] })).toSorted()).toEqual(moving.toSorted());
  expect(await near(true)).toEqual(moving);
  expect((await near(false)).length).toBe(CASES.length - moving.length);
  const { text, structured } = await call(summarizeFleet);
  expect([text.split("\n")[1], structured["moving"]]).toEqual([`Moving: ${moving.length}`, moving.length]);
});

it.each(CASES)("%s: %j moves: %j, told as %j", async (what, _, is, said) => {
  const { call } = await tools();
  const at = CASES.findIndex(([other]) => other === what);
  expect(isMoving(fleet[at] ?? {}, NOW)).toBe(is);
  expect((await call(locateVehicle, { query: `v${at}` })).text.toLowerCase()).toContain(said.toLowerCase());
});
