import { describe, expect, it } from "vitest";
import { entriesOf, inVehicle, tachoPeriod } from "../../src/fleet/tacho-entries.ts";
import type { Driver } from "../../src/names/fleet-names.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

const PERIOD = tachoPeriod(Date.UTC(2026, 10, 10), Date.UTC(2026, 10, 20, 8, 30, 15, 900));
const SEARCH = tachoPeriod(Date.UTC(2026, 10, 17), Date.UTC(2026, 10, 20));

it("a period is written for the service", () => {
  expect(PERIOD).toEqual({ startTime: "2026-11-10T00:00:00", endTime: "2026-11-20T08:30:15" });
});

const driver = (driverId: string | undefined, ...registrations: (string | undefined)[]): Driver => ({
  driverId,
  driverName: undefined,
  vehicles: registrations.map((assetRegistration) => ({ assetRegistration })),
});

/** Entries by driver, card and registration; the service filters by the last two. */
const ENTRIES = [
  { driverId: "d1", driverKey: "driver-key-0001", registration: "AB 1" },
  { driverKey: "driver-key-0001", registration: "EF 3" },
  { driverId: "d2", driverKey: "driver-key-0002", registration: "CD 2" },
  { driverId: "d3", driverKey: "driver-key-0003", registration: "AB 1" },
  { driverId: "d4", registration: "GH 4" },
  { driverId: "d5", driverKey: "short", registration: "IJ 5" },
];

/** The entries read of these drivers, and what was asked of the service. */
async function read(drivers: readonly Driver[]) {
  const service = await cannedService(({ fields }) => {
    const { driverKeys, registrations } = fields as { driverKeys?: string[]; registrations?: string[] };
    const items = ENTRIES.filter(
      ({ driverKey = "", registration }) => (driverKeys?.includes(driverKey) ?? true) && (registrations?.includes(registration) ?? true),
    );
    return { count: items.length, data: items.map(({ registration: _, ...entry }) => entry) };
  });
  const entries = await entriesOf(drivers, PERIOD, SEARCH, toolsOver(service).context);
  const asked = service.asked
    .filter(({ operation }) => operation === "queryTachoActivity")
    .map(({ fields: { startTime, driverKeys, registrations } }) =>
      [startTime === SEARCH.startTime ? "lately" : "all", ...((registrations ?? driverKeys ?? []) as string[])].join(" "),
    );
  return [entries.map(({ driverId, driverKey }) => driverId ?? driverKey).join(" "), asked];
}

it("the entries in a vehicle are those with activities in it, or in none", () => {
  const activities = [{ assetRegistration: "AB-1" }, { assetRegistration: "CD 2" }, { activity: "REST" }];
  expect(
    inVehicle([{ driverId: "d1", driverKey: "k1", activities }, { driverId: "d2", activities: [] }, { driverId: "d3" }], "ab 1"),
  ).toEqual([{ driverId: "d1", driverKey: "k1", activities: [activities[0], activities[2]] }]);
});

describe("the entries of a driver are found", () => {
  it.each<[why: string, drivers: Driver[], entries: string, asked: string[]]>([
    ["by vehicle, then by card", [driver("d1", "AB 1", "AB 1", undefined)], "d1 driver-key-0001", ["all AB 1", "all driver-key-0001"]],
    ["by everyone's latest entries, then by card", [driver("d2")], "d2", ["lately", "all driver-key-0002"]],
    ["by these too, if not by the vehicle", [driver("d2", "AB 1")], "d2", ["all AB 1", "lately", "all driver-key-0002"]],
    ["among everyone's, without a card", [driver("d4", "GH 4")], "d4", ["all GH 4", "all"]],
    ["among everyone's, with part of a card's number", [driver("d5", "IJ 5")], "d5", ["all IJ 5", "all"]],
    ["for none who is unknown", [driver("d9")], "", ["lately"]],
    ["for none without an id", [driver(undefined, "AB 1")], "", []],
    [
      "among everyone's, for more than a hundred",
      Array.from({ length: 101 }, (_, at) => driver(`d${at}`, "AB 1")),
      "d1 d2 d3 d4 d5",
      ["all"],
    ],
  ])("%s", async (_, drivers, entries, asked) => expect(await read(drivers)).toEqual([entries, asked]));
});
