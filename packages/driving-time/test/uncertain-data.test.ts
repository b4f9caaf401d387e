import { describe, expect, it } from "vitest";
import { type Activity, drivingTime, NOT_CONSIDERED, type Range } from "../src/index.ts";
import { activitiesFrom, afterWeeklyRest, DAY, duration, HOUR, instant, MINUTE, MONDAY, START, table } from "./activities.ts";

const after = (text: string) => {
  const { activities, at } = afterWeeklyRest(MONDAY, text);
  return drivingTime(activities, at);
};

const range = (least: string, most = least) => ({ atLeast: duration(least), atMost: duration(most) });
const count = (least: number, most = least) => ({ atLeast: least, atMost: most });

describe("a gap is unknown time", () => {
  const figures: Record<string, (time: ReturnType<typeof drivingTime>) => Range | undefined> = {
    driven: ({ sinceBreak }) => sinceBreak.driven,
    breakNeeded: ({ sinceBreak }) => sinceBreak.breakNeeded,
    extendedLeft: ({ day }) => day.extendedLeft,
    lastRest: ({ rest }) => rest.last,
  };

  it.each(
    table(`
    may have been driving | driving 2h, gap 10m, driving 1h | driven | 3h | 3h10m
    may have been a first part of a break | driving 2h, gap 20m, driving 1h, break 30m, driving 10m | driven | 10m | 3h30m
    may have been one, if barely | driving 2h, gap 15m, driving 1h, break 30m, driving 10m | driven | 10m | 3h25m
    is too short for both parts | driving 2h, gap 30m, driving 1h | driven | 3h | 3h30m
    may have been a break | driving 2h, gap 45m, driving 1h | driven | 1h | 3h45m
    may have made a break long enough | driving 2h, break 40m, gap 5m, driving 1h | driven | 1h | 3h5m
    cannot undo a break | driving 2h, break 45m, gap 5m, driving 1h | driven | 1h | 1h5m
    leaves open how long the next break must be | driving 2h, gap 20m, driving 1h | breakNeeded | 30m | 45m
    is too short for a daily rest | driving 5h, gap 10m, driving 1h | extendedLeft | 3h50m | 4h
    made a daily rest, but no day of nine hours | driving 4h, rest 8h, gap 1h30m, driving 1h | extendedLeft | 3h30m | 9h
    may hide a day of more than nine hours | driving 4h, gap 10h, driving 1h | extendedLeft | 0m | 9h
    between certain rests | driving 4h, rest 9h, gap 1h, rest 11h, driving 1h | lastRest | 11h | 21h
    between rests, one of nine hours | driving 4h, rest 11h, gap 1h, rest 9h, gap 1h, rest 8h, driving 1h | lastRest | 9h | 30h
    may hide a later daily rest | driving 4h, rest 11h, driving 4h, gap 10h, driving 1h | lastRest | 9h | 11h
    may hide one or continue it | driving 4h, rest 11h, gap 9h, driving 1h | lastRest | 9h | 20h
    is a minute too short to hide one | driving 4h, rest 11h, gap 8h59m, driving 1h | lastRest | 11h | 19h59m
  `),
  )("that %s: %s", (_, text = "", figure = "", least, most) => {
    expect(figures[figure]?.(after(text))).toEqual(range(least ?? "", most));
  });

  it.each([
    ["driving 4h, rest 46h, gap 3h, driving 1h", 0, 0],
    ["driving 4h, rest 46h, gap 10h, driving 1h", 0, 1],
    ["work 15h, rest 9h, work 10h, gap 10h, work 1h", 1, 2],
  ])("that may hide a reduced rest each nine hours: %s", (text, least, most) => {
    expect(after(text).dailyRest.reducedTaken).toEqual(count(least, most));
  });

  it.each(["driving 5h, gap 10m, driving 4h30m", "driving 9h30m, gap 10m, driving 9h"])("in one extended day: %s", (text) => {
    expect(after(text).week.extendedDays).toEqual(count(1));
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

  it("that may hide a daily rest leaves two possible beginnings of the shift", () => {
    const { day, dailyRest, doubts } = after("driving 4h, gap 10h, driving 1h");
    const shiftStart = count(START, START + 14 * HOUR);
    expect(day).toMatchObject({ driven: range("1h", "15h"), left: range("0m", "8h"), shiftStart });
    expect([dailyRest.by, dailyRest.reducedTaken]).toEqual([count(START + 15 * HOUR, START + 29 * HOUR), count(0, 1)]);
    expect(doubts).toContainEqual({ kind: "gap", start: START + 4 * HOUR, end: START + 14 * HOUR });
  });

  it("before the first activity and after the last", () => {
    const time = drivingTime([{ kind: "driving", start: START, end: START + HOUR }], START + 3 * HOUR);
    expect(time.activity).toBe("unknown");
    expect(time.day.driven).toEqual(count(HOUR, Number.POSITIVE_INFINITY));
    expect(time.left.today).toMatchObject({ atLeast: 0 });
    expect(time.doubts.map(({ kind }) => kind)).toEqual(["gap", "gap", "noDailyRest", "noWeeklyRest"]);
  });

  it("or everything, if there is no activity at all", () => {
    const time = drivingTime([], START);
    expect(time.week).toMatchObject({ driven: range("0m", "6h"), left: range("50h", "56h") });
    expect([time.sinceBreak.left, time.rest.last]).toEqual([range("0m", "4h30m"), undefined]);
  });
});

describe("activities as a service writes them", () => {
  const { activities, at } = afterWeeklyRest(MONDAY, "driving 4h");
  const [rest, driving] = activities as [Activity, Activity];
  const begun: Activity = { kind: "driving", start: START };
  const second = [driving, { kind: "rest", start: at, end: at + HOUR }] as Activity[];

  it.each<[string, Activity[], string, number?]>([
    ["with some that are empty or end before they begin", [rest, driving, { ...begun, end: at - DAY }, { ...rest, end: rest.start }], "4h"],
    ["in progress", [rest, begun], "4h"],
    ["in progress, although another began later", [rest, begun, { kind: "work", start: START + HOUR }], "1h"],
    ["into the future", [rest, { ...driving, end: at + DAY }, { kind: "driving", start: at + DAY, end: at + 2 * DAY }], "4h"],
    [
      "rounded to seconds, of which each lasts until the next",
      [rest, ...second].map((one) => ({ ...one, end: (one.end ?? 0) - 1000 })),
      "4h",
    ],
    ["of less than a minute, which count as they are", [rest, { ...begun, end: START + MINUTE / 2 }], "30s", START + MINUTE / 2],
  ])("%s", (_, given, driven, now = at) => {
    const { day, doubts } = drivingTime(given, now);
    expect({ ...day.driven, atLeast: Math.round(day.driven.atLeast / 2000) * 2000 }).toEqual({
      ...range(driven),
      atMost: day.driven.atLeast,
    });
    expect(doubts.filter(({ kind }) => kind === "contradiction")).toEqual([]);
  });

  it.each([
    ["driving", "4h"],
    ["work", "0h"],
  ] as const)("that contradict each other: the stricter one counts, and the period is reported: rest and %s", (kind, driven) => {
    const other: Activity = { kind: "rest", start: START + HOUR, end: START + 2 * HOUR };
    const time = drivingTime([rest, { ...driving, kind }, other], at);
    expect([time.day.driven, time.activity]).toEqual([range(driven), kind]);
    expect(time.doubts).toContainEqual({ ...other, kind: "contradiction" });
  });

  it("with unknown time, which contradicts nothing", () => {
    const time = drivingTime([rest, driving, { kind: "unknown", start: START + HOUR, end: START + 2 * HOUR }], at);
    expect(time.day.driven).toEqual(range("4h"));
    expect(time.doubts.map(({ kind }) => kind)).not.toContain("contradiction");
  });

  it("across midnight and the end of a week, in which a day counts where it passes nine hours", () => {
    const sunday = activitiesFrom(instant("2026-11-08T20:00") - 46 * HOUR, "rest 46h, driving 9h30m");
    const { week, fortnight } = drivingTime(sunday.activities, sunday.end);
    expect([week.driven, week.extendedDays, fortnight.driven.atLeast]).toEqual([range("5h30m"), count(1), duration("9h30m")]);
  });
});

it("says what it does not consider, and calls nothing legal", () => {
  expect(NOT_CONSIDERED.join(" ")).toMatch(/not yet downloaded.*manual entries.*ferries.*two drivers.*Article 12/);
  expect(NOT_CONSIDERED.join(" ")).not.toMatch(/legal|complian|allowed/i);
});
