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
