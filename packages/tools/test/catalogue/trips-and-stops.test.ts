import { describe, expect, it } from "vitest";
import { casesOf, FLEET, PLACES, rowsOf, servePast, vehicle } from "./the-past.ts";

type Args = Record<string, unknown>;
type Env = Record<string, string>;

const ONE = { vehicle: "truck 1", period: "2026-11-19" };
const PLACED = "kind,start,end,from,to,km,remark,unrecorded";
const BARE = "kind,start,end,duration,km,driving,remark";
const KM = { FLEET_DISTANCE_UNIT: "km" };

async function tripsOf(entries: readonly string[], args: Args, env?: Env, vehicles?: readonly object[]) {
  const { items, note } = await (await servePast(entries, { env, vehicles })).record("trips_and_stops", args);
  return { items, note: note as string, rows: rowsOf(items) };
}

const TWICE = "driving is recorded twice at a time, counted once";

it.each(
  casesOf(`
    # a trip between two stops
    p1: rest 00:00-06:00 lyon; drive 06:00-07:00 lyon>vienne; rest 07:00-12:00 vienne
    = stop 00:00-06:00, lyon, may have begun earlier | trip 06:00-07:00, lyon > vienne, 26 km | stop 07:00-12:00, vienne, may have ended later
    # a stand of less than five minutes, which belongs to the trip
    p1: drive 06:00-06:30 lyon>vienne; rest 06:30-06:34 vienne; drive 06:34-07:00 vienne>lyon
    = trip 06:00-07:00, lyon > lyon, 52.1 km
    # a stand of five minutes, which is a stop
    p1: drive 06:00-06:30 lyon>vienne; rest 06:30-06:35 vienne; drive 06:35-07:00 vienne>lyon
    = trip 06:00-06:30, lyon > vienne, 26 km | stop 06:30-06:35, vienne | trip 06:35-07:00, vienne > lyon, 26 km
    # a team, which is one line
    p1: drive 06:00-07:00 lyon>vienne
    p2: wait 06:00-07:00 lyon>vienne slot2
    = trip 06:00-07:00, lyon > vienne, 26 km
    # the second driver only
    p2: wait 06:00-07:00 lyon>vienne slot2
    = trip 06:00-07:00, lyon > vienne, 26 km, recorded by the second driver only
    # somebody who rests elsewhere, which does not make the vehicle stand
    p2: rest 17T00:00- paris
    p1: rest 18T22:00-06:00 lyon; drive 06:00-07:00 lyon>vienne
    = stop 11-18T22:00-06:00, lyon, may have begun earlier | trip 06:00-07:00, lyon > vienne, 26 km
    # time without records, at the same place
    p1: drive 06:00-07:00 lyon>vienne; drive 09:00-10:00 vienne>lyon
    = trip 06:00-07:00, lyon > vienne, 26 km | stop 07:00-09:00, vienne, unrecorded 2:00 | trip 09:00-10:00, vienne > lyon, 26 km
    # time without records, after which the vehicle is elsewhere
    p1: drive 06:00-07:00 lyon>vienne; rest 07:00-08:00 vienne; drive 18:00-19:00 paris
    = trip 06:00-07:00, lyon > vienne, 26 km | stop 07:00-08:00, vienne | gap 08:00-18:00, vienne > paris, unrecorded 10:00, nothing recorded, found 417 km away | trip 18:00-19:00, paris > paris, 0 km
    # a rest that ends elsewhere
    p1: drive 06:00-07:00 lyon>vienne; rest 07:00-18:00 vienne>paris; drive 18:00-19:00 paris
    = trip 06:00-07:00, lyon > vienne, 26 km | stop 07:00-18:00, vienne, ends 417 km away without driving (ferry, towed?) | trip 18:00-19:00, paris > paris, 0 km
    # a word of unknown meaning, with which it moved
    p1: FAHREN 06:00-07:00 lyon>vienne
    = trip 06:00-07:00, lyon > vienne, 26 km
  `),
)("the day of a vehicle with $why", async ({ entries, rows }) => {
  expect((await tripsOf(entries, { ...ONE, fields: PLACED })).rows).toEqual(rows);
});

describe("distances", () => {
  const trips = (distance: string) => ["05", "07", "09"].map((hour) => `drive ${hour}:00-${hour}:40 lyon>vienne ${distance}`).join("; ");

  it.each<[unit: string, distance: string, env: Env, km: string, isStraight: boolean]>([
    ["km", "32km", {}, "32 km", false],
    ["metres", "32000km", {}, "32 km", false],
    ["neither", "19km", {}, "26 km", true],
    ["miles, as set", "20km", { FLEET_DISTANCE_UNIT: "mi" }, "32.2 km", false],
  ])("in %s", async (_, distance, env, km, isStraight) => {
    const { rows, note } = await tripsOf([`p1: ${trips(distance)}`], { ...ONE, fields: BARE, where: "kind=trip" }, env);
    expect(rows.filter((row) => row.includes(`, ${km}`))).toHaveLength(3);
    expect(note.includes("km: in a straight line, at least")).toBe(isStraight);
  });

  it("that cannot be true are not summed", async () => {
    const entries = [`p1: ${trips("32km")}; drive 11:00-11:40 lyon>vienne 900km`];
    const { rows, note } = await tripsOf(entries, { ...ONE, fields: BARE }, KM);
    expect([rows.at(-1), note]).toEqual([
      expect.stringContaining("a distance that cannot be true was ignored"),
      expect.stringContaining("122 km"),
    ]);
  });
});

describe("minutes that overlap count once:", () => {
  const [CARD, LIVE] = ["drive 08:00-10:04 lyon>vienne 135km", "drive 08:00:17-10:03:42 lyon>vienne 134km"];
  const IGNORED = "a distance that cannot be true was ignored";
  const SAME = `08:00-10:04, 135 km, ${TWICE}`;
  it.each<[why: string, entries: string[], trip: string, driving?: string, env?: Env]>([
    ["live and from the card", [`p1: ${LIVE}; ${CARD}`], SAME],
    ["sent again each time it had grown", [`p1: drive 08:00-08:30 60km; drive 08:00-09:00 90km; ${CARD}`], SAME],
    ["with an odd distance", [`p1: ${CARD}; drive 08:00-10:04 1350km`], `${SAME}; ${IGNORED}`],
    ["sent again unchanged", [`p1: ${CARD}; ${CARD}`], "08:00-10:04, 135 km"],
    ["of two drivers, half of it", [`p1: ${CARD}`, "p2: drive 09:02-11:06 lyon>vienne 124km"], `08:00-11:06, 197 km, ${TWICE}`, "3:06"],
    ["one after the other", [`p1: ${CARD}; drive 10:04-11:04 vienne>lyon 40km`], "08:00-11:04, 175 km", "3:04"],
  ])("%s", async (_, entries, trip, driving = "2:04", env = KM) => {
    const { rows, items, note } = await tripsOf(entries, { ...ONE, fields: BARE, where: "kind=trip" }, env);
    expect([rows, items[0].driving]).toEqual([[`trip ${trip}`], driving]);
    const isLeast = env !== KM || trip.includes("cannot be true");
    expect(note).toContain(`1 trip, ${isLeast ? "at least " : ""}${Math.round(items[0].km ?? 0)} km`);
    const hours = await (await servePast(entries)).record("summarize_driver_activity", { period: "2026-11-19", driver: "p1" });
    if (entries.every((one) => one.startsWith("p1"))) expect(hours.items[0].driving).toBe(driving);
  });

  it("a driver in two vehicles at a time is named as odd, and not summed", async () => {
    const entries = [`p1: ${CARD}; drive 09:00-10:00 lyon>vienne 50km v2`, "p2: drive 12:00-13:00 lyon>vienne 40km v2"];
    const args = { period: "2026-11-19", where: "kind=trip", fields: BARE };
    const { rows, note } = await tripsOf(entries, args, KM);
    const odd = "its driver is recorded in two vehicles at the time";
    expect(rows).toEqual([`trip 08:00-10:04, 135 km, ${odd}`, `trip 09:00-10:00, 50 km, ${odd}`, "trip 12:00-13:00, 40 km"]);
    const notCounted = "Not counted: 2 trips, 185 km, whose driver is recorded in two vehicles at a time";
    for (const part of ["1 trip, 40 km in 1:00.", `${notCounted}.`]) expect(note).toContain(part);
    const counted = await (await servePast(entries, { env: KM })).text("trips_and_stops", { period: "2026-11-19", count: "vehicle" });
    expect(counted).toContain(`${notCounted}; the rows have them.`);
  });
});

it.each(
  casesOf(`
    # a trip over midnight, which counts as a whole, and what of it lies in the period is about so
    p1: drive 18T23:00-01:00 lyon>vienne 100km
    = trip 11-18T23:00-01:00, 100 km
    + 1 trip, 100 km in 2:00. Of this in the period: about 50 km in 1:00.
    # a trip of days, with short breaks before the day that is read
    p1: drive 16T20:00-16T23:30 lyon>vienne 200km; drive 16T23:32-17T04:00 vienne>lyon 300km; drive 17T04:02-01:00 lyon>vienne 2500km
    = trip 11-16T20:00-01:00, 3000 km
    + 1 trip, 3000 km in 53:00. Of this in the period: about 57 km in 1:00.
    # a stop that ends when the vehicle left, long after the rest that reaches over the edge
    p1: drive 17:00-18:00 lyon>vienne 30km; rest 18:00-20T02:00 vienne; work 20T02:00-20T06:30 vienne; drive 20T06:30-20T07:00 vienne>lyon 30km
    = trip 17:00-18:00, 30 km | stop 18:00-11-20T06:30
    + 1 trip, 30 km in 1:00; 1 stop in 12:30. Of this in the period: about 30 km in 1:00, stops 6:00.
    # a vehicle that left, and does not stand on because its former driver rests
    p1: drive 15T10:00-15T11:00 lyon>vienne 30km; rest 15T11:00- vienne
    p2: drive 16T18:52-16T20:00 vienne>lyon 30km; rest 16T20:00-17T06:00 lyon; drive 17T06:00-17T07:00 lyon>vienne 30km
    ? 11-15
    = trip 11-15T10:00-11-15T11:00, 30 km | stop 11-15T11:00-11-16T18:52
    + 1 trip, 30 km in 1:00; 1 stop in 31:52. Of this in the period: about 30 km in 1:00, stops 13:00.
    # a stop that is longer than what is read
    p1: rest 01-05T17:00- vienne
    ? 10-06
    = stop 09-06T00:00-11-06T00:00, began earlier; ended later
    # a stop whose driver went on in another vehicle, after which nothing is recorded of it
    p1: drive 17T15:00-17T16:00 lyon>vienne; rest 17T16:00-05:00 vienne; drive 05:00-06:00 lyon>vienne v2
    = stop 11-17T16:00-05:00, may have ended later
    # nothing, but its last record
    p1: drive 15T15:00-15T16:00 lyon>vienne; rest 15T16:00-16T05:00 vienne; drive 16T05:00-16T06:00 lyon>vienne v2
    + No usable tachograph records of Truck 1 (REG v1) in the period. Its last record before is a stop until 2026-11-16 05:00.
    # a trip without a distance, so that all are at least so long
    p1: drive 08:00-09:00 lyon>vienne 60km; drive 10:00-11:00
    = trip 08:00-09:00, 60 km | stop 09:00-10:00 | trip 10:00-11:00
    + 2 trips, at least 60 km in 2:00; 1 stop in 1:00.
    # today, which is in progress
    p1: drive 23:00-20T01:00 lyon>vienne 100km; rest 20T01:00- vienne
    ? 11-20
    = trip 23:00-11-20T01:00, 100 km | stop 11-20T01:00-, goes on
    + 1 trip, 100 km in 2:00; 1 stop in 7:34. Of this in the period: about 50 km in 1:00, stops 7:34.
    # the day of 25 hours
    p1: drive 10-24T20:00-10-24T21:00 lyon>vienne; rest 10-24T21:00-10-25T23:30 vienne; drive 10-25T23:30-10-26T00:30 vienne>lyon
    ? 10-25 in Berlin
    = stop 10-24T23:00-10-26T00:30
  `),
)("over an edge of the period: $why", async ({ entries, asked, rows, note }) => {
  const [day, isInBerlin] = (asked || "11-19").split(" in ");
  const env = { ...(!note.includes("straight") && KM), ...(isInBerlin && { FLEET_TIME_ZONE: "Europe/Berlin" }) };
  const said = await tripsOf(entries, { vehicle: "truck 1", period: `2026-${day}`, fields: BARE }, env);
  expect([said.rows, said.note]).toEqual([rows, expect.stringContaining(note)]);
});

describe("who was at a place", () => {
  const depot = {
    ...{ latitude: PLACES["vienne"]?.[0], longitude: PLACES["vienne"]?.[1] },
    locationId: "l1",
    locationName: "Vienne Depot",
  };
  const WITH_DEPOT = [...FLEET, vehicle("v3", { assetName: "Van 3", ...depot })];
  const DAY = ["p1: rest 00:00-06:00 lyon; drive 06:00-07:00 lyon>vienne; rest 07:00-12:00 vienne", "p2: work 08:00-09:00 paris v2"];
  const [EARLIER, LATER] = ["may have begun earlier", "may have ended later"];
  const [IN_LYON, IN_VIENNE] = [[`stop 00:00-06:00, lyon, ${EARLIER}`], [`stop 07:00-12:00, Vienne Depot, ${LATER}`]];
  it.each<[at: string, withinKm: number | undefined, rows: string[]]>([
    ["Vienne Depot", undefined, IN_VIENNE],
    ["van 3", undefined, IN_VIENNE],
    ["45.75, 4.83", 0.5, []],
    ["45.75, 4.83", 2, IN_LYON],
  ])("at %s within %s km", async (at, withinKm, rows) => {
    const { rows: found, note } = await tripsOf(DAY, { at, withinKm, period: "2026-11-19", fields: PLACED }, {}, WITH_DEPOT);
    expect([found, note]).toEqual([rows, expect.stringContaining("passing it while driving is not recorded")]);
  });

  it("is asked about if it is not known", async () => {
    const { question } = await servePast(DAY);
    expect(await question("trips_and_stops", { at: "Nowhere Hall", period: "2026-11-19" })).toMatch(/as at\b/);
  });
});

it.each([
  [{ period: "tomorrow" }, "is in the future"],
  [{ vehicle: "truck 1", period: "soon" }, "is not a valid period"],
])("%j is refused", async (args, problem) => expect(await (await servePast([])).failure("trips_and_stops", args)).toContain(problem));

/** What the heading adds up is what the rows show. */
it.each<[where: string | undefined, said: string]>([
  [undefined, "2 trips, 490 km in 5:00; 3 stops in 19:00."],
  ["kind=trip", "2 trips, 490 km in 5:00."],
  ["kind=stop, duration>3:00", "2 stops in 17:00."],
  ["start>=2026-11-19T08:00Z", "1 trip, 430 km in 4:00; 1 stop in 11:00."],
])("totals where %s are %s", async (where, said) => {
  const night = "rest 00:00-06:00 lyon; drive 06:00-07:00 lyon>park 60km; rest 07:00-09:00 park";
  const entries = [`p1: ${night}; drive 09:00-13:00 park>paris 430km; rest 13:00-20T00:00 paris`];
  for (const more of [{}, { count: "total" }]) expect((await tripsOf(entries, { ...ONE, where, ...more }, KM)).note).toContain(said);
});

describe("vehicles and drivers without records", () => {
  const [TRUCKS, VANS] = [
    { assetGroupId: "g1", assetGroupName: "Trucks" },
    { assetGroupId: "g2", assetGroupName: "Vans" },
  ];
  const GROUPED = [
    ...[vehicle("v1", { driverId: "p1", driverName: "Ann Lee", ...TRUCKS }), vehicle("v2", TRUCKS), vehicle("v5", VANS)],
    ...[
      vehicle("v3", { driverId: "p3", driverName: "Cy Young", ...VANS }),
      vehicle("v4", { driverId: "p4", driverName: "Di Marsh", ...VANS }),
    ],
  ];
  const NO_TRIPS = "Without tachograph records in the period:";
  const [OF_VANS, ANN] = ["Cy Young (Truck 3; Vans), Di Marsh (Truck 4; Vans). These are 2 of 2.", "Ann Lee (Truck 1; Trucks)."];
  it.each<[tool: string, args: object, note: string | undefined]>([
    ["trips_and_stops", {}, `${NO_TRIPS} 4 of 5 vehicles.`],
    ["trips_and_stops", { group: "trucks" }, `${NO_TRIPS} 1 of 2 vehicles.`],
    ["trips_and_stops", { vehicle: "truck 2" }, "Truck 2 (REG v2) may have no tachograph"],
    ["trips_and_stops", { driver: "Cy Young" }, "Drivers without tachograph activities: Cy Young (Truck 3; Vans)."],
    ["trips_and_stops", { driver: "Ann Lee", vehicle: "truck 2" }, `Drivers without tachograph activities: ${ANN}`],
    ["summarize_driver_activity", { vehicle: "truck 1, truck 2" }, "Vehicles without tachograph activities: Truck 2 (REG v2)."],
    ["summarize_driver_activity", {}, "Without tachograph activities: 2 of the 3 drivers in the live positions."],
    ["query_tacho_activity", { vehicle: "truck 1" }, undefined],
    ["driver_hours", { group: "vans" }, `Drivers without tachograph activities: ${OF_VANS}`],
  ])("%s %j", async (tool, args, note) => {
    const { text } = await servePast(["p1: drive 08:00-10:04 lyon>vienne 135km"], { vehicles: GROUPED });
    const said = await text(tool, { ...(tool !== "driver_hours" && { period: "2026-11-19" }), ...args });
    if (note) expect(said).toContain(note);
    else expect(said).not.toMatch(/without tachograph/i);
  });
});
