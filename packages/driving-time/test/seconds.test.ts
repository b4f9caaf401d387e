import { describe, expect, it } from "vitest";
import { type Activity, type Infringement, infringements, type Rule } from "../src/index.ts";
import { afterWeeklyRest, DAY, MINUTE } from "./activities.ts";

const time = (milliseconds: number) =>
  `${Math.floor(milliseconds / (60 * MINUTE))}:${String((milliseconds / MINUTE) % 60).padStart(2, "0")}`;
const line = ({ rule, over, certainty, doubts }: Infringement) => [rule, time(over.atMost), certainty, ...doubts].join(" ");

function rowsAt(start: string, text: string, rules: readonly Rule[]): string[] {
  const { activities, at } = afterWeeklyRest(start, text);
  const alone = activities.map((one): Activity => ({ ...one, team: false, ferry: false }));
  return infringements(alone, { start: 0, end: at + 60 * DAY }, at)
    .filter(({ rule }) => rules.includes(rule))
    .map(line);
}

const rowsFrom = (start: string, text: string, rule: Rule) => rowsAt(`2026-11-02T${start}`, text, [rule]);
const repeated = (times: number, text: string) => Array.from({ length: times }, () => text).join(", ");
const NINE = "driving 4h30m, break 45m, driving 4h30m";

describe("less than a minute breaks no rule for certain", () => {
  it.each<[example: string, start: string, activities: string, rule: Rule, expected: string[]]>([
    ["4:30:20 of driving", "06:00:00", "driving 4h30m20s, rest 12h", "drivingWithoutBreak", []],
    ["4:30:40", "06:00:00", "driving 4h30m40s, rest 12h", "drivingWithoutBreak", ["drivingWithoutBreak 0:01 possible seconds"]],
    ["4:31", "06:00:00", "driving 4h31m, rest 12h", "drivingWithoutBreak", ["drivingWithoutBreak 0:01 certain"]],
    ["a break of 44:40", "06:00:00", "driving 4h29m30s, break 44m40s, driving 4h29m30s, rest 12h", "drivingWithoutBreak", []],
    [
      "a break of 44:40, which a tachograph records as 44 minutes",
      "06:00:20",
      "driving 4h29m30s, break 44m40s, driving 4h29m30s, rest 12h",
      "drivingWithoutBreak",
      ["drivingWithoutBreak 4:30 possible seconds"],
    ],
    [
      "a break of 44:00",
      "06:00:20",
      "driving 4h29m30s, break 44m, driving 4h29m30s, rest 12h",
      "drivingWithoutBreak",
      ["drivingWithoutBreak 4:29 certain"],
    ],
    [
      "14:40 and then 29:40",
      "06:00:00",
      "driving 2h10s, break 14m40s, driving 2h10s, break 29m40s, driving 4h, rest 12h",
      "drivingWithoutBreak",
      [],
    ],
    ["a rest of 8:59:40", "06:00:00", "work 6h, break 30m, work 8h30m20s, rest 8h59m40s, work 1h, rest 12h", "dailyRest", []],
    [
      "a rest of 8:59:20",
      "06:00:00",
      "work 6h, break 30m, work 8h30m40s, rest 8h59m20s, work 1h, rest 12h",
      "dailyRest",
      ["dailyRest 0:01 possible seconds"],
    ],
    [
      "a rest of 8:59",
      "06:00:00",
      "work 6h, break 30m, work 8h31m, rest 8h59m, work 1h, rest 12h",
      "dailyRest",
      ["dailyRest 0:01 certain"],
    ],
    ["four rests of 10:59:40", "06:00:00", repeated(4, "work 13h20s, rest 10h59m40s"), "dailyRest", []],
    ["a third day of 9:00:20", "06:00:00", repeated(3, `${NINE}, break 15m, driving 20s, rest 12h`), "dailyDriving", []],
    ["10:00:40", "06:00:00", `${NINE}, break 45m, driving 1h40s, rest 12h`, "dailyDriving", ["dailyDriving 0:01 possible seconds"]],
    [
      "two days of 9:00:40 and one of 9:30",
      "06:00:00",
      `${repeated(2, `${NINE}, break 15m, driving 40s, rest 14h14m20s`)}, ${NINE}, break 45m, driving 30m, rest 12h`,
      "dailyDriving",
      ["dailyDriving 0:30 possible seconds"],
    ],
    ["6:00:40 of work", "06:00:00", "work 6h40s, rest 12h", "workBreaks", ["workBreaks 0:30 possible seconds"]],
    ["9:00:20 of work with half an hour", "06:00:00", "work 5h, break 30m, work 4h20s, rest 12h", "workBreaks", []],
    ["10:00:20 of work at night", "20:00:00", "work 5h, break 45m, work 5h20s, rest 12h", "nightWork", []],
    [
      "144:00:40 from one weekly rest to the next",
      "06:00:00",
      `${repeated(5, "work 10h, rest 14h")}, work 24h40s, rest 45h, work 1h`,
      "weeklyRestDue",
      ["weeklyRestDue 0:01 possible seconds"],
    ],
  ])("%s, from %s", (_, start, activities, rule, expected) => {
    expect(rowsFrom(start, activities, rule)).toEqual(expected);
  });
});

describe("seconds of many activities", () => {
  const days = (drives: number, drive: string) => repeated(5, `${repeated(drives, `${drive}, work 10s`)}, rest 14h`);

  it.each<[example: string, activities: string, rule: Rule, expected: string[]]>([
    ["55:58:20 in 500 parts is not 56 hours", days(100, "driving 6m43s"), "weeklyDriving", []],
    ["57:05 in 500 parts, of which a tachograph makes 57:08", days(100, "driving 6m51s"), "weeklyDriving", ["weeklyDriving 1:08 certain"]],
  ])("%s", (_, activities, rule, expected) => {
    expect(rowsAt("2026-11-02T06:00:07", activities, [rule])).toEqual(expected);
  });
});
