import { expect, it } from "vitest";
import { flood } from "../flood.ts";
import { did, entry, named, servePast } from "./the-past.ts";

const DAY = did("rest 15T00:00-18T06:00 lyon; drive 18T06:00-18T11:00 lyon>vienne; rest 18T11:00-18T20:00 vienne");
const [, DRIVE] = DAY;
const BACKWARDS = did("drive 18T15:00-18T13:00 vienne");
const ended = (activity: object) => ({ ...activity, inProgress: false });
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

/** What the tools say of a day that is recorded well. */
const WELL: Required<Said> = {
  trips: ["stop - lyon", "trip 06:00-11:00 lyon", "stop 11:00-20:00 vienne"],
  where: /driving between lyon .* and vienne .*reached at 11:00/,
  driven: ["5:00"],
  broken: ["drivingWithoutBreak 0:30 certain"],
  notes: {},
};

const leftOut = (which: string) => new RegExp(`Odd activities, left out: ${which}\\.`);
const inSome = (which: string): Said => ({ notes: { trips: leftOut(which), where: leftOut(which) } });
const inAll = (which: string): Said => ({ notes: { ...inSome(which).notes, hours: leftOut(which), infringements: leftOut(which) } });
const TOO_MANY = /Ann Lee: more activities in a day than tachographs record/;
const NO_RECORDS = /No usable tachograph records of Truck 1/;

it.each<[what: string, activities: () => object[], said: Said]>([
  ["in order", () => DAY, {}],
  ["doubled", () => [...DAY, ...DAY], inSome("3 recorded twice")],
  [
    "overlapping",
    () => [...DAY, ...did("work 18T10:00-18T12:00 vienne")],
    {
      broken: ["drivingWithoutBreak 0:00–0:30 possible"],
      notes: { hours: /Contradictory entries, of which the stricter count: Ann Lee\./ },
    },
  ],
  ["that end before they begin", () => [...DAY, ...BACKWARDS], inAll("1 without readable times")],
  ["that did so, and are not in progress", () => [...DAY, ...BACKWARDS.map(ended)], inAll("1 without readable times")],
  ["without an end", () => [...DAY, { ...DRIVE, endTime: undefined }], inAll("1 without readable times")],
  ["without times", () => [...DAY, { ...DRIVE, startTime: "soon" }], inAll("1 without readable times")],
  ["of the future", () => [...DAY, ...did("drive 28T06:00-28T11:00 lyon>vienne")], inAll("1 in the future")],
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
      notes: { trips: NO_RECORDS },
    },
  ],
  [
    "more than a tachograph records",
    () => flood(2000),
    {
      ...{ trips: [], driven: [], broken: [] },
      where: /no usable tachograph records.*2000 of drivers with more in a day than tachographs record/,
      notes: { trips: NO_RECORDS, hours: TOO_MANY, infringements: TOO_MANY },
    },
  ],
])("activities %s get clear remarks, and nothing wrong is said", async (_, activities, said) => {
  const { record, text } = await servePast([entry("p1", ...activities())], { env: { FLEET_DISTANCE_UNIT: "km" }, sendsAll: true });
  const wanted = { ...WELL, ...said };
  const trips = await record("trips_and_stops", { vehicle: "truck 1", period: "2026-11-18", fields: "kind,start,end,from" });
  const clock = (time = "") => (time.startsWith("2026-11-18") ? time.slice(11, 16) : "");
  const rows = trips.items.map(({ kind, start, end, from = "" }: Record<string, string>) => {
    const span = clock(start) === "" ? "-" : `${clock(start)}-${clock(end)}`;
    return named(`${kind} ${span} ${from}`.trim());
  });
  const where = named(await text("where_was", { vehicle: "truck 1", time: "2026-11-18T06:30:00Z" }));
  const hours = await record("driver_hours", { fields: "drivenFortnight" });
  const asked = { period: "2026-11-18", where: "rule=drivingWithoutBreak", fields: "rule,over,certainty" };
  const infringements = await record("driver_infringements", asked);
  expect({
    trips: rows,
    driven: hours.items.map(({ drivenFortnight }: Record<string, string>) => drivenFortnight?.split("–")[0]),
    broken: infringements.items.map((row: Record<string, string>) => `${row["rule"]} ${row["over"]} ${row["certainty"]}`),
  }).toEqual({ trips: wanted.trips, driven: wanted.driven, broken: wanted.broken });
  expect(where).toMatch(wanted.where);
  const notes = { trips: trips.note, where, hours: hours.note, infringements: infringements.note };
  for (const [tool, note] of Object.entries(notes)) {
    const expected = wanted.notes[tool as keyof typeof notes];
    if (expected) expect(note, tool).toMatch(expected);
    else expect(note, tool).not.toMatch(/Odd activities(?!.*of no vehicle|.*tachographs record)|Contradictory/);
  }
});
