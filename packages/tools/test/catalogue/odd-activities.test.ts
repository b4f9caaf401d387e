import { describe, expect, it } from "vitest";
import { flood } from "../flood.ts";
import { servedFleet } from "../served-fleet.ts";

const HOME = [45.7578, 4.832] as const;
const AWAY = [45.5255, 4.8748] as const;

type Place = readonly [latitude: number, longitude: number];

const activity = (activity: string, start: string, end: string, from: Place, to = from) => ({
  ...{ assetId: "v1", assetRegistration: "AB 1", activity, startTime: `2026-11-${start}:00Z`, endTime: `2026-11-${end}:00Z` },
  ...{ startLatitude: from[0], startLongitude: from[1], endLatitude: to[0], endLongitude: to[1] },
});

const REST = activity("REST", "15T00:00", "18T06:00", HOME);
const DRIVE = activity("DRIVING", "18T06:00", "18T11:00", HOME, AWAY);
const WAIT = activity("REST", "18T11:00", "18T20:00", AWAY);
const DAY = [REST, DRIVE, WAIT];

const without = (...fields: string[]) =>
  DAY.map((one) => Object.fromEntries(Object.entries(one).filter(([field]) => !fields.includes(field))));

/** What each tool says of a day: the rows of trips and infringements, and texts that it contains. */
interface Said {
  trips?: string[];
  where?: RegExp;
  driven?: string[];
  broken?: string[];
  /** In the notes of these tools. */
  notes?: Partial<Record<"trips" | "where" | "hours" | "infringements", RegExp>>;
}

const AT_HOME = "45.758, 4.832";
const AT_AWAY = "45.526, 4.875";
/** What the tools say of a day that is recorded well. */
const WELL: Required<Said> = {
  trips: [`stop - ${AT_HOME}`, `trip 06:00-11:00 ${AT_HOME}`, `stop 11:00-20:00 ${AT_AWAY}`],
  where: /driving between 45\.758, 4\.832 .* and 45\.526, 4\.875 .*reached at 11:00/,
  driven: ["5:00"],
  broken: ["drivingWithoutBreak 0:30 certain"],
  notes: {},
};

const LEFT_OUT = (which: string) => new RegExp(`Odd activities, left out: ${which}\\.`);
const inAll = (which: string) => ({
  trips: LEFT_OUT(which),
  where: LEFT_OUT(which),
  hours: LEFT_OUT(which),
  infringements: LEFT_OUT(which),
});
const TOO_MANY = /Driver 1: more activities in a day than tachographs record/;

describe.each<[what: string, activities: () => object[], said: Said]>([
  ["in order", () => DAY, {}],
  ["reversed", () => DAY.toReversed(), {}],
  ["doubled", () => [...DAY, ...DAY], { notes: { trips: LEFT_OUT("3 recorded twice"), where: LEFT_OUT("3 recorded twice") } }],
  [
    "overlapping",
    () => [...DAY, activity("WORK", "18T10:00", "18T12:00", AWAY)],
    {
      broken: ["drivingWithoutBreak 0:00–0:30 possible"],
      notes: { hours: /Contradictory entries, of which the stricter count: Driver 1\./ },
    },
  ],
  [
    "that end before they begin",
    () => [...DAY, { ...activity("DRIVING", "18T15:00", "18T13:00", AWAY), inProgress: false }],
    { notes: { trips: LEFT_OUT("1 without readable times"), where: LEFT_OUT("1 without readable times") } },
  ],
  ["without an end", () => [...DAY, { ...DRIVE, endTime: undefined }], { notes: inAll("1 without readable times") }],
  ["without times", () => [...DAY, { ...DRIVE, startTime: "soon" }], { notes: inAll("1 without readable times") }],
  ["of the future", () => [...DAY, activity("DRIVING", "28T06:00", "28T11:00", HOME, AWAY)], { notes: inAll("1 in the future") }],
  [
    "without places",
    () => without("startLatitude", "startLongitude", "endLatitude", "endLongitude"),
    {
      trips: ["stop -", "trip 06:00-11:00", "stop 11:00-20:00"],
      where: /driving between a place that was not recorded and a place that was not recorded\./,
    },
  ],
  [
    "of no vehicle",
    () => without("assetId", "assetRegistration"),
    {
      trips: [],
      where: /is not known: no usable tachograph records.*3 of no vehicle\.(?!.*may have no tachograph)/,
      notes: { trips: /No usable tachograph records of Truck 1/ },
    },
  ],
  [
    "more than a tachograph records",
    () => flood(2000),
    {
      trips: [],
      where: /no usable tachograph records.*2000 of drivers with more in a day than tachographs record/,
      ...{ driven: [], broken: [] },
      notes: { trips: /No usable tachograph records of Truck 1/, hours: TOO_MANY, infringements: TOO_MANY },
    },
  ],
])("activities %s", (_, activities, said) => {
  it("get clear remarks, and nothing wrong is said", async () => {
    const data = JSON.stringify({ count: 1, data: [{ driverId: "p1", driverKey: "DRIVERCARD0p100", activities: activities() }] });
    const vehicle = { assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1", driverId: "p1", driverName: "Driver 1" };
    const { record, text } = await servedFleet({
      script: { listLivePositions: () => ({ body: [vehicle] }), queryTachoActivity: () => ({ body: data }) },
      env: { FLEET_DISTANCE_UNIT: "km" },
    });
    const wanted = { ...WELL, ...said };
    const day = await record("trips_and_stops", { vehicle: "truck 1", period: "2026-11-18", fields: "kind,start,end,from" });
    const clock = (time = "") => (time.startsWith("2026-11-18") ? time.slice(11, 16) : "");
    expect(
      day.items.map(({ kind, start, end, from = "" }: Record<string, string>) =>
        `${kind} ${kind === "stop" && clock(start) === "" ? "" : clock(start)}-${clock(start) === "" ? "" : clock(end)} ${from}`.trim(),
      ),
    ).toEqual(wanted.trips);
    const where = await text("where_was", { vehicle: "truck 1", time: "2026-11-18T06:30:00Z" });
    expect(where).toMatch(wanted.where);
    const hours = await record("driver_hours", { fields: "drivenFortnight" });
    expect(hours.items.map(({ drivenFortnight }: Record<string, string>) => drivenFortnight?.split("–")[0])).toEqual(wanted.driven);
    const infringements = await record("driver_infringements", {
      period: "2026-11-18",
      where: "rule=drivingWithoutBreak",
      fields: "rule,over,certainty",
    });
    expect(infringements.items.map((row: Record<string, string>) => `${row["rule"]} ${row["over"]} ${row["certainty"]}`)).toEqual(
      wanted.broken,
    );
    const notes = { trips: day.note, where, hours: hours.note, infringements: infringements.note };
    for (const [tool, note] of Object.entries(notes)) {
      const expected = wanted.notes[tool as keyof typeof notes];
      if (expected) expect(note, tool).toMatch(expected);
      else expect(note, tool).not.toMatch(/Odd activities(?!.*of no vehicle|.*tachographs record)|Contradictory/);
    }
  });
});
