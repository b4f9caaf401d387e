import { describe, expect, it } from "vitest";
import { type Activity, drivingTime, NOT_CONSIDERED } from "../src/index.ts";
import { activitiesFrom, afterWeeklyRest, DAY, duration, HOUR, instant, MINUTE } from "./activities.ts";

/** Monday, 2 November 2026, 06:00 UTC. */
const MONDAY = "2026-11-02T06:00";
const START = instant(MONDAY);

const after = (text: string) => {
  const { activities, at } = afterWeeklyRest(MONDAY, text);
  return drivingTime(activities, at);
};

const range = (least: string, most: string) => ({ atLeast: duration(least), atMost: duration(most) });

describe("gaps are unknown time", () => {
  it.each([
    ["may have been driving", "driving 2h, gap 10m, driving 1h", range("3h", "3h10m")],
    ["may have been the first part of a break", "driving 2h, gap 20m, driving 1h, break 30m, driving 10m", range("10m", "3h30m")],
    [
      "may have been the first part of a break, if barely",
      "driving 2h, gap 15m, driving 1h, break 30m, driving 10m",
      range("10m", "3h25m"),
    ],
    ["are too short to have been both parts", "driving 2h, gap 30m, driving 1h", range("3h", "3h30m")],
    ["may have been a break", "driving 2h, gap 45m, driving 1h", range("1h", "3h45m")],
    ["may have made a break long enough", "driving 2h, break 40m, gap 5m, driving 1h", range("1h", "3h5m")],
    ["cannot undo a break that is certain", "driving 2h, break 45m, gap 5m, driving 1h", range("1h", "1h5m")],
    ["of less than a minute come from rounding", "driving 2h, driving 1h", range("3h", "3h")],
  ])("that %s", (_, text, expected) => {
    expect(after(text).sinceBreak.driven).toEqual(expected);
  });

  it("that leave open how long the next break must be", () => {
    expect(after("driving 2h, gap 20m, driving 1h").sinceBreak.breakNeeded).toEqual(range("30m", "45m"));
  });

  it("in a day of more than nine hours of driving, which counts once", () => {
    for (const text of ["driving 5h, gap 10m, driving 4h30m", "driving 9h30m, gap 10m, driving 9h"])
      expect(after(text).week.extendedDays).toEqual({ atLeast: 1, atMost: 1 });
  });

  it.each([
    ["too short for a daily rest", "driving 5h, gap 10m, driving 1h", range("3h50m", "4h")],
    [
      "that may have made a daily rest, but no day of more than nine hours",
      "driving 4h, rest 8h, gap 1h30m, driving 1h",
      range("3h30m", "9h"),
    ],
    ["that may hide a day of more than nine hours", "driving 4h, gap 10h, driving 1h", range("0m", "9h")],
  ])("of which one week has room for two days of ten hours: %s", (_, text, expected) => {
    expect(after(text).day.extendedLeft).toEqual(expected);
  });

  it("between certain rests, of which the last one of nine hours counts", () => {
    expect(after("driving 4h, rest 9h, gap 1h, rest 11h, driving 1h").rest.last).toEqual(range("11h", "21h"));
    expect(after("driving 4h, rest 11h, gap 1h, rest 9h, gap 1h, rest 8h, driving 1h").rest.last).toEqual(range("9h", "30h"));
  });

  it("after a weekly rest, which may hide a reduced rest each nine hours", () => {
    expect(after("driving 4h, rest 46h, gap 3h, driving 1h").dailyRest.reducedTaken).toEqual({ atLeast: 0, atMost: 0 });
    expect(after("driving 4h, rest 46h, gap 10h, driving 1h").dailyRest.reducedTaken).toEqual({ atLeast: 0, atMost: 1 });
  });

  it("that may hide a later daily rest, or another reduced one", () => {
    expect(after("driving 4h, rest 11h, driving 4h, gap 10h, driving 1h").rest.last).toEqual(range("9h", "11h"));
    expect(after("driving 4h, rest 11h, gap 9h, driving 1h").rest.last).toEqual(range("9h", "20h"));
    expect(after("driving 4h, rest 11h, gap 8h59m, driving 1h").rest.last).toEqual(range("11h", "19h59m"));
    expect(after("work 15h, rest 9h, work 10h, gap 10h, work 1h").dailyRest.reducedTaken).toEqual({ atLeast: 1, atMost: 2 });
  });

  it.each([
    ["before the fortnight is no doubt", "2026-10-26T00:00", 0],
    ["that reaches into the fortnight is one", "2026-10-26T00:01", 1],
  ])("whose end %s", (_, resumed, gaps) => {
    const activities: Activity[] = [
      { kind: "rest", start: instant("2026-10-10T00:00"), end: instant("2026-10-25T00:00") },
      { kind: "rest", start: instant(resumed), end: START },
    ];
    expect(drivingTime(activities, START).doubts.filter(({ kind }) => kind === "gap")).toHaveLength(gaps);
  });

  it("that may hide a daily rest, which leaves two possible beginnings of the shift", () => {
    const time = after("driving 4h, gap 10h, driving 1h");
    expect(time.day).toMatchObject({
      driven: range("1h", "15h"),
      left: range("0m", "8h"),
      shiftStart: { atLeast: START, atMost: START + 14 * HOUR },
    });
    expect(time.dailyRest.by).toEqual({ atLeast: START + 15 * HOUR, atMost: START + 29 * HOUR });
    expect(time.dailyRest.reducedTaken).toEqual({ atLeast: 0, atMost: 1 });
    expect(time.doubts).toContainEqual({ kind: "gap", start: START + 4 * HOUR, end: START + 14 * HOUR });
  });

  it("before the first activity and after the last", () => {
    const at = START + 3 * HOUR;
    const time = drivingTime([{ kind: "driving", start: START, end: START + HOUR }], at);
    expect(time.activity).toBe("unknown");
    expect(time.day.driven).toEqual({ atLeast: 0 + HOUR, atMost: Number.POSITIVE_INFINITY });
    expect(time.left.today).toMatchObject({ atLeast: 0 });
    expect(time.doubts.map(({ kind }) => kind)).toEqual(["gap", "gap", "noDailyRest", "noWeeklyRest"]);
  });

  it("or everything, if there is no activity at all", () => {
    const time = drivingTime([], START);
    expect(time.week).toMatchObject({ driven: range("0m", "6h"), left: range("50h", "56h") });
    expect(time.sinceBreak.left).toEqual(range("0m", "4h30m"));
    expect(time.rest.last).toBeUndefined();
  });
});

describe("activities as a service writes them", () => {
  const { activities } = activitiesFrom(START - 46 * HOUR, "rest 46h, driving 4h");
  const [rest, driving] = activities as [Activity, Activity];
  const at = START + 4 * HOUR;

  it.each<[string, Activity[], string]>([
    ["in any order", [driving, rest], "4h"],
    ["twice", [rest, driving, rest, driving], "4h"],
    [
      "with some that are empty or end before they begin",
      [rest, driving, { kind: "driving", start: at, end: at - HOUR }, { ...rest, end: rest.start }],
      "4h",
    ],
    ["in progress", [rest, { kind: "driving", start: START }], "4h"],
    ["in progress, although another began later", [rest, { kind: "driving", start: START }, { kind: "work", start: START + HOUR }], "1h"],
    ["into the future", [rest, { ...driving, end: at + DAY }, { kind: "driving", start: at + DAY, end: at + 2 * DAY }], "4h"],
    [
      "rounded to seconds",
      [
        { ...rest, end: START - 1000 },
        { ...driving, end: at - 1000 },
      ],
      "4h",
    ],
  ])("%s", (_, given, driven) => {
    const time = drivingTime(given, at);
    expect(Math.round(time.day.driven.atLeast / MINUTE) * MINUTE).toBe(duration(driven));
    expect(time.day.driven.atMost).toBe(time.day.driven.atLeast);
    expect(time.doubts.filter(({ kind }) => kind === "contradiction")).toEqual([]);
  });

  it("of less than a minute, which count as they are", () => {
    const end = START + MINUTE / 2;
    expect(drivingTime([rest, { kind: "driving", start: START, end }], end).day.driven.atLeast).toBe(MINUTE / 2);
  });

  it("rounded to seconds, of which each lasts until the next", () => {
    const given: Activity[] = (["driving", "work", "rest"] as const).map((kind, hour) => {
      const start = START + hour * HOUR;
      return { kind, start, end: start + HOUR - 1000 };
    });
    expect(drivingTime([rest, ...given], START + 3 * HOUR).day.driven).toEqual(range("1h", "1h"));
  });

  it.each([
    ["driving", "4h"],
    ["work", "0h"],
  ] as const)("that contradict each other: the stricter one counts, and the period is reported: rest and %s", (kind, driven) => {
    const time = drivingTime([rest, { ...driving, kind }, { kind: "rest", start: START + HOUR, end: START + 2 * HOUR }], at);
    expect(time.day.driven).toEqual(range(driven, driven));
    expect(time.activity).toBe(kind);
    expect(time.doubts).toContainEqual({ kind: "contradiction", start: START + HOUR, end: START + 2 * HOUR });
  });

  it("with unknown time, which contradicts nothing", () => {
    const time = drivingTime([rest, driving, { kind: "unknown", start: START + HOUR, end: START + 2 * HOUR }], at);
    expect(time.day.driven).toEqual(range("4h", "4h"));
    expect(time.doubts.map(({ kind }) => kind)).not.toContain("contradiction");
  });

  it("across midnight and the end of a week, in which a day counts where it passes nine hours", () => {
    const sunday = instant("2026-11-08T20:00");
    const { activities: given, end } = activitiesFrom(sunday - 46 * HOUR, "rest 46h, driving 9h30m");
    const time = drivingTime(given, end);
    expect(time.week).toMatchObject({ driven: range("5h30m", "5h30m"), extendedDays: { atLeast: 1, atMost: 1 } });
    expect(time.fortnight.driven.atLeast).toBe(duration("9h30m"));
  });
});

it("says what it does not consider, and calls nothing legal", () => {
  expect(NOT_CONSIDERED.join(" ")).toMatch(/not yet downloaded.*manual entries.*ferries.*two drivers.*Article 12/);
  expect(NOT_CONSIDERED.join(" ")).not.toMatch(/legal|complian|allowed/i);
});
