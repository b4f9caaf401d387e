import { describe, expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const activity = (activity: string, start: string, end: string | undefined, more: object = {}) => ({
  ...{ assetId: "v1", assetRegistration: "AB 1", activity, startTime: `2026-11-${start}:00Z`, ...more },
  ...(end === undefined ? { inProgress: true } : { endTime: `2026-11-${end}:00Z` }),
});

/** Weeks of regular days before the week of 9 November, so that only that week is in question. */
const WEEKEND = activity("REST", "06T18:00", "09T06:00");
const FIVE_HOURS = [WEEKEND, activity("DRIVING", "09T06:00", "09T11:00"), activity("REST", "09T11:00", "10T06:00")];
const KEPT = [
  ...[WEEKEND, activity("DRIVING", "09T06:00", "09T10:00"), activity("REST", "09T10:00", "09T10:45")],
  ...[activity("DRIVING", "09T10:45", "09T12:45"), activity("REST", "09T12:45", "10T06:00")],
];
const GAP = [
  WEEKEND,
  activity("DRIVING", "09T06:00", "09T09:00"),
  activity("DRIVING", "09T09:50", "09T12:00"),
  activity("REST", "09T12:00", "10T06:00"),
];

const TAKING_TURNS = [
  activity("DRIVING", "09T06:30", "09T10:30"),
  ...[activity("AVAILABILITY", "09T10:30", "09T18:00"), activity("DRIVING", "09T18:00", "09T22:00")],
];
const beside = (word: string, start: string, end: string, more: object = {}) => activity(word, start, end, { driverCardSlot: 2, ...more });

const serve = (entries: readonly (readonly object[])[], env: Record<string, string> = {}) =>
  servedFleet({
    script: {
      listLivePositions: () => ({
        body: entries.map((_, at) => ({
          assetId: `v${at}`,
          assetName: `Truck ${at}`,
          driverId: `p${at}`,
          driverName: `Driver ${at}`,
          date: "2026-11-20T08:30:00Z",
        })),
      }),
      queryTachoActivity: () => ({
        body: {
          count: entries.length,
          data: entries.map((activities, at) => ({ driverId: `p${at}`, driverKey: `DRIVERCARD0p${at}00`, activities })),
        },
      }),
    },
    env,
  });

const WEEK = { period: "2026-11-09/2026-11-10" };

describe("infringements", () => {
  it.each<[why: string, activities: object[], found: [rule: string, over: string, certainty: string][]]>([
    ["five hours without a break", FIVE_HOURS, [["drivingWithoutBreak", "0:30", "certain"]]],
    ["a break in time", KEPT, []],
    ["time without records, which may have been a break", GAP, [["drivingWithoutBreak", "0:00–1:30", "possible"]]],
  ])("%s", async (_, activities, found) => {
    const { record } = await serve([activities]);
    const { items } = await record("driver_infringements", { ...WEEK, where: "rule=drivingWithoutBreak", fields: "rule,over,certainty" });
    expect(items.map(({ rule, over, certainty }: Record<string, string>) => [rule, over, certainty])).toEqual(found);
  });

  it.each<[why: string, besides: object[], found: unknown[]]>([
    ["nobody beside the driver", [], [["Driver 0", "dailyRest"]]],
    [
      "another driver's card in the second slot: 9 hours of rest in 30 are enough",
      [beside("WORK", "09T06:00", "09T06:30"), beside("AVAILABILITY", "09T06:30", "09T22:00")],
      [],
    ],
    ["another driver's card for a part of the time", [beside("AVAILABILITY", "09T12:00", "09T14:00")], [["Driver 0", "dailyRest"]]],
    [
      "what another driver entered by hand",
      [beside("REST", "09T06:00", "09T22:00", { flagManualEntry: true })],
      [["Driver 0", "dailyRest"]],
    ],
  ])("of a long day with %s", async (_, besides, found) => {
    const alone = [WEEKEND, activity("WORK", "09T06:00", "09T06:30"), ...TAKING_TURNS, activity("REST", "09T22:00", "10T07:30")];
    const { record } = await serve([alone, besides]);
    const { items } = await record("driver_infringements", {
      period: "2026-11-09/2026-11-11",
      where: "rule=dailyRest",
      fields: "driver,rule",
    });
    expect(items.map(({ driver, rule }: Record<string, string>) => [driver, rule])).toEqual(found);
  });

  it.each<[slots: string, first: unknown[], second: unknown[]]>([
    ["in slots", [1, 2, 1, 2], [2, 1, 2, 1]],
    ["in slots written as text", ["1", "2", "1", "2"], ["2", "1", "2", "1"]],
    ["without a word of slots", [], []],
  ])("of a crew that takes turns of 3:30 %s: breaks of work beside the colleague are only possibly missing", async (_, ...slots) => {
    const crew = (words: readonly string[], slots: readonly unknown[]) => [
      WEEKEND,
      ...["06:00", "09:30", "13:00", "16:30"].map((start, at) => {
        const end = ["09:30", "13:00", "16:30", "20:00"][at];
        return activity(words[at] as string, `09T${start}`, `09T${end}`, { driverCardSlot: slots[at] });
      }),
      activity("REST", "09T20:00", "10T06:00"),
    ];
    const [first, second] = [
      crew(["DRIVING", "AVAILABILITY", "DRIVING", "AVAILABILITY"], slots[0]),
      crew(["AVAILABILITY", "DRIVING", "AVAILABILITY", "DRIVING"], slots[1]),
    ];
    const { items } = await (await serve([first, second])).record("driver_infringements", {
      ...WEEK,
      fields: "driver,rule,certainty,doubts",
    });
    expect(items).toEqual(
      ["Driver 0", "Driver 1"].map((driver) => ({ driver, rule: "workBreaks", certainty: "possible", doubts: ["availability"] })),
    );
  });

  it("are counted by driver", async () => {
    const { text } = await serve([FIVE_HOURS, KEPT, FIVE_HOURS]);
    const said = await text("driver_infringements", { ...WEEK, where: "rule=drivingWithoutBreak", count: "driver" });
    expect(said).toMatch(/Driver 0 \| 1\nDriver 2 \| 1/);
  });

  it("have the article, the limit and the severity, and are said to be no proof", async () => {
    const { text } = await serve([FIVE_HOURS]);
    const said = await text("driver_infringements", { ...WEEK, driver: "Driver 0", where: "rule=drivingWithoutBreak" });
    for (const part of ["Regulation (EC) 561/2006, Article 7", "4:30", "| SI |", "no proof"]) expect(said).toContain(part);
  });

  it("of words without a meaning are not judged", async () => {
    const { text } = await serve([[...FIVE_HOURS, activity("FAHREN", "10T07:00", "10T12:00")]]);
    expect(await text("driver_infringements", WEEK)).toContain("Not judged: Driver 0: not in FLEET_ACTIVITY_WORDS: “FAHREN”");
  });

  it("of the future are refused", async () => {
    expect(await (await serve([KEPT])).failure("driver_infringements", { period: "next week" })).toContain("is in the future");
  });
});

/** Seven hours at the wheel in one vehicle, then two in another. */
const SEVEN_HOURS = [
  WEEKEND,
  activity("DRIVING", "09T06:00", "09T13:00"),
  activity("REST", "09T13:00", "09T13:20"),
  activity("DRIVING", "09T13:20", "09T16:00", { assetId: "v2" }),
  activity("REST", "09T16:00", "10T06:00"),
];

describe("who broke rules", () => {
  it("is listed by driver, with how many, the gravest and the vehicles that were driven", async () => {
    const { record } = await serve([FIVE_HOURS, KEPT, SEVEN_HOURS, GAP]);
    const { items, note, total } = await record("driver_infringements", WEEK);
    expect(total).toBe(3);
    expect(items).toEqual([
      { driver: "Driver 2", vehicle: ["Truck 1", "Truck 2"], certain: 2, possible: 0, gravest: "VSI drivingWithoutBreak 5:10" },
      { driver: "Driver 0", vehicle: "Truck 1", certain: 1, possible: 0, gravest: "SI drivingWithoutBreak 0:30" },
      { driver: "Driver 3", vehicle: "Truck 1", certain: 0, possible: 1, gravest: "VSI drivingWithoutBreak 0:00–1:30" },
    ]);
    expect(note).toContain("4 infringements, listed if driver or where is given.");
  });

  it("is listed page by page", async () => {
    const { record } = await serve([FIVE_HOURS, SEVEN_HOURS, GAP]);
    const first = await record("driver_infringements", { ...WEEK, limit: 2 });
    const rest = await record("driver_infringements", { ...WEEK, limit: 2, cursor: first.next });
    const names = [...first.items, ...rest.items].map(({ driver }: Record<string, string>) => driver);
    expect([names, first.total, rest.next]).toEqual([["Driver 1", "Driver 0", "Driver 2"], 3, undefined]);
  });

  it("is told apart by ids where two have one name", async () => {
    const { record } = await servedFleet({
      script: {
        listLivePositions: () => ({ body: [0, 1].map((at) => ({ assetId: `v${at}`, driverId: `p${at}`, driverName: "Ann Lee" })) }),
        queryTachoActivity: () => ({ body: { count: 2, data: [0, 1].map((at) => ({ driverId: `p${at}`, activities: FIVE_HOURS })) } }),
      },
    });
    for (const args of [{}, { where: "certainty=certain" }]) {
      const { items } = await record("driver_infringements", { ...WEEK, ...args });
      expect(items.map(({ driver, driverId }: Record<string, string>) => `${driver} ${driverId}`)).toEqual(["Ann Lee p0", "Ann Lee p1"]);
    }
  });

  it("is nobody", async () => {
    expect(await (await serve([KEPT])).text("driver_infringements", WEEK)).toMatch(/^0 of 0 drivers with infringements\./);
  });

  it.each<[args: object, rows: string[]]>([
    [{ driver: "Driver 2" }, ["Truck 1,Truck 2 drivingWithoutBreak", "Truck 1,Truck 2 workBreaks,workWithoutBreak"]],
    [{ where: "rule=workWithoutBreak" }, ["Truck 1,Truck 2 workBreaks,workWithoutBreak"]],
    [{ where: "rule=workBreaks" }, ["Truck 1,Truck 2 workBreaks,workWithoutBreak"]],
    [{ where: "article=Directive 2002/15/EC, Article 5(1)" }, ["Truck 1,Truck 2 workBreaks,workWithoutBreak"]],
    [{ where: "rule=drivingWithoutBreak" }, ["Truck 1,Truck 2 drivingWithoutBreak"]],
    [{ where: "article=Regulation (EC) 561/2006, Article 7" }, ["Truck 1,Truck 2 drivingWithoutBreak"]],
    [{ where: "rule=driving without break" }, ["Truck 1,Truck 2 drivingWithoutBreak"]],
    [{ where: "rule=work breaks" }, ["Truck 1,Truck 2 workBreaks,workWithoutBreak"]],
    [{ where: "vehicle=Truck 2" }, ["Truck 1,Truck 2 drivingWithoutBreak", "Truck 1,Truck 2 workBreaks,workWithoutBreak"]],
    [{ where: "rule=dailyRest" }, []],
  ])("and the infringements are listed for %j", async (args, rows) => {
    const { items } = await (await serve([KEPT, KEPT, SEVEN_HOURS])).record("driver_infringements", {
      ...WEEK,
      fields: "vehicle,rule",
      ...args,
    });
    expect(items.map(({ vehicle, rule }: Record<string, unknown>) => `${vehicle} ${rule}`)).toEqual(rows);
  });
});

describe("what a period depends on is read", () => {
  const MONDAY = Date.parse("2026-11-09T00:00:00Z");
  const DAY = 24 * 3_600_000;
  const iso = (instant: number) => new Date(instant).toISOString();
  const worked = (start: number, end: number, word = "WORK") => ({ activity: word, startTime: iso(start), endTime: iso(end) });
  /** Five days of work in each of the 21 weeks before the one of 9 November, each of so many hours, with all the breaks. */
  const weeks = (hours: number) =>
    Array.from({ length: 21 * 7 }, (_, at) => MONDAY - (21 * 7 - at) * DAY).flatMap((day, at) => {
      if (at % 7 > 4) return [worked(day, day + DAY, "REST")];
      const [start, middle] = [day + 6 * 3_600_000, day + 11 * 3_600_000];
      const end = middle + (hours - 5) * 3_600_000 + 45 * 60_000;
      return [
        worked(day, start, "REST"),
        worked(start, middle),
        worked(middle, middle + 45 * 60_000, "REST"),
        worked(middle + 45 * 60_000, end),
        worked(end, day + DAY, "REST"),
      ];
    });

  it.each<[tool: string, args: Record<string, unknown>, since: string]>([
    ["driver_infringements", { period: "2026-11-11" }, "2026-10-05T00:00:00"],
    ["driver_infringements", { period: "2026-11-11", where: "severity=MSI" }, "2026-10-05T00:00:00"],
    ["driver_infringements", { period: "2026-11-11", where: "rule=averageWork" }, "2026-06-22T00:00:00"],
    ["driver_hours", {}, "2026-11-02T00:00:00"],
  ])("by %s with %j", async (tool, args, since) => {
    const { record, service } = await serve([KEPT]);
    await record(tool, args);
    const [request] = service.of("queryTachoActivity");
    expect(JSON.stringify(request)).toContain(since);
  });

  it.each<[where: string | undefined, found: number]>([
    ["rule=averageWork", 1],
    ["rule=average", 1],
    ["rule=average work", 1],
    ["rule=averageWork|weeklyWork", 1],
    ["article=Directive 2002/15/EC, Article 4(a)", 1],
    ["article=4(a), certainty=certain", 1],
    ["rule=weeklyWork", 0],
    ["certainty=certain", 0],
    [undefined, 0],
  ])("for the average of 48 hours, where %s", async (where, found) => {
    const { record } = await serve([weeks(10)]);
    const { total, note } = await record("driver_infringements", { period: "2026-11-09/2026-11-15", where });
    expect([total, note.includes("Not considered: the average of 48 hours (where rule=averageWork)")]).toEqual([found, found === 0]);
  });
});
