import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const HOME = { latitude: 45.7578, longitude: 4.832 };
const [ROAD, SEA] = [
  { latitude: 43.529, longitude: 5.447 },
  { latitude: 43.296, longitude: 5.381 },
];
const AWAY = { latitude: 45.5255, longitude: 4.8748 };

type Point = typeof HOME;

const activity = (activity: string, start: string, end: string, from: Point, to = from) => ({
  ...{ assetId: "v1", assetRegistration: "AB 1", activity, startTime: start, endTime: end },
  ...{ startLatitude: from.latitude, startLongitude: from.longitude, endLatitude: to.latitude, endLongitude: to.longitude },
});

/** Two drives on 18 November, in UTC, and nothing between 12:00 and 15:00. */
const ACTIVITIES = [
  activity("REST", "2026-11-18T00:00:00Z", "2026-11-18T06:00:00Z", HOME),
  activity("DRIVING", "2026-11-18T06:00:00Z", "2026-11-18T07:00:00Z", HOME, AWAY),
  activity("WORK", "2026-11-18T07:00:00Z", "2026-11-18T12:00:00Z", AWAY),
  activity("DRIVING", "2026-11-18T15:00:00Z", "2026-11-18T16:00:00Z", HOME, AWAY),
];

const VEHICLE = {
  assetId: "v1",
  assetName: "Truck 1",
  assetRegistration: "AB 1",
  driverId: "p1",
  driverName: "Ann Lee",
  date: "2026-11-20T08:30:00Z",
};

const serve = ({ activities = ACTIVITIES as object[], vehicle = {}, env = {} } = {}) =>
  servedFleet({
    script: {
      listLivePositions: () => ({
        body: [
          { ...VEHICLE, ...vehicle },
          { assetId: "v2", assetName: "Van 2", date: "2026-11-20T08:30:00Z" },
        ],
      }),
      queryTachoActivity: () => ({ body: { count: 1, data: [{ driverId: "p1", driverKey: "DRIVERCARD0p100", activities }] } }),
    },
    env,
  });

describe("where a vehicle was", () => {
  it.each<[time: string, said: string, record: object]>([
    [
      "2026-11-18T05:00:00Z",
      "standing at 45.758, 4.832 (45.75780, 4.83200) from 00:00 or earlier until 06:00",
      { result: "stood", until: "2026-11-18T06:00:00Z" },
    ],
    ["2026-11-18T06:00:00Z", "driving between 45.758, 4.832", { result: "driving" }],
    [
      "2026-11-18T06:30:00Z",
      "driving between 45.758, 4.832 (45.75780, 4.83200), left at 06:00, and 45.526, 4.875 (45.52550, 4.87480), reached at 07:00. Nothing is recorded in between. Driver: Ann Lee.",
      { before: { time: "2026-11-18T06:00:00Z", ...HOME }, after: { time: "2026-11-18T07:00:00Z", ...AWAY } },
    ],
    ["2026-11-18T11:59:00Z", "standing at 45.526, 4.875", { result: "stood", until: "2026-11-18T12:00:00Z" }],
    [
      "2026-11-18T13:00:00Z",
      "not recorded; last at 45.526, 4.875 (45.52550, 4.87480) at 12:00, next at 45.758, 4.832",
      { result: "unrecorded" },
    ],
    ["2026-11-18T20:00:00Z", "not recorded; last at 45.526, 4.875 (45.52550, 4.87480) at 16:00, nothing since", { result: "unrecorded" }],
    ["2026-11-17T05:00:00Z", "not recorded; nothing before, next at 45.758, 4.832", { result: "unrecorded" }],
    ["2 days ago", "standing at 45.526, 4.875", { time: "2026-11-18T08:34:00Z" }],
    ["wednesday 05:00", "standing at 45.758, 4.832", { time: "2026-11-18T05:00:00Z" }],
    ["Wednesday at 5 am", "standing at 45.758, 4.832", { time: "2026-11-18T05:00:00Z" }],
    ["2026-11-18 05:00", "standing at 45.758, 4.832", { time: "2026-11-18T05:00:00Z" }],
  ])("at %s", async (time, said, record) => {
    const result = await (await serve()).call("where_was", { vehicle: "truck 1", time });
    expect(result.text).toContain(said);
    expect(result.structured).toMatchObject(record);
  });

  it("in the user's time zone, on a day with two hours from 2 to 3", async () => {
    const activities = [activity("REST", "2026-10-25T00:00:00Z", "2026-10-25T12:00:00Z", HOME)];
    const { text } = await serve({ activities, env: { FLEET_TIME_ZONE: "Europe/Paris" } });
    expect(await text("where_was", { vehicle: "truck 1", time: "2026-10-25 at 02:30" })).toContain(
      "at 2026-10-25 02:30+02:00: standing at 45.758, 4.832",
    );
  });

  it("or a driver", async () => {
    const { text } = await serve();
    expect(await text("where_was", { driver: "Lee", time: "2026-11-18T05:00:00Z" })).toContain(
      "Ann Lee at 2026-11-18 05:00: resting from 00:00 until 06:00; left Truck 1 at 45.758, 4.832 (45.75780, 4.83200).",
    );
  });

  it("without records: says so, and what is known", async () => {
    const { text } = await serve({ activities: [] });
    const said = await text("where_was", { vehicle: "van 2", time: "2026-11-18T05:00:00Z" });
    expect(said).toContain("is not known: no tachograph records within 30 days of it. It may have no tachograph.");
    expect(said).toContain("Its latest live position is of 2026-11-20 08:30");
  });

  it("on a private journey: withheld for 24 hours", async () => {
    const activities = [...ACTIVITIES, activity("DRIVING", "2026-11-20T06:00:00Z", "2026-11-20T07:00:00Z", ROAD, SEA)];
    const { text, call } = await serve({ activities, vehicle: { privacy: true } });
    expect(await text("where_was", { vehicle: "truck 1", time: "2026-11-20T06:30:00Z" })).toContain("places withheld");
    expect(JSON.stringify(await call("where_was", { vehicle: "truck 1", time: "2026-11-20T06:30:00Z" }))).not.toMatch(/43\.|5\.4/);
    expect(await text("where_was", { vehicle: "truck 1", time: "2026-11-18T05:00:00Z" })).toContain("standing at 45.758, 4.832");
  });

  it.each([
    [{ vehicle: "truck 1", time: "tomorrow 08:00" }, "is in the future"],
    [{ vehicle: "truck 1", time: "yesterday" }, 'time: "yesterday" is not a time'],
    [{ vehicle: "truck 1", time: "yesterday 25:00" }, "is not a time"],
    [{ time: "now" }, "one of them is needed"],
    [{ vehicle: "truck 1", driver: "Lee", time: "now" }, "and not both"],
  ])("refuses %j", async (args, problem) => {
    expect(await (await serve()).failure("where_was", args)).toContain(problem);
  });
});
