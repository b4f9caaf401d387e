import { expect, it } from "vitest";
import { type Infringement, infringements } from "../src/index.ts";
import { afterWeeklyRest, DAY, hours, table } from "./activities.ts";

const line = ({ over, certainty, doubts }: Infringement) => [hours(over.atMost), certainty, ...doubts].join(" ");
const NINE = "driving 4h30m, break 45m, driving 4h30m";

it.each(
  table(`
  drivingWithoutBreak | driving 4h30m20s, rest 12h | nothing
  drivingWithoutBreak | driving 4h30m40s, rest 12h | 0h01 possible seconds
  drivingWithoutBreak | driving 4h31m, rest 12h | 0h01 certain
  drivingWithoutBreak | driving 4h29m30s, break 44m40s, driving 4h29m30s, rest 12h | nothing
  drivingWithoutBreak | driving 4h29m30s, break 44m40s, driving 4h29m30s, rest 12h | 4h30 possible seconds | 06:00:20
  drivingWithoutBreak | driving 4h29m30s, break 44m, driving 4h29m30s, rest 12h | 4h29 certain | 06:00:20
  drivingWithoutBreak | driving 2h10s, break 14m40s, driving 2h10s, break 29m40s, driving 4h, rest 12h | nothing
  dailyRest | work 6h, break 30m, work 8h30m20s, rest 8h59m40s, work 1h, rest 12h | nothing
  dailyRest | work 6h, break 30m, work 8h30m40s, rest 8h59m20s, work 1h, rest 12h | 0h01 possible seconds
  dailyRest | work 6h, break 30m, work 8h31m, rest 8h59m, work 1h, rest 12h | 0h01 certain
  dailyRest | 4x(work 13h20s, rest 10h59m40s) | nothing
  dailyDriving | 3x(${NINE}, break 15m, driving 20s, rest 12h) | nothing
  dailyDriving | ${NINE}, break 45m, driving 1h40s, rest 12h | 0h01 possible seconds
  dailyDriving | 2x(${NINE}, break 15m, driving 40s, rest 14h14m20s), ${NINE}, break 45m, driving 30m, rest 12h | 0h30 possible seconds
  workBreaks | work 6h40s, rest 12h | 0h30 possible seconds
  workBreaks | work 5h, break 30m, work 4h20s, rest 12h | nothing
  nightWork | work 5h, break 45m, work 5h20s, rest 12h | nothing | 20:00:00
  weeklyRestDue | 5x(work 10h, rest 14h), work 24h40s, rest 45h, work 1h | 0h01 possible seconds
  weeklyDriving | 5x(100x(driving 6m43s, work 10s), rest 14h) | nothing | 06:00:07
  weeklyDriving | 5x(100x(driving 6m51s, work 10s), rest 14h) | 1h08 certain | 06:00:07
`),
)("less than a minute breaks no rule for certain: %s of %s", (rule, text = "", expected, start = "06:00:00") => {
  const { activities, at } = afterWeeklyRest(`2026-11-02T${start}`, text, { team: false, ferry: false });
  const rows = infringements(activities, { start: 0, end: at + 60 * DAY }, at).filter((row) => row.rule === rule);
  expect(rows.map(line).join() || "nothing").toBe(expected);
});
