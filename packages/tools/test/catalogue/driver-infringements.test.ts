import { describe, expect, it } from "vitest";
import { did, servePast, vehicle } from "./the-past.ts";

/** Weeks of regular days before the week of 9 November, so that only that week is in question. */
const WEEKEND = "rest 06T18:00-09T06:00";
const FIVE_HOURS = `${WEEKEND}; drive 09T06:00-09T11:00; rest 09T11:00-10T06:00`;
const KEPT = `${WEEKEND}; drive 09T06:00-09T10:00; rest 09T10:00-09T10:45; drive 09T10:45-09T12:45; rest 09T12:45-10T06:00`;
const GAP = `${WEEKEND}; drive 09T06:00-09T09:00; drive 09T09:50-09T12:00; rest 09T12:00-10T06:00`;
/** Seven hours at the wheel in one vehicle, then two in another. */
const SEVEN_HOURS = `${WEEKEND}; drive 09T06:00-09T13:00; rest 09T13:00-09T13:20; drive 09T13:20-09T16:00 v2; rest 09T16:00-10T06:00`;

/** Of each driver, what they did. */
const serve = (entries: readonly (string | readonly object[])[], names = entries.map((_, at) => `Driver ${at}`)) =>
  servePast(
    entries.map((one, at) => ({
      driverId: `p${at}`,
      driverKey: `DRIVERCARD0p${at}00`,
      activities: typeof one === "string" ? did(one) : [...one],
    })),
    { vehicles: names.map((driverName, at) => vehicle(`v${at}`, { driverId: `p${at}`, driverName })), sendsAll: true },
  );

const WEEK = { period: "2026-11-09/2026-11-10" };

describe("infringements", () => {
  it.each<[why: string, activities: string, found: string[]]>([
    ["five hours without a break", FIVE_HOURS, ["drivingWithoutBreak 0:30 certain"]],
    ["a break in time", KEPT, []],
    ["time without records, which may have been a break", GAP, ["drivingWithoutBreak 0:00–1:30 possible"]],
  ])("%s", async (_, activities, found) => {
    const { record } = await serve([activities]);
    const { items } = await record("driver_infringements", { ...WEEK, where: "rule=drivingWithoutBreak", fields: "rule,over,certainty" });
    expect(items.map(({ rule, over, certainty }: Record<string, string>) => `${rule} ${over} ${certainty}`)).toEqual(found);
  });

  it.each<[why: string, beside: string, isBroken: boolean, more?: object]>([
    [
      "another's card in the second slot: 9 hours of rest in 30 are enough",
      "work 09T06:00-09T06:30 slot2; wait 09T06:30-09T22:00 slot2",
      false,
    ],
    ["another's card for a part of the time", "wait 09T12:00-09T14:00 slot2", true],
    ["what another entered by hand", "rest 09T06:00-09T22:00 slot2", true, { flagManualEntry: true }],
  ])("of a long day with %s", async (_, beside, isBroken, more) => {
    const turns = "drive 09T06:30-09T10:30; wait 09T10:30-09T18:00; drive 09T18:00-09T22:00";
    const { record } = await serve([
      `${WEEKEND}; work 09T06:00-09T06:30; ${turns}; rest 09T22:00-10T07:30`,
      did(beside).map((one) => ({ ...one, ...more })),
    ]);
    const { items } = await record("driver_infringements", { period: "2026-11-09/2026-11-11", where: "rule=dailyRest", fields: "driver" });
    expect(items).toEqual(isBroken ? [{ driver: "Driver 0" }] : []);
  });

  it.each<[slots: string, slotOf: (slot: number) => unknown]>([
    ["in slots", (slot) => slot],
    ["in slots written as text", String],
    ["without a word of slots", () => undefined],
  ])("of a crew that takes turns of 3:30 %s: breaks of work beside the colleague are only possibly missing", async (_, slotOf) => {
    const crew = (words: string[]) =>
      did(
        `${WEEKEND}; ${words[0]} 09T06:00-09T09:30; ${words[1]} 09T09:30-09T13:00; ${words[0]} 09T13:00-09T16:30; ${words[1]} 09T16:30-09T20:00; rest 09T20:00-10T06:00`,
      ).map((one) => ({ ...one, ...(one.activity !== "REST" && { driverCardSlot: slotOf(one.activity === "DRIVING" ? 1 : 2) }) }));
    const { record } = await serve([crew(["drive", "wait"]), crew(["wait", "drive"])]);
    const { items } = await record("driver_infringements", { ...WEEK, fields: "driver,rule,certainty,doubts" });
    const doubted = { rule: "workBreaks", certainty: "possible", doubts: ["availability"] };
    expect(items).toEqual([
      { driver: "Driver 0", ...doubted },
      { driver: "Driver 1", ...doubted },
    ]);
  });

  it("are counted by driver, and have the article, the limit and the severity, and are said to be no proof", async () => {
    const { text } = await serve([FIVE_HOURS, KEPT, FIVE_HOURS]);
    const asked = { ...WEEK, where: "rule=drivingWithoutBreak" };
    expect(await text("driver_infringements", { ...asked, count: "driver" })).toMatch(/Driver 0 \| 1\nDriver 2 \| 1/);
    const said = await text("driver_infringements", { ...asked, driver: "Driver 0" });
    for (const part of ["Regulation (EC) 561/2006, Article 7", "4:30", "| SI |", "no proof"]) expect(said).toContain(part);
  });

  it("of words without a meaning are not judged", async () => {
    const { text } = await serve([`${FIVE_HOURS}; FAHREN 10T07:00-10T12:00`]);
    expect(await text("driver_infringements", WEEK)).toContain("Not judged: Driver 0: not in FLEET_ACTIVITY_WORDS: “FAHREN”");
  });
});

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
    for (const more of [{}, { where: "certainty=certain", fields: "driver,rule" }]) {
      const [whole, first] = [
        await record("driver_infringements", { ...WEEK, ...more }),
        await record("driver_infringements", { ...WEEK, ...more, limit: 2 }),
      ];
      const last = await record("driver_infringements", { ...WEEK, ...more, limit: 2, cursor: first.next });
      expect([whole.items.length, [...first.items, ...last.items], last.next]).toEqual([3, whole.items, undefined]);
    }
    expect(await (await serve([KEPT])).text("driver_infringements", WEEK)).toMatch(/^0 of 0 drivers with infringements\./);
  });

  it("is told apart by ids where two have one name", async () => {
    const { record } = await serve([FIVE_HOURS, FIVE_HOURS], ["Ann Lee", "Ann Lee"]);
    for (const args of [{}, { where: "certainty=certain" }]) {
      const { items } = await record("driver_infringements", { ...WEEK, ...args });
      expect(items.map(({ driver, driverId }: Record<string, string>) => `${driver} ${driverId}`)).toEqual(["Ann Lee p0", "Ann Lee p1"]);
    }
  });

  const [DRIVING, WORK] = ["Truck 1,Truck 2 drivingWithoutBreak", "Truck 1,Truck 2 workBreaks,workWithoutBreak"];
  it.each<[args: object, rows: string[]]>([
    [{ driver: "Driver 2" }, [DRIVING, WORK]],
    [{ where: "vehicle=Truck 2" }, [DRIVING, WORK]],
    [{ where: "rule=work breaks" }, [WORK]],
    [{ where: "article=Regulation (EC) 561/2006, Article 7" }, [DRIVING]],
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
  const HOUR = DAY / 24;
  /** Five days of work in each of the 21 weeks before the one of 9 November, each of ten hours, with all the breaks. */
  const weeks = () =>
    Array.from({ length: 21 * 7 }, (_, at) => MONDAY - (21 * 7 - at) * DAY).flatMap((day, at) => {
      if (at % 7 > 4) return [worked(day, day + DAY, "REST")];
      const [start, noon, end] = [day + 6 * HOUR, day + 11 * HOUR, day + 16.75 * HOUR];
      const breaks = [worked(day, start, "REST"), worked(noon, noon + 0.75 * HOUR, "REST"), worked(end, day + DAY, "REST")];
      return [...breaks, worked(start, noon), worked(noon + 0.75 * HOUR, end)];
    });

  it.each<[tool: string, args: Record<string, unknown>, since: string]>([
    ["driver_infringements", { period: "2026-11-11" }, "2026-10-05T00:00:00"],
    ["driver_infringements", { period: "2026-11-11", where: "rule=averageWork" }, "2026-06-22T00:00:00"],
    ["driver_hours", {}, "2026-11-02T00:00:00"],
  ])("by %s with %j", async (tool, args, since) => {
    const { record, service } = await serve([KEPT]);
    await record(tool, args);
    const [request] = service.of("queryTachoActivity");
    expect(JSON.stringify(request)).toContain(since);
  });

  it.each<[where: string | undefined, found: number]>([
    ["rule=average work|weeklyWork", 1],
    ["article=4(a), certainty=certain", 1],
    ["rule=weeklyWork", 0],
    [undefined, 0],
  ])("for the average of 48 hours, where %s", async (where, found) => {
    const { record } = await serve([weeks()]);
    const { total, note } = await record("driver_infringements", { period: "2026-11-09/2026-11-15", where });
    expect([total, note.includes("Not considered: the average of 48 hours (where rule=averageWork)")]).toEqual([found, found === 0]);
  });
});
