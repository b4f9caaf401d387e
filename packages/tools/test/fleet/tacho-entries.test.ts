import { describe, expect, it } from "vitest";
import type { Driver } from "../../src/fleet/fleet-names.ts";
import { inVehicle, recordsOf, tachoPeriod, type WantedDrivers } from "../../src/fleet/tacho-entries.ts";
import { recordsByDriver, type TachoRecord } from "../../src/fleet/tacho-records.ts";
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

const FULL = { startTime: PERIOD.startTime, endTime: PERIOD.endTime, activity: "REST" };
const UNTIL_12 = { ...FULL, endTime: "2026-11-12T00:00:00" };
const SINCE_12 = { ...FULL, startTime: "2026-11-12T00:00:00" };

/** Entries by driver, card and registration; the service filters by the last two, and by time. */
const ENTRIES = [
  { driverId: "d1", driverKey: "card-driver-d1-00", registration: "AB 1", activities: [FULL] },
  { driverKey: "card-driver-d1-00", registration: "EF 3", activities: [FULL] },
  { driverId: "d2", driverKey: "card-driver-d2-00", registration: "CD 2", activities: [FULL] },
  { driverId: "d3", driverKey: "card-driver-d3-00", registration: "AB 1", activities: [FULL] },
  { driverId: "d4", registration: "GH 4", activities: [FULL] },
  { driverId: "d5", driverKey: "short", registration: "IJ 5", activities: [FULL] },
  { driverId: "d6", driverKey: "card-driver-d6-01", registration: "KL 6", activities: [SINCE_12] },
  { driverKey: "card-driver-d6-00", registration: "MN 7", activities: [UNTIL_12] },
  { driverId: "d6", driverKey: "another-card-6-00", registration: "MN 7", activities: [UNTIL_12] },
];

interface Sent {
  startTime: string;
  endTime: string;
  driverKeys?: string[];
  registrations?: string[];
}

/** The keys of the records of these drivers, and what was asked of the service. */
async function read(wanted: WantedDrivers, search = SEARCH) {
  const service = await cannedService(({ operation, fields }) => {
    if (operation === "listLivePositions") return [];
    const { startTime, endTime, driverKeys, registrations } = fields as unknown as Sent;
    const items = ENTRIES.filter(
      ({ driverKey = "", registration, activities }) =>
        (driverKeys?.includes(driverKey) ?? true) &&
        (registrations?.includes(registration) ?? true) &&
        activities.some((one) => one.startTime < endTime && one.endTime > startTime),
    );
    return { count: items.length, data: items.map(({ registration: _, ...entry }) => entry) };
  });
  const { context } = toolsOver(service);
  const { records, unplaced } = await recordsOf(wanted, PERIOD, search, { ...context, now: () => Date.UTC(2026, 10, 20, 8, 30, 15) });
  const asked = service.asked
    .filter(({ operation }) => operation === "queryTachoActivity")
    .map(({ fields }) => fields as unknown as Sent)
    .map(({ startTime, endTime, driverKeys, registrations }) => {
      const when = startTime === SEARCH.startTime ? "lately" : endTime === PERIOD.endTime ? "all" : `until ${endTime.slice(8, 10)}`;
      return [when, ...(registrations ?? driverKeys ?? [])].join(" ");
    });
  return { records: records.map(({ driverId, driverKeys }) => [driverId, ...driverKeys].join(" ")), asked, unplaced };
}

it("the activities in a vehicle are those in it, or in none", () => {
  const activities = [{ assetRegistration: "AB-1" }, { assetRegistration: "CD 2" }, { activity: "REST" }];
  const entries = [{ driverId: "d1", driverKey: "k1", activities }, { driverId: "d2", activities: [] }, { driverId: "d3" }];
  expect(inVehicle(recordsByDriver(entries), "ab 1")).toMatchObject([{ driverId: "d1", activities: [activities[0], activities[2]] }]);
});

describe("what is recorded of a driver is found", () => {
  it.each<[why: string, drivers: Driver[], records: string[], asked: string[]]>([
    [
      "by vehicle, then by card",
      [driver("d1", "AB 1", "AB 1", undefined)],
      ["d1 card-driver-d1-00"],
      ["all AB 1", "all card-driver-d1-00"],
    ],
    [
      "by everyone's latest entries, then by card",
      [driver("d2", undefined)],
      ["d2 card-driver-d2-00"],
      ["lately", "all card-driver-d2-00"],
    ],
    [
      "by these too, if not by the vehicle",
      [driver("d2", "AB 1")],
      ["d2 card-driver-d2-00"],
      ["all AB 1", "lately", "all card-driver-d2-00"],
    ],
    [
      "on all cards, if there is time that one says nothing of",
      [driver("d6", "KL 6")],
      ["d6 card-driver-d6-01 card-driver-d6-00 another-card-6-00"],
      ["all KL 6", "all card-driver-d6-01", "until 12"],
    ],
    ["by id, if in no live position", [driver("d2")], ["d2 card-driver-d2-00"], ["all"]],
    ["by driver key", [driver("card-driver-d2-00")], ["d2 card-driver-d2-00"], ["all"]],
    ["by the key of a former card", [driver("card-driver-d2-09")], ["d2 card-driver-d2-00"], ["all"]],
    ["among everyone's, without a card", [driver("d4", "GH 4")], ["d4"], ["all GH 4", "all"]],
    ["among everyone's, with part of a card's number", [driver("d5", "IJ 5")], ["d5 short"], ["all IJ 5", "all"]],
    ["for none of whom nothing is recorded", [driver("d9", undefined)], [], ["lately"]],
    ["for none without an id", [driver(undefined, "AB 1")], [], []],
    [
      "among everyone's, for more than a hundred",
      Array.from({ length: 101 }, (_, at) => driver(`d${at}`, "AB 1")),
      [
        "d1 card-driver-d1-00",
        "d2 card-driver-d2-00",
        "d3 card-driver-d3-00",
        "d4",
        "d5 short",
        "d6 card-driver-d6-01 card-driver-d6-00 another-card-6-00",
      ],
      ["all"],
    ],
  ])("%s", async (_, drivers, records, asked) => expect(await read({ drivers })).toEqual({ records, asked, unplaced: 0 }));

  it("in one request, if everyone's entries are read anyway", async () => {
    const { records, asked } = await read({ drivers: [driver("d6")] }, PERIOD);
    expect([records.length, asked]).toEqual([1, ["all"]]);
  });

  it("by what they drove, and those of whom nothing says it are counted", async () => {
    const drove = ({ driverId }: TachoRecord) => (driverId === "d4" ? undefined : driverId === "d3");
    expect(await read({ drivers: [driver("d1", "AB 1")], drove })).toEqual({
      records: ["d1 card-driver-d1-00", "d3 card-driver-d3-00"],
      asked: ["all AB 1", "lately", "all card-driver-d1-00 card-driver-d3-00"],
      unplaced: 1,
    });
  });
});
