import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const LYON = [45.7578, 4.832] as const;
const VIENNE = [45.5255, 4.8748] as const;

type Place = readonly [latitude: number, longitude: number];

/** A time as in "19T08:00:17", in November 2026, UTC; with another month, as in "10-25T08:00". */
const instant = (text: string) =>
  `2026-${text.length > 11 || /^\d\d-/.test(text) ? "" : "11-"}${text}${text.split(":").length < 3 ? ":00" : ""}Z`;

/** An activity; without an end, it is in progress. */
const activity = (kind: string, start: string, end: string | undefined, [from, to]: readonly Place[], more: object = {}) => ({
  ...{ assetId: "v1", assetRegistration: "REG v1", activity: kind, startTime: instant(start) },
  ...(end === undefined ? { inProgress: true } : { endTime: instant(end) }),
  ...(from && { startLatitude: from[0], startLongitude: from[1] }),
  ...(to && { endLatitude: to[0], endLongitude: to[1] }),
  ...more,
});
const drive = (start: string, end: string | undefined, distance?: number, more: object = {}) =>
  activity("DRIVING", start, end, [LYON, VIENNE], { distance, ...more });
const back = (start: string, end: string, distance?: number) => activity("DRIVING", start, end, [VIENNE, LYON], { distance });
const rest = (start: string, end: string | undefined, at: Place, more: object = {}) => activity("REST", start, end, [at, at], more);
const IN_2 = { assetId: "v2", assetRegistration: "REG v2" };

const entry = (driverId: string, ...activities: object[]) => ({ driverId, driverKey: `DRIVERCARD0${driverId}00`, activities });

const GROUPS = { trucks: { assetGroupId: "g1", assetGroupName: "Trucks" }, vans: { assetGroupId: "g2", assetGroupName: "Vans" } };
const date = "2026-11-20T08:30:00Z";
const DRIVERS: Record<string, object> = {
  v1: { driverId: "p1", driverName: "Ann Lee" },
  v3: { driverId: "p3", driverName: "Cy Young" },
  v4: { driverId: "p4", driverName: "Di Marsh" },
};
const VEHICLES = [
  ...["v1", "v2"].map((id) => ({
    assetId: id,
    assetName: `Truck ${id.slice(1)}`,
    assetRegistration: `REG ${id}`,
    date,
    ...GROUPS.trucks,
    ...DRIVERS[id],
  })),
  ...["v3", "v4", "v5"].map((id) => ({ assetId: id, assetName: `Van ${id.slice(1)}`, date, ...GROUPS.vans, ...DRIVERS[id] })),
];

interface Recorded {
  assetRegistration?: string;
  startTime: string;
  endTime?: string;
}

/** A service that sends what overlaps the requested period, of the requested vehicles. */
const serve = (data: readonly { activities: object[] }[], env: Record<string, string> = {}) =>
  servedFleet({
    script: {
      listLivePositions: () => ({ body: VEHICLES }),
      queryTachoActivity: ({ body: { startTime, endTime, registrations } }) => {
        const isAsked = (one: Recorded) =>
          one.startTime < `${endTime}Z` &&
          (one.endTime ?? "9") > `${startTime}Z` &&
          (registrations === undefined || registrations.includes(one.assetRegistration ?? "REG v1"));
        const found = data.map((one) => ({ ...one, activities: one.activities.filter((each) => isAsked(each as Recorded)) }));
        const entries = found.filter(({ activities }) => activities.length > 0);
        return { body: { count: entries.length, data: entries } };
      },
    },
    env: { FLEET_DISTANCE_UNIT: "km", ...env },
  });

const ONE = { vehicle: "truck 1", period: "2026-11-19" };
const FIELDS = { fields: "vehicle,kind,start,end,duration,km,driving,remark" };

async function asked(data: readonly { activities: object[] }[], args: object, env?: Record<string, string>) {
  const { items, note } = await (await serve(data, env)).record("trips_and_stops", { ...args, ...FIELDS });
  const time = (text = "") => text.slice(5, 16).replace("11-19T", "");
  const rows = items.map((row: Record<string, string>) =>
    [`${row["kind"]} ${time(row["start"])}-${time(row["end"])}`, row["km"] && `${row["km"]} km`, row["remark"]].filter(Boolean).join(", "),
  );
  return { rows, note, items };
}

const TWICE = "driving is recorded twice at a time, counted once";
const STRAIGHT = { FLEET_DISTANCE_UNIT: "" };

describe("minutes that overlap count once", () => {
  const card = drive("19T08:00", "19T10:04", 135);
  it.each<[why: string, entries: { activities: object[] }[], rows: string[], driving: string, env?: Record<string, string>]>([
    [
      "live and from the card",
      [entry("p1", drive("19T08:00:17", "19T10:03:42", 134), card)],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    [
      "in two entries",
      [entry("p1", drive("19T08:00:17", "19T10:03:42", 134)), entry("p1", card)],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    [
      "live, a little longer than the card",
      [entry("p1", drive("19T07:59:40", "19T10:03:42", 134), card)],
      [`trip 07:59-10:04, 134 km, ${TWICE}`],
      "2:04",
    ],
    [
      "sent again when it had grown",
      [entry("p1", drive("19T08:00", "19T09:00", 60), card)],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    [
      "sent three times, each time longer",
      [entry("p1", drive("19T08:00", "19T08:30", 30), drive("19T08:00", "19T09:00", 60), card)],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    [
      "sent again with another distance",
      [entry("p1", card, drive("19T08:00", "19T10:04", 131))],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    [
      "sent again with an impossible distance",
      [entry("p1", card, drive("19T08:00", "19T10:04", 1350))],
      [`trip 08:00-10:04, 135 km, ${TWICE}; a distance that cannot be true was ignored`],
      "2:04",
    ],
    [
      "once with the vehicle's id only, and once with its registration only",
      [
        entry("p1", drive("19T08:00:17", "19T10:03:42", 134, { assetRegistration: undefined })),
        entry("p1", drive("19T08:00", "19T10:04", 135, { assetId: undefined })),
      ],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    [
      "three times, of three ids and one registration",
      [
        entry(
          "p1",
          drive("19T08:00", "19T10:04", 134, { assetId: "old 1" }),
          drive("19T08:00:17", "19T10:03:42", 135, { assetId: "old 2" }),
          card,
        ),
      ],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    ["sent again unchanged", [entry("p1", card, card)], ["trip 08:00-10:04, 135 km"], "2:04"],
    [
      "of two drivers, half of it",
      [entry("p1", card), entry("p2", drive("19T09:02", "19T11:06", 124))],
      [`trip 08:00-11:06, 197 km, ${TWICE}`],
      "3:06",
    ],
    [
      "in parts, and as a whole",
      [entry("p1", drive("19T08:00", "19T09:00", 60), drive("19T09:00", "19T10:04", 70), card)],
      [`trip 08:00-10:04, 135 km, ${TWICE}`],
      "2:04",
    ],
    ["one after the other", [entry("p1", card, back("19T10:04", "19T11:04", 40))], ["trip 08:00-11:04, 175 km"], "3:04"],
    [
      "in a straight line, at least",
      [entry("p1", drive("19T08:00:17", "19T10:03:42"), drive("19T08:00", "19T10:04"))],
      [`trip 08:00-10:04, 26 km, ${TWICE}`],
      "2:04",
      STRAIGHT,
    ],
    [
      "in a straight line, half of it",
      [entry("p1", drive("19T08:00", "19T10:00"), drive("19T09:00", "19T10:30"))],
      [`trip 08:00-10:30, 26 km, ${TWICE}`],
      "2:30",
      STRAIGHT,
    ],
    [
      "as 0 km, which two hours of driving are not",
      [entry("p1", drive("19T08:00", "19T10:00", 0, { endLatitude: LYON[0], endLongitude: LYON[1] }))],
      ["trip 08:00-10:00, a distance that cannot be true was ignored"],
      "2:00",
      { FLEET_DISTANCE_UNIT: "km" },
    ],
  ])("a drive recorded %s", async (_, data, rows, driving, env) => {
    const { rows: found, items, note } = await asked(data, { ...ONE, where: "kind=trip" }, env);
    expect(found).toEqual(rows);
    expect(items[0].driving).toBe(driving);
    const isLeast = env || rows[0]?.includes("cannot be true");
    expect(note).toContain(`1 trip, ${isLeast ? "at least " : ""}${Math.round(items[0].km)} km`);
  });

  it("and the driver's hours are the same", async () => {
    const { record } = await serve([entry("p1", drive("19T08:00:17", "19T10:03:42", 134), card)]);
    const { items } = await record("summarize_driver_activity", { period: "2026-11-19" });
    expect(items[0].driving).toBe("2:04");
  });

  it("a driver in two vehicles at a time is named as odd, and not summed", async () => {
    const data = [entry("p1", card, drive("19T09:00", "19T10:00", 50, IN_2)), entry("p2", drive("19T12:00", "19T13:00", 40, IN_2))];
    const { rows, note } = await asked(data, { period: "2026-11-19", where: "kind=trip" });
    const odd = "its driver is recorded in two vehicles at the time";
    expect(rows).toEqual([`trip 08:00-10:04, 135 km, ${odd}`, `trip 09:00-10:00, 50 km, ${odd}`, "trip 12:00-13:00, 40 km"]);
    expect(note).toContain("1 trip, 40 km in 1:00.");
    const notCounted = "Not counted: 2 trips, 185 km, whose driver is recorded in two vehicles at a time";
    expect(note).toContain(`${notCounted}.`);
    const counted = await (await serve(data)).text("trips_and_stops", { period: "2026-11-19", count: "vehicle" });
    expect(counted).toContain(`${notCounted}; the rows have them.`);
  });
});

const WORK = (start: string, end: string, at: Place) => activity("WORK", start, end, [at, at]);

describe("what lasts over an edge of the period", () => {
  it.each<
    [why: string, data: { activities: object[] }[], rows: string[], total: string, more?: { period?: string; env?: Record<string, string> }]
  >([
    [
      "a trip over midnight counts as a whole, and what of it lies in the period is about so",
      [entry("p1", drive("18T23:00", "19T01:00", 100))],
      ["trip 11-18T23:00-01:00, 100 km"],
      "1 trip, 100 km in 2:00. Of this in the period: about 50 km in 1:00.",
    ],
    [
      "in a straight line, at least so only as a whole",
      [entry("p1", drive("18T23:00", "19T01:00"))],
      ["trip 11-18T23:00-01:00, 26 km"],
      "1 trip, at least 26 km in a straight line in 2:00. Of this in the period: about 13 km in a straight line in 1:00.",
      { env: STRAIGHT },
    ],
    [
      "a trip over both edges",
      [entry("p1", drive("18T23:00", "20T01:00", 260))],
      ["trip 11-18T23:00-11-20T01:00, 260 km"],
      "1 trip, 260 km in 26:00. Of this in the period: about 240 km in 24:00.",
    ],
    [
      "a trip of days, with short breaks before the day that is read",
      [entry("p1", drive("16T20:00", "16T23:30", 200), back("16T23:32", "17T04:00", 300), drive("17T04:02", "19T01:00", 2500))],
      ["trip 11-16T20:00-01:00, 3000 km"],
      "1 trip, 3000 km in 53:00. Of this in the period: about 57 km in 1:00.",
    ],
    [
      "a stop ends when the vehicle left, long after the rest that reaches over the edge",
      [
        entry(
          "p1",
          drive("19T17:00", "19T18:00", 30),
          rest("19T18:00", "20T02:00", VIENNE),
          WORK("20T02:00", "20T06:30", VIENNE),
          back("20T06:30", "20T07:00", 30),
        ),
      ],
      ["trip 17:00-18:00, 30 km", "stop 18:00-11-20T06:30"],
      "1 trip, 30 km in 1:00; 1 stop in 12:30. Of this in the period: about 30 km in 1:00, stops 6:00.",
    ],
    [
      "a vehicle that left does not stand on because its former driver rests",
      [
        entry("p1", drive("15T10:00", "15T11:00", 30), rest("15T11:00", undefined, VIENNE)),
        entry("p2", back("16T18:52", "16T20:00", 30), rest("16T20:00", "17T06:00", LYON), drive("17T06:00", "17T07:00", 30)),
      ],
      ["trip 11-15T10:00-11-15T11:00, 30 km", "stop 11-15T11:00-11-16T18:52"],
      "1 trip, 30 km in 1:00; 1 stop in 31:52. Of this in the period: about 30 km in 1:00, stops 13:00.",
      { period: "2026-11-15" },
    ],
    [
      "a stop over both edges, from Friday to Monday",
      [entry("p1", drive("13T16:00", "13T17:00", 30), rest("13T17:00", "13T19:00", VIENNE), back("16T05:00", "16T06:00", 30))],
      ["stop 11-13T17:00-11-16T05:00"],
      "",
      { period: "2026-11-15" },
    ],
    [
      "a stop of three weeks",
      [entry("p1", drive("10-25T16:00", "10-25T17:00", 30), rest("10-25T17:00", "14T05:00", VIENNE), back("14T05:00", "14T06:00", 30))],
      ["stop 10-25T17:00-11-14T05:00"],
      "",
      { period: "2026-11-05" },
    ],
    [
      "a stop that is longer than what is read",
      [entry("p1", rest("01-05T17:00", undefined, VIENNE))],
      ["stop 09-06T00:00-11-06T00:00, began earlier; ended later"],
      "",
      { period: "2026-10-06", env: {} },
    ],
    [
      "a stop whose driver went on in another vehicle, after which nothing is recorded of it",
      [entry("p1", drive("17T15:00", "17T16:00", 30), rest("17T16:00", "19T05:00", VIENNE), drive("19T05:00", "19T06:00", 60, IN_2))],
      ["stop 11-17T16:00-05:00, may have ended later"],
      "",
    ],
    [
      "the same before somebody fetched it, which says that it stood all the time",
      [
        entry(
          "p1",
          drive("10-30T15:00", "10-30T16:00", 30),
          rest("10-30T16:00", "02T05:00", VIENNE),
          drive("02T05:00", "02T06:00", 60, IN_2),
        ),
        entry("p2", back("09T05:25", "09T06:25", 30)),
      ],
      ["stop 10-30T16:00-11-09T05:25"],
      "",
      { period: "2026-11-05" },
    ],
    [
      "nothing, but its last record",
      [entry("p1", drive("15T15:00", "15T16:00", 30), rest("15T16:00", "16T05:00", VIENNE), drive("16T05:00", "16T06:00", 60, IN_2))],
      [],
      "No usable tachograph records of Truck 1 (REG v1) in the period. Its last record before is a stop until 2026-11-16 05:00.",
    ],
    [
      "a trip without a distance, so that all are at least so long",
      [entry("p1", drive("19T08:00", "19T09:00", 60), activity("DRIVING", "19T10:00", "19T11:00", []))],
      ["trip 08:00-09:00, 60 km", "stop 09:00-10:00", "trip 10:00-11:00"],
      "2 trips, at least 60 km in 2:00; 1 stop in 1:00.",
    ],
    [
      "today, which is in progress",
      [entry("p1", drive("19T23:00", "20T01:00", 100), rest("20T01:00", undefined, VIENNE))],
      ["trip 23:00-11-20T01:00, 100 km", "stop 11-20T01:00-, goes on"],
      "1 trip, 100 km in 2:00; 1 stop in 7:34. Of this in the period: about 50 km in 1:00, stops 7:34.",
      { period: "2026-11-20" },
    ],
    [
      "the day of 25 hours",
      [
        entry(
          "p1",
          drive("10-24T20:00", "10-24T21:00", 30),
          rest("10-24T21:00", "10-25T23:30", VIENNE),
          back("10-25T23:30", "10-26T00:30", 30),
        ),
      ],
      ["stop 10-24T23:00-10-26T00:30"],
      "",
      { period: "2026-10-25", env: { FLEET_TIME_ZONE: "Europe/Berlin" } },
    ],
    [
      "the day of 23 hours, of which a trip takes the last minutes",
      [entry("p1", rest("03-28T20:00", "03-29T21:00", LYON), drive("03-29T21:00", "03-29T23:00", 100))],
      ["stop 03-28T21:00-03-29T23:00, may have begun earlier", "trip 03-29T23:00-03-30T01:00, 100 km"],
      "1 trip, 100 km in 2:00; 1 stop in 25:00. Of this in the period: about 50 km in 1:00, stops 22:00.",
      { period: "2026-03-29", env: { FLEET_TIME_ZONE: "Europe/Berlin" } },
    ],
  ])("%s", async (_, data, rows, total, { period = ONE.period, env } = {}) => {
    const { rows: found, note, items } = await asked(data, { vehicle: "truck 1", period }, env);
    expect(found).toEqual(rows);
    expect(note).toContain(total);
    const sum = items.reduce((km: number, row: { km?: number }) => km + (row.km ?? 0), 0);
    if (total.includes("km")) expect(note).toContain(`${Math.round(sum)} km`);
  });

  it.each<[why: string, data: { activities: object[] }[], text: string]>([
    [
      "until the vehicle left, though its former driver rests",
      [
        entry("p1", drive("15T10:00", "15T11:00", 30), rest("15T11:00", undefined, VIENNE)),
        entry("p2", back("17T18:52", "17T20:00", 30), rest("17T20:00", undefined, LYON)),
      ],
      "from 11:00 until 2026-11-17 18:52",
    ],
    [
      "where its former driver rests tells nothing of it",
      [
        entry("p1", drive("08T10:00", "08T11:00", 30), rest("08T11:00", "18T06:00", VIENNE)),
        entry("p2", back("12T18:00", "12T19:00", 30), rest("12T19:00", "13T06:00", LYON)),
      ],
      "not recorded; last at 45.758, 4.832 (45.75780, 4.83200) at 2026-11-13 06:00, nothing since.",
    ],
    [
      "at least as long as what is read",
      [entry("p1", rest("01-05T17:00", undefined, VIENNE))],
      "from 2026-10-16 12:00 or earlier and still is",
    ],
  ])("where_was: %s", async (_, data, text) => {
    expect(await (await serve(data)).text("where_was", { vehicle: "truck 1", time: "2026-11-15T12:00:00Z" })).toContain(text);
  });
});

describe("vehicles and drivers without records", () => {
  const data = [entry("p1", drive("19T08:00", "19T10:04", 135))];
  it.each<[tool: string, args: object, note: string | undefined]>([
    ["trips_and_stops", {}, "Without tachograph records in the period: 4 of 5 vehicles."],
    ["trips_and_stops", { group: "vans" }, "Without tachograph records in the period: 3 of 3 vehicles."],
    ["trips_and_stops", { group: "trucks" }, "Without tachograph records in the period: 1 of 2 vehicles."],
    ["trips_and_stops", { at: "45.7578, 4.832" }, "Without tachograph records in the period: 4 of 5 vehicles."],
    ["trips_and_stops", { vehicle: "truck 1" }, undefined],
    ["trips_and_stops", { driver: "Cy Young" }, "Drivers without tachograph activities: Cy Young (Van 3; Vans)."],
    [
      "trips_and_stops",
      { driver: "Ann Lee", vehicle: "truck 2" },
      "Only Truck 2 (REG v2). Period 2026-11-19 in UTC: 2026-11-19 00:00 to 2026-11-20 00:00. About the driver: a rest says where the vehicle was left; others may have driven it since. Drivers without tachograph activities: Ann Lee (Truck 1; Trucks).",
    ],
    ["summarize_driver_activity", { vehicle: "truck 1, truck 2" }, "Vehicles without tachograph activities: Truck 2 (REG v2)."],
    ["query_tacho_activity", { vehicle: "truck 2" }, "Vehicles without tachograph activities: Truck 2 (REG v2)."],
    [
      "query_tacho_activity",
      { vehicle: "truck 2", driver: "Ann Lee" },
      "Drivers without tachograph activities: Ann Lee (Truck 1; Trucks).",
    ],
    ["summarize_driver_activity", {}, "Without tachograph activities: 2 of the 3 drivers in the live positions."],
    [
      "summarize_driver_activity",
      { group: "vans" },
      "Drivers without tachograph activities: Cy Young (Van 3; Vans), Di Marsh (Van 4; Vans). These are 2 of 2.",
    ],
    ["query_tacho_activity", {}, "Without tachograph activities: 2 of the 3 drivers in the live positions."],
    [
      "query_tacho_activity",
      { group: "vans" },
      "Drivers without tachograph activities: Cy Young (Van 3; Vans), Di Marsh (Van 4; Vans). These are 2 of 2.",
    ],
    ["query_tacho_activity", { vehicle: "truck 1" }, undefined],
    [
      "driver_infringements",
      { group: "vans" },
      "Drivers without tachograph activities: Cy Young (Van 3; Vans), Di Marsh (Van 4; Vans). These are 2 of 2.",
    ],
    [
      "driver_hours",
      { group: "vans" },
      "Drivers without tachograph activities: Cy Young (Van 3; Vans), Di Marsh (Van 4; Vans). These are 2 of 2.",
    ],
  ])("%s %j", async (tool, args, note) => {
    const { text } = await serve(data);
    const said = await text(tool, { ...(tool !== "driver_hours" && { period: "2026-11-19" }), ...args });
    if (note) expect(said).toContain(note);
    else expect(said).not.toMatch(/without tachograph/i);
  });
});
