import { describe, expect, it } from "vitest";
import { casesOf, clock, named, PLACES, servePast, vehicle } from "./the-past.ts";

/** Two drives on 18 November, and nothing between 12:00 and 15:00. */
const DAY = "p1: rest 18T00:00-18T06:00 lyon; drive 18T06:00-18T07:00 lyon>vienne; work 18T07:00-18T12:00 vienne";
const WITH_GAP = [`${DAY}; drive 18T15:00-18T16:00 lyon>vienne`];
const TRUCK = { vehicle: "truck 1" };

describe("where a vehicle was", () => {
  it.each<[time: string, said: string, record: object]>([
    ["2026-11-18T05:00:00Z", "standing at lyon (45.75780, 4.83200) from 00:00 or earlier until 06:00", { until: "2026-11-18T06:00:00Z" }],
    [
      "2026-11-18T06:30:00Z",
      "driving between lyon (45.75780, 4.83200), left at 06:00, and vienne (45.52550, 4.87480), reached at 07:00. Nothing is recorded in between. Driver: Ann Lee.",
      { before: { time: "2026-11-18T06:00:00Z", latitude: 45.7578 }, after: { time: "2026-11-18T07:00:00Z", longitude: 4.8748 } },
    ],
    ["2026-11-18T13:00:00Z", "not recorded; last at vienne (45.52550, 4.87480) at 12:00, next at lyon", { result: "unrecorded" }],
    ["Wednesday at 5 am", "standing at lyon", { time: "2026-11-18T05:00:00Z" }],
  ])("at %s", async (time, said, record) => {
    const { text, structured } = await (await servePast(WITH_GAP)).call("where_was", { ...TRUCK, time });
    expect(named(text)).toContain(said);
    expect(structured).toMatchObject(record);
  });

  it("in the user's time zone, on a day with two hours from 2 to 3", async () => {
    const { text } = await servePast(["p1: rest 10-25T00:00-10-25T12:00 lyon"], { env: { FLEET_TIME_ZONE: "Europe/Paris" } });
    const said = await text("where_was", { ...TRUCK, time: "2026-10-25 at 02:30" });
    expect(named(said)).toContain("at 2026-10-25 02:30+02:00: standing at lyon");
  });

  it.each(
    casesOf(`
      # until it left, though its former driver rests
      p1: drive 15T10:00-15T11:00 lyon>vienne; rest 15T11:00- vienne
      p2: drive 17T18:52-17T20:00 vienne>lyon; rest 17T20:00- lyon
      + from 11:00 until 2026-11-17 18:52
      # where its former driver rests tells nothing of it
      p1: drive 08T10:00-08T11:00 lyon>vienne; rest 08T11:00-18T06:00 vienne
      p2: drive 12T18:00-12T19:00 vienne>lyon; rest 12T19:00-13T06:00 lyon
      + not recorded; last at lyon (45.75780, 4.83200) at 2026-11-13 06:00, nothing since.
      # at least as long as what is read
      p1: rest 01-05T17:00- vienne
      + from 2026-10-16 12:00 or earlier and still is
    `),
  )("$why", async ({ entries, note }) => {
    expect(named(await (await servePast(entries)).text("where_was", { ...TRUCK, time: "2026-11-15T12:00:00Z" }))).toContain(note);
  });

  it("without records: says so, and what is known", async () => {
    const said = await (await servePast([])).text("where_was", { vehicle: "truck 2", time: "2026-11-18T05:00:00Z" });
    expect(said).toContain("is not known: no tachograph records within 30 days of it. It may have no tachograph.");
    expect(said).toContain("Its latest live position is of 2026-11-20 08:30");
  });

  it.each([
    [{ ...TRUCK, time: "tomorrow 08:00" }, "is in the future"],
    [{ ...TRUCK, time: "yesterday" }, 'time: "yesterday" is not a time'],
    [{ ...TRUCK, driver: "Lee", time: "now" }, "and not both"],
  ])("refuses %j", async (args, problem) => {
    expect(await (await servePast(WITH_GAP)).failure("where_was", args)).toContain(problem);
  });
});

/** Ann leaves the truck in Hamburg at 12:05. Bob drives it to Bremen in the afternoon, and back at night; she goes on at 02:36. */
const ANN =
  "p1: drive 18T08:00-18T11:30 bremen>hamburg; work 18T11:30-18T12:05 hamburg; rest 18T12:05-02:36 hamburg; drive 02:36-05:00 hamburg>bremen";
const BOB =
  "p2: drive 18T14:00-18T16:00 hamburg>bremen; rest 18T16:00-18T22:00 bremen; drive 18T22:00-00:00 bremen>hamburg; rest 00:00-09:00 hamburg";
const [latitude, longitude] = PLACES["hamburg"] ?? [];
const BOTH = [
  vehicle("v1", { driverId: "p1", driverName: "Ann Lee", latitude, longitude, locationId: "l1", locationName: "Hamburg Depot" }),
  vehicle("v2", { driverId: "p2", driverName: "Bob Ray" }),
];
const serve = (entries = [ANN, BOB], vehicles: readonly object[] = BOTH) => servePast(entries, { vehicles });

describe("where somebody was, while another driver drives the vehicle,", () => {
  it.each<[asked: object, time: string, said: RegExp, record: object]>([
    [
      { driver: "Ann" },
      "18T15:00",
      /^Ann Lee at 2026-11-18 15:00: resting from 12:05 until 2026-11-19 02:36; left Truck 1 at Hamburg Depot \(53\.55000, 9\.99000\)\. Others may have driven it since/,
      { result: "resting", vehicle: "Truck 1", drivers: ["Ann Lee"], at: { place: "Hamburg Depot", time: "2026-11-18T12:05:00Z" } },
    ],
    [TRUCK, "18T15:00", /^Truck 1 at .*driving between Hamburg Depot/, { result: "driving", drivers: ["Bob Ray"] }],
    [{ driver: "Bob" }, "19T03:00", /^Bob Ray at .*resting from 00:00 until 09:00; left Truck 1 at Hamburg Depot/, { result: "resting" }],
  ])("%j at %s", async (asked, time, said, record) => {
    const { text, structured } = await (await serve()).call("where_was", { ...asked, time: `2026-11-${time}:00Z` });
    expect(text).toMatch(said);
    expect(structured).toMatchObject(record);
  });

  it("is told by what this driver did in other vehicles before and after", async () => {
    const { text } = await serve([`${ANN}; drive 06:00-07:00 bremen>hamburg v2`]);
    expect(named(await text("where_was", { driver: "Ann", time: "2026-11-19T05:30:00Z" }))).toMatch(
      /^Ann Lee at .*: not recorded; last in Truck 1 at bremen .* at 05:00, next in Truck 2 at bremen .* at 06:00\./,
    );
  });
});

describe("trips and stops", () => {
  const PERIOD = { period: "2026-11-18T06:00Z/2026-11-19T10:00Z", fields: "vehicle,kind,start,end,driver" };
  const tripsOf = async (asked: object, entries?: string[]) => {
    const { items, note } = await (await serve(entries)).record("trips_and_stops", { ...PERIOD, ...asked });
    const rows = items.map((row: Record<string, string>) => `${row["kind"]} ${clock(row["start"])} ${clock(row["end"])} ${row["driver"]}`);
    return { rows, note };
  };
  const OF_ANN = [
    "trip 11-18T08:00 11-18T11:30 Ann Lee",
    "stop 11-18T11:30 11-18T12:05 Ann Lee",
    "rest 11-18T12:05 02:36 Ann Lee",
    "trip 02:36 05:00 Ann Lee",
  ];

  it.each([{ driver: "Ann" }, { driver: "Ann", ...TRUCK }])("of %j are about the driver, and say so", async (asked) => {
    const { rows, note } = await tripsOf(asked);
    expect(rows).toEqual(OF_ANN);
    expect(note).toContain("About the driver: a rest says where the vehicle was left; others may have driven it since.");
    expect(note).toMatch(/2 trips, .*1 stop in 0:35; 1 rest in 14:31\./);
  });

  it("of the vehicle are what all drivers recorded: a stop is not longer because somebody who left it rests", async () => {
    const { rows, note } = await tripsOf(TRUCK);
    const ofBob = ["trip 11-18T14:00 11-18T16:00", "stop 11-18T16:00 11-18T22:00", "trip 11-18T22:00 00:00", "stop 00:00 02:36"];
    expect(rows).toEqual([OF_ANN[0], "stop 11-18T11:30 11-18T14:00 Ann Lee", ...ofBob.map((row) => `${row} Bob Ray`), OF_ANN[3]]);
    expect(note).not.toContain("About the driver");
  });
});

it.each([
  ["namesakes", "Ann Lee", BOTH.map((one) => ({ ...one, driverName: "Ann Lee" }))],
  ["several names", "Ann Lee, Bob Ray", BOTH],
])("of %s, it asks whose past is meant", async (_, driver, fleet) => {
  const { question } = await serve([ANN, BOB], fleet);
  expect(await question("where_was", { driver, time: "2026-11-18T15:00" })).toMatch(
    /^2 drivers match ".*"\. Which one: Ann Lee \(Truck 1\); (Ann Lee|Bob Ray) \(Truck 2\)\?/,
  );
});
