import { expect, it } from "vitest";
import { readFleet } from "../../src/fleet/fleet-reader.ts";
import { readDrivingLeft, readHours } from "../../src/tools/hours-left.ts";
import { type Asked, cannedService, NOW, toolsOver } from "../canned-service.ts";

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();
const done = (activity: string, from: number, to: number) => ({ activity, startTime: ago(from), endTime: ago(to) });

const FLEET = [
  { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverId: "p1", driverName: "Ana" },
  { assetId: "v2", assetName: "Truck 2", assetRegistration: "AB 2", driverId: "p2", driverName: "Bo" },
  { assetId: "v3", assetName: "Truck 3", driverId: "p3", driverName: "Cy" },
];
const ENTRIES = [
  { driverId: "p1", driverKey: "K1", activities: [done("REST", 200, 3), done("DRIVING", 3, 1), done("REST", 1, 0)] },
  { driverId: "p2", driverKey: "K2", activities: [done("DRIVING", 3, 2), done("PAUSE", 2, 1), done("LUNCH", 1, 0), done("PAUSE", 1, 0)] },
  { driverId: "p3", driverKey: "K3", activities: [] },
  { driverKey: "K4", activities: [done("REST", 200, 4), done("DRIVING", 4, 0)] },
];

async function hoursContext(env: Record<string, string> = {}, canRead = true) {
  const service = await cannedService(({ operation, fields: { skip, limit } }: Asked) => {
    if (operation === "listLivePositions") return FLEET;
    return canRead ? { count: ENTRIES.length, data: ENTRIES.slice(Number(skip), Number(skip) + Number(limit)) } : undefined;
  });
  return { service, context: toolsOver(service, env).context };
}

it("reads the hours of all drivers with activities, in whole minutes since the rest before the previous week", async () => {
  const { context, service } = await hoursContext();
  const { hours } = await readHours(undefined, NOW + 1, context);
  expect(
    hours.map(({ record, unknownWords, time }) => [record.driverKey, unknownWords, time && Math.round(time.day.driven.atLeast / HOUR)]),
  ).toEqual([
    ["K1", [], 2],
    ["K2", ["LUNCH", "PAUSE"], undefined],
    ["K4", [], 4],
  ]);
  // Friday 20 November: the previous week began on Monday 9, and the rest before it at most three days earlier.
  expect(
    service.asked
      .filter(({ operation }) => operation === "queryTachoActivity")
      .map(({ fields }) => [fields["startTime"], fields["endTime"]]),
  ).toEqual([["2026-11-06T00:00:00", "2026-11-20T08:35:00"]]);
});

it("reads words as configured", async () => {
  const { context } = await hoursContext({ FLEET_ACTIVITY_WORDS: "PAUSE=rest,LUNCH=rest" });
  const { hours } = await readHours(undefined, NOW, context);
  expect(hours.map(({ unknownWords, time }) => [unknownWords, time !== undefined])).toEqual(Array.from({ length: 3 }, () => [[], true]));
});

it("reads what drivers may still drive today, if they have an id and known activities", async () => {
  const { context } = await hoursContext();
  const left = await readDrivingLeft(["p1", "p2", "p3", "p9"], context);
  expect([...(left ?? [])].map(([id, { atLeast }]) => [id, atLeast / HOUR])).toEqual([["p1", 7]]);
});

it("knows of nobody's hours if the tachographs cannot be read", async () => {
  const { context } = await hoursContext({}, false);
  await readFleet(context);
  expect(await readDrivingLeft(["p1"], context)).toBeUndefined();
});
