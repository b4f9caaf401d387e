import { fieldMetadata } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readConditions } from "../../src/query/read-conditions.ts";
import { filterRows } from "../../src/query/row-conditions.ts";

const clock = { now: Date.UTC(2026, 10, 20, 9), timeZone: "Europe/Berlin" };

const SHAPE: Readonly<Record<string, z.ZodType>> = {
  city: z.string().register(fieldMetadata, { holds: "place" }),
  country: z.string().register(fieldMetadata, { holds: "country" }),
  date: z.string().register(fieldMetadata, { holds: "instant" }),
  speed: z.number().register(fieldMetadata, { holds: { min: 0, max: 300 }, unit: "km/h" }),
};

const ROWS = [
  {
    id: 0,
    city: "Zaragoza",
    country: "Spain",
    speed: 0,
    moving: false,
    kind: "TRUCK",
    tags: ["leased", "north wing"],
    date: "2026-11-20T08:00:00Z",
    code: "P0401",
  },
  { id: 1, city: "Lyon", country: "FR", speed: 50, moving: true, kind: "VAN", tags: [], date: "2026-11-19T23:30:00Z", note: "" },
  { id: 2, city: "Göttingen", country: "Germany", speed: 80.5, kind: "EV", tags: ["northern"], date: "2026-11-19T22:30:00Z", level: "7" },
  { id: 3, city: "Lyonnais", country: null, kind: "RED_STOP", ignition: "ON", level: "12", note: "2026-11-20" },
];

async function filtered(where: string, rows: readonly Record<string, unknown>[] = ROWS) {
  const conditions = readConditions(where).map((condition) => ({ ...condition, schema: SHAPE[condition.field] }));
  const { rows: matching, notes } = await filterRows(rows, conditions, clock);
  return { ids: matching.map(({ id }) => id).join(" "), notes };
}

it.each([
  // Texts: equal ones only or, if there are none, those that contain the words, or the text.
  ["city=lyon", "1"],
  ["city=Saragossa", "0"],
  ["city=gottingen", "2"],
  ["country=Espagne", "0"],
  ["country=France", "1"],
  ["country=ES|Deutschland", "0 2"],
  ["country=ES, Deutschland", "0 2"],
  ["country!=ES, Deutschland", "1"],
  ["country=ES, Nowhere", ""],
  ["city=Lyon, Lyonnais|Saragossa", "0 1 3"],
  ["tags=leased, northern", ""],
  ["kind=red stop", "3"],
  ["kind=stop", "3"],
  ["kind=LKW", "0"],
  ["kind=electric", "2"],
  ["ignition=true", "3"],
  ["ignition=off", ""],
  ["ignition=true and city=lyonnais", "3"],
  ["tags=north", "0"],
  ["tags=nort", "0 2"],
  ["tags=nor", "0 2"],
  ["code=401", "0"],
  ["code=p04", "0"],
  ["tags=ase", ""],
  ["tags=ease", "0"],
  ["tags=leased", "0"],
  ["kind!=truck", "1 2 3"],
  ["kind!=truck|van", "2 3"],
  // Numbers, flags and missing values.
  ["speed=50", "1"],
  ["speed=80,5", "2"],
  ["speed=5", ""],
  ["moving=yes", "1"],
  ["moving=YES", "1"],
  ["moving=1", "1"],
  ["moving=0", "0"],
  ["moving=maybe", ""],
  ["moving=none", "2 3"],
  ["country=null", "3"],
  ["note=-", "0 1 2"],
  ["tags=", "1 3"],
  ["country!=none", "0 1 2"],
  // A value that is withheld may be the unwanted one.
  ["moving!=true", "0"],
  ["moving!=none", "0 1"],
  // Times, in the time zone of the user.
  ["date=today", "0 1"],
  ["date=yesterday", "2"],
  ["date=2026-11-19", "2"],
  ["date=2026-11-19T22:30:00Z", "2"],
  ["date=2026-11-19T22:30:01Z", ""],
  ["date=2026", ""],
  ["date!=today", "2"],
  ["date<2 hours ago", "1 2"],
  ["date<=1h ago", "0 1 2"],
  ["date>90 min ago", "0"],
  ["date>1 day ago", "0 1 2"],
  ["date<1 week ago", ""],
  ["date>=2026-11-19T23:30", "0 1"],
  ["note=today", "3"],
  ["date>2026-11-19", "0 1"],
  ["date>=2026-11-20", "0 1"],
  ["date<today", "2"],
  ["date<=today", "0 1 2"],
  ["date<=yesterday", "2"],
  // Comparisons.
  ["speed>50", "2"],
  ["speed>=50", "1 2"],
  ["speed<50", "0"],
  ["speed<=50", "0 1"],
  ["speed>= -1", "0 1 2"],
  ["speed>80.4 km/h", "2"],
  ["level>7", "3"],
  ["speed>0, country=Germany", "2"],
  ["speed>10 and <60", "1"],
  ["speed<60, not moving", "0"],
])("where %j: rows %j", async (where, ids) => expect((await filtered(where)).ids).toBe(ids));

it.each([
  ["5 min ago", 300_000],
  ["2h ago", 7_200_000],
  ["3 days ago", 259_200_000],
  ["1 week ago", 604_800_000],
])("%s is a moment", async (ago, length) => {
  const rows = [-1, 0, 1].map((later, id) => ({ id, date: new Date(clock.now - length + later).toISOString() }));
  const found = await Promise.all(["<", "=", ">"].map((operator) => filtered(`date${operator}${ago}`, rows)));
  expect(found.map(({ ids }) => ids)).toEqual(["0", "1", "2"]);
});

it("without conditions, all rows match", () => expect(filterRows(ROWS, [], clock)).resolves.toEqual({ rows: ROWS, notes: [] }));

describe("a note", () => {
  it.each([
    ["kind=truck", ["Where kind=truck."]],
    ["kind=stop", ["Where kind=stop.", "kind=stop matched: “RED_STOP”"]],
    ["kind=trukc", ["Where kind=trukc.", "No kind matches “trukc”. Similar: “TRUCK”"]],
    ["kind=bus", ["Where kind=bus.", "No kind matches “bus”. Values: “EV, RED_STOP, TRUCK, VAN”"]],
    ["kind=bus|none", ["Where kind=bus|none."]],
    [
      "kind=true|bus",
      [
        "Where kind=true|bus.",
        "No kind matches “true”. Values: “EV, RED_STOP, TRUCK, VAN”",
        "No kind matches “bus”. Values: “EV, RED_STOP, TRUCK, VAN”",
      ],
    ],
    ["date=never", ["Where date=never."]],
    ["note=today", ["Where note=today."]],
    ["kind=van, truck", ["Where kind=van|truck."]],
    ["unheard=1", ["Where unheard=1."]],
    ["speed>60", ["Where speed>60.", "Left out without speed: 1."]],
    ["speed>60 and kind=ev", ["Where speed>60 and kind=ev."]],
    ["speed>100", ["Of 4, 3 have speed, from 0 to 80.5.", "Where speed>100.", "Left out without speed: 1."]],
    ["speed>60 and kind=van", ["Of 1 with kind=van, 1 have speed, from 50 to 50.", "Where speed>60 and kind=van."]],
    ["speed!=50", ["Where speed!=50.", "Left out without speed: 1."]],
    ["moving!=none", ["Where moving!=none."]],
    ["date>today", ["Of 4, 3 have date, from 2026-11-19 23:30 to 2026-11-20 09:00.", "Where date>today.", "Left out without date: 1."]],
    [
      "level>9 and speed>90",
      [
        "Of 0 with speed>90, 0 have level.",
        "Of 1 with level>9, 0 have speed.",
        "Where level>9 and speed>90.",
        "Left out without speed: 1.",
      ],
    ],
    ["speed>=50 and <=60", ["Where speed>=50 and speed<=60.", "Left out without speed: 1."]],
    ["speed>40 and date<tomorrow", ["Where speed>40 and date<tomorrow.", "Left out without speed and date: 1."]],
    ["speed=50", ["Where speed=50.", "Left out without speed: 1."]],
    ["speed=50|none", ["Where speed=50|none."]],
    ["speed=none|50.000 mph", ["Where speed=none|50.000 mph."]],
    ["speed!=0|50|80.5", ["Where speed!=0|50|80.5.", "Left out without speed: 1."]],
    ["moving=true", ["Where moving=true.", "Left out without moving: 2."]],
    ["level>7", ["Where level>7.", "Left out without level: 2."]],
    [
      "speed>48,856",
      ["Of 4, 3 have speed, from 0 to 80.5.", "Where speed>48,856.", "Left out without speed: 1.", "48,856 is read as 48856."],
    ],
    ["speed=50.000", ["Where speed=50.000.", "Left out without speed: 1.", "50.000 is read as 50."]],
    ["speed>50.5", ["Where speed>50.5.", "Left out without speed: 1."]],
    ["speed>1,000,000", ["Of 4, 3 have speed, from 0 to 80.5.", "Where speed>1,000,000.", "Left out without speed: 1."]],
    ["date>2026-11-19T23:00", ["Where date>2026-11-19T23:00.", "Left out without date: 1.", "2026-11-19T23:00 is read as UTC."]],
    ["level>7 and kind=van", ["Of 1 with kind=van, 0 have level.", "Where level>7 and kind=van.", "Left out without level: 1."]],
  ])("on %j: %j", async (where, notes) => expect((await filtered(where)).notes).toEqual(notes));

  it.each([
    ["date>today", [{ date: "03/04/2026" }], "Left out without a readable date: 1."],
    ["speed>5", [{ speed: "fast" }, { speed: "" }], "Left out without a readable speed: 1."],
  ])("on %j of %j includes %j", async (where, rows, note) => {
    expect((await filtered(where, rows)).notes).toContain(note);
  });

  it("says that a flag finds nothing where all are of the other kind", async () => {
    const { ids, notes } = await filtered("ignition=true", [{ id: 0, ignition: "OFF" }]);
    expect({ ids, notes }).toEqual({ ids: "", notes: ["Where ignition=true.", "No ignition matches “true”. Values: “OFF”"] });
  });

  it("names at most eight values", async () => {
    const rows = [..."jihgfedcba"].map((kind) => ({ kind: `${kind}${kind}` }));
    expect((await filtered("kind=xyz", rows)).notes[1]).toBe("No kind matches “xyz”. Values: “aa, bb, cc, dd, ee, ff, gg, hh”");
  });

  it("explains at most eight values", async () => {
    const { notes } = await filtered(`kind=${[..."abcdefghij"].map((letter) => letter.repeat(5)).join("|")}|stop`);
    expect(notes).toHaveLength(10);
    expect(notes.at(-1)).toBe("2 more of these values match no kind.");
  });

  it("is cut after 200 characters", async () => {
    expect((await filtered(`kind=truck|${"x".repeat(300)}`)).notes[0]).toBe(`Where kind=truck|${"x".repeat(188)}….`);
  });

  it("is left out of no rows", async () => expect((await filtered("speed>1", [])).notes).toEqual(["Where speed>1."]));
});

it.each<[string, unknown[], string]>([
  ["kind=true", [true, "unknown", false], "0"],
  ["kind=yes", ["unknown", false], ""],
  ["kind=true", [null, undefined], ""],
])("%j is a flag among %j: rows %j", async (where, kinds, ids) =>
  expect(
    (
      await filtered(
        where,
        kinds.map((kind, id) => ({ id, kind })),
      )
    ).ids,
  ).toBe(ids),
);

it("a field with a single text is not a flag", () =>
  expect(filtered("kind=true", [{ kind: "bus" }])).rejects.toThrow("neither true nor false"));

it("values are listed in order, from the first thousand", async () => {
  const rows = Array.from({ length: 1001 }, (_, at) => ({
    kind: at === 1000 ? "aa" : `bus${String.fromCharCode(97 + (at % 26))}x${"y".repeat(at)}`,
  }));
  expect((await filtered("kind=qq", rows)).notes[1]).not.toContain("aa");
});

const A_TIME = "a date, a date-time in UTC or with an offset, or a time such as 2 hours ago";

it.each([
  ["speed>fast", "is neither a number nor a time", "a number in km/h"],
  ["speed>50 mph", "is neither a number nor a time", "a number in km/h"],
  ["speed>5|6", "is neither a number nor a time", "a number in km/h"],
  ["speed>", "is neither a number nor a time", "a number in km/h"],
  ["level>high", "is neither a number nor a time", `a number, ${A_TIME}`],
  ["kind>5", "is neither a number nor a time", "= or !=, such as kind!=none"],
  ["tags>0, moving", "is neither a number nor a time", "= or !=, such as tags!=none"],
  ["date<24h", "is not a time", A_TIME],
  ["date<5", "is not a time", A_TIME],
  ["speed=50 mph", "is not a number", "a number in km/h"],
  ["speed!=fast", "is not a number", "a number in km/h"],
  ["city=true", "is neither true nor false", "one of its values: “Göttingen, Lyon, Lyonnais, Zaragoza”, or none"],
  ["tags!=false", "is neither true nor false", "one of its values: “leased, north wing, northern”, or none"],
])("%j is rejected, since it %s", async (where, problem, comparable) => {
  await expect(filtered(where)).rejects.toThrow(
    expect.objectContaining({ code: "input", message: `where: ${where.split(",")[0]}: ${problem}`, advice: `Compare with ${comparable}` }),
  );
});
