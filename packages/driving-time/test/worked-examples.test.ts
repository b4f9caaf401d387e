import { expect, it } from "vitest";
import { drivingTime, type Range } from "../src/index.ts";
import { afterWeeklyRest, duration, hours, MONDAY, table } from "./activities.ts";

// Where a source states a rule without an example, the numbers are ours. The sources:
// Articles of regulation (EC) 561/2006; App. 14: how tachographs compute (EU 2016/799, Annex IC, Appendix 14, addendum); Charlton: CJEU C-116/92;
// GV 262: the guide of the British authorities (compliancehub.co.uk/drivers-hours-rules); madebus.it/en/regulations; csuk.coach; nightliner-rental.be;
// truck-driver.co.uk; trucknet: trucknetuk.com, viewtopic.php?t=123738, /t/hours-breaks-and-rest/82974 and /t/domestic-and-eu-rules-mixed/122361.

const NINE = "driving 4h30m, break 45m, driving 4h30m";
const TEN = `${NINE}, break 45m, driving 1h`;
/** Work until the next Monday at 06:00. */
const WEEK_OF_40 = "5x(driving 4h, break 45m, driving 4h, rest 15h15m), rest 48h";
const WEEK_OF_56 = `4x(${NINE}, rest 14h15m), 2x(${TEN}, rest 12h30m), rest 24h`;

/** Returns the figures that the examples speak of, as text. */
function figuresAfter(start: string, text: string): Record<string, string> {
  const { activities, at } = afterWeeklyRest(start, text);
  const { sinceBreak, day, week, fortnight, dailyRest, weeklyRest } = drivingTime(activities, at);
  const exact = ({ atLeast, atMost }: Range) => (atLeast === atMost ? hours(atLeast) : "inexact");
  const when = ({ atLeast }: Range) => new Date(atLeast).toISOString().slice(5, 16);
  return {
    sinceBreak: exact(sinceBreak.driven),
    beforeBreak: exact(sinceBreak.left),
    breakNeeded: exact(sinceBreak.breakNeeded),
    day: exact(day.driven),
    dayLeft: exact(day.left),
    extendedLeft: exact(day.extendedLeft),
    week: exact(week.driven),
    weekLeft: exact(week.left),
    fortnightLeft: exact(fortnight.left),
    reduced: String(dailyRest.reducedTaken.atMost),
    regularBy: when(dailyRest.regularBy),
    by: when(dailyRest.by),
    weeklyBy: when(weeklyRest.by),
    weeklyNeeded: exact(weeklyRest.needed),
  };
}

it.each(
  table(`
  trucknet: a break of 45 minutes resets the driving time | driving 3h, break 45m | sinceBreak 0h00, beforeBreak 4h30
  trucknet: other work neither counts nor resets | driving 2h30m, work 1h, driving 2h | sinceBreak 4h30, beforeBreak 0h00, breakNeeded 0h45
  trucknet: 15 minutes, then 30 | work 30m, driving 1h, break 15m, driving 2h, break 30m | sinceBreak 0h00
  trucknet: 30, then 15 | driving 1h, break 30m, driving 3h30m, break 15m, driving 4h30m | sinceBreak 9h00, beforeBreak 0h00, breakNeeded 0h30
  madebus: 30 minutes even after 40 | driving 2h, break 40m, driving 2h, break 29m | sinceBreak 4h00
  GV 262: less than 15 minutes does not count | driving 2h, break 14m, driving 2h, break 30m | sinceBreak 4h00, breakNeeded 0h30
  GV 262: a break wipes the slate clean | driving 1h, break 45m, driving 4h30m | sinceBreak 4h30, day 5h30
  Charlton: afresh | driving 1h, break 15m, driving 1h, break 45m, driving 1h, break 30m | sinceBreak 1h00, breakNeeded 0h30
  Art. 4(q): a break before any driving is no part | work 1h, break 15m, driving 2h, break 30m | sinceBreak 2h00
  Art. 7: availability is not a break | driving 4h, availability 45m | sinceBreak 4h00
  trucknet: nine hours in a day | work 1h, ${NINE} | day 9h00, dayLeft 0h00, extendedLeft 1h00
  nightliner: ten hours in a day | ${TEN} | day 10h00, extendedLeft 0h00
  GV 262: ten hours twice, then nine | 2x(${TEN}, rest 12h30m), ${NINE} | dayLeft 0h00, extendedLeft 0h00, week 29h00
  App. 14: a shift lasts until a rest of nine hours | driving 4h, rest 8h59m, driving 4h, rest 9h, driving 1h | day 1h00, week 9h00
  App. 14: the week begins on Monday, 00:00 UTC | driving 4h | day 4h00, week 2h00 | 2026-11-01T22:00
  trucknet: 56 hours in one week leave 34 | ${WEEK_OF_56}, work 1h | week 0h00, weekLeft 56h00, fortnightLeft 34h00
  Art. 6(3): 40 hours leave 50 | ${WEEK_OF_40}, driving 4h | week 4h00, weekLeft 52h00, fortnightLeft 46h00
  csuk: a daily rest within 24 hours | work 1h | regularBy 11-02T19:00, by 11-02T21:00
  truck-driver: three hours of rest, then nine | driving 4h, rest 3h, driving 4h, rest 9h, work 1h | reduced 0, day 0h00
  truck-driver: the first part must be three hours | driving 4h, rest 2h59m, driving 4h, rest 9h, work 1h | reduced 1
  Art. 8(2): only what lies within 24 hours counts | work 14h, rest 12h, work 1h | reduced 1
  Art. 8(4): three reduced rests, then a regular one | 3x(work 15h, rest 9h), work 1h | reduced 3, regularBy 11-05T19:00, by 11-05T19:00
  trucknet: a weekly rest within six days | work 10h | weeklyBy 11-08T08:00, weeklyNeeded 24h00 | 2026-11-02T08:00
  Art. 8(6): a regular weekly rest after a reduced one | 6x(work 10h, rest 14h), rest 16h, work 1h | weeklyNeeded 45h00, weeklyBy 11-14T22:00, reduced 0
`),
)("%s", (_, activities = "", expected = "", start = MONDAY) => {
  const figures = Object.fromEntries(expected.split(", ").map((figure) => figure.split(" ")));
  expect(figuresAfter(start, activities)).toMatchObject(figures);
});

it.each<[activities: string, team: boolean | undefined, sinceBreak: string]>([
  ["driving 4h, availability 45m", true, "0h"],
  ["driving 4h, availability 44m", true, "4h"],
  ["driving 2h, break 15m, driving 2h, availability 30m", true, "4h"],
  ["driving 4h, availability 45m", undefined, "4h"],
])("Art. 7, third paragraph: %s beside another driver: %s", (text, team, sinceBreak) => {
  const { activities, at } = afterWeeklyRest(MONDAY, text, { team });
  expect(drivingTime(activities, at).sinceBreak.driven).toEqual({ atLeast: duration(sinceBreak), atMost: duration(sinceBreak) });
});

it("ends what another driver was there for where the next activity begins", () => {
  const { activities, at } = afterWeeklyRest(MONDAY, "driving 4h, availability 30m, driving 10m, availability 45m", { team: false });
  const open = activities.map((one, index) => ({ ...one, end: undefined, team: index === 2 }));
  expect(drivingTime(open, at).sinceBreak.driven.atLeast).toBe(duration("4h10m"));
});

it("includes the break and the rest in progress", () => {
  const { activities, at } = afterWeeklyRest(MONDAY, "driving 4h");
  const { activity, rest } = drivingTime([...activities, { kind: "rest", start: at }], at + duration("20m"));
  expect([activity, rest.current.atLeast, rest.current.atMost]).toEqual(["rest", duration("20m"), duration("20m")]);
  expect(rest.last).toEqual({ atLeast: duration("46h"), atMost: Number.POSITIVE_INFINITY });
});
