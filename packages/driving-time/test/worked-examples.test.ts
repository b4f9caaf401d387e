import { expect, it } from "vitest";
import { drivingTime, type Range } from "../src/index.ts";
import { afterWeeklyRest, duration, instant } from "./activities.ts";

// Where a source states a rule without an example, the numbers are ours.

/** Regulation (EC) 561/2006 itself. */
const article = (text: string) => `Regulation (EC) 561/2006, ${text}`;
/** How tachographs compute times: Regulation (EU) 2016/799 as amended, Annex IC, Appendix 14, addendum. */
const APPENDIX_14 = "Regulation (EU) 2016/799, Appendix 14, addendum";
/** CJEU, judgment of 15 December 1993: after a break, the calculation begins afresh. */
const CHARLTON = "CJEU C-116/92 Charlton";
/** The guide of the British authorities (GV 262), as reproduced on compliancehub.co.uk/drivers-hours-rules/driving-and-breaks. */
const GV_262 = "DVSA, Rules on drivers' hours and tachographs (GV 262), breaks and driving limits";
const MADEBUS = "madebus.it/en/regulations";
/** Drivers' guides with examples in full. */
const TRUCKNET_GUIDE = "trucknetuk.com, drivers' hours guide (viewtopic.php?t=123738)";
const TRUCKNET_WEEKS = "trucknetuk.com/t/hours-breaks-and-rest/82974";
const TRUCKNET_WEEKLY = "trucknetuk.com/t/domestic-and-eu-rules-mixed/122361";
const CSUK = "csuk.coach, driver regulations";
const TRUCK_DRIVER = "truck-driver.co.uk, weekly and split daily rest";
const NIGHTLINER = "nightliner-rental.be, driving times and regulations";

/** Monday, 2 November 2026, 06:00 UTC. */
const MONDAY = "2026-11-02T06:00";
const NINE_HOURS = "driving 4h30m, break 45m, driving 4h30m";
const TEN_HOURS = `${NINE_HOURS}, break 45m, driving 1h`;

/** Returns the figures that the examples speak of, as text. */
function figuresAfter(start: string, text: string): Record<string, string> {
  const { activities, at } = afterWeeklyRest(start, text);
  const time = drivingTime(activities, at);
  const exact = (text: (value: number) => string) => {
    return ({ atLeast, atMost }: Range) => (atLeast === atMost ? text(atLeast) : `${text(atLeast)} or more`);
  };
  const hours = exact((milliseconds) => {
    const minutes = milliseconds / 60_000;
    return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}`;
  });
  const when = exact((milliseconds) => new Date(milliseconds).toISOString().slice(0, 16));
  return {
    sinceBreak: hours(time.sinceBreak.driven),
    beforeBreak: hours(time.sinceBreak.left),
    breakNeeded: hours(time.sinceBreak.breakNeeded),
    day: hours(time.day.driven),
    dayLeft: hours(time.day.left),
    extendedLeft: hours(time.day.extendedLeft),
    week: hours(time.week.driven),
    weekLeft: hours(time.week.left),
    fortnightLeft: hours(time.fortnight.left),
    reduced: exact(String)(time.dailyRest.reducedTaken),
    regularBy: when(time.dailyRest.regularBy),
    by: when(time.dailyRest.by),
    weeklyBy: when(time.weeklyRest.by),
    weeklyNeeded: hours(time.weeklyRest.needed),
    resting: hours(time.rest.current),
  };
}

const repeated = (times: number, text: string) => Array.from({ length: times }, () => text).join(", ");

/** Five days of driving, 40 hours in all, and a weekly rest until the next Monday at 06:00. */
const weekOf40 = `${repeated(5, "driving 4h, break 45m, driving 4h, rest 15h15m")}, rest 48h`;
/** Four days of nine and two of ten hours, and rest until the next Monday at 06:00. */
const weekOf56 = `${repeated(4, `${NINE_HOURS}, rest 14h15m`)}, ${repeated(2, `${TEN_HOURS}, rest 12h30m`)}, rest 24h`;

it.each<[source: string, example: string, start: string, activities: string, expected: Record<string, string>]>([
  [
    TRUCKNET_GUIDE,
    "a break of 45 minutes resets the driving time",
    MONDAY,
    "driving 3h, break 45m",
    { sinceBreak: "0h00", beforeBreak: "4h30" },
  ],
  [
    TRUCKNET_GUIDE,
    "other work neither counts nor resets",
    MONDAY,
    "driving 2h30m, work 1h, driving 2h",
    { sinceBreak: "4h30", beforeBreak: "0h00", breakNeeded: "0h45" },
  ],
  [TRUCKNET_GUIDE, "15 minutes, then 30", MONDAY, "work 30m, driving 1h, break 15m, driving 2h, break 30m", { sinceBreak: "0h00" }],
  [
    TRUCKNET_GUIDE,
    "30 minutes, then 15: the wrong way round",
    MONDAY,
    "driving 1h, break 30m, driving 3h30m, break 15m, driving 4h30m",
    { sinceBreak: "9h00", beforeBreak: "0h00", breakNeeded: "0h30" },
  ],
  [
    MADEBUS,
    "the second part must be 30 minutes even after a first of 40",
    MONDAY,
    "driving 2h, break 40m, driving 2h, break 29m",
    { sinceBreak: "4h00" },
  ],
  [
    GV_262,
    "a break of less than 15 minutes does not count",
    MONDAY,
    "driving 2h, break 14m, driving 2h, break 30m",
    { sinceBreak: "4h00", breakNeeded: "0h30" },
  ],
  [
    GV_262,
    "a break wipes the slate clean before 4.5 hours too",
    MONDAY,
    "driving 1h, break 45m, driving 4h30m",
    { sinceBreak: "4h30", day: "5h30" },
  ],
  [
    CHARLTON,
    "breaks before the last full break do not count again",
    MONDAY,
    "driving 1h, break 15m, driving 1h, break 45m, driving 1h, break 30m",
    { sinceBreak: "1h00", breakNeeded: "0h30" },
  ],
  [
    article("Article 4(q) and 7"),
    "a break before any driving is not part of the driving period",
    MONDAY,
    "work 1h, break 15m, driving 2h, break 30m",
    { sinceBreak: "2h00" },
  ],
  [article("Article 7"), "availability is not a break", MONDAY, "driving 4h, availability 45m", { sinceBreak: "4h00" }],
  [TRUCKNET_GUIDE, "nine hours in a day", MONDAY, `work 1h, ${NINE_HOURS}`, { day: "9h00", dayLeft: "0h00", extendedLeft: "1h00" }],
  [NIGHTLINER, "ten hours in a day, with two breaks", MONDAY, TEN_HOURS, { day: "10h00", extendedLeft: "0h00" }],
  [
    GV_262,
    "ten hours twice in a week, then nine",
    MONDAY,
    `${TEN_HOURS}, rest 12h30m, ${TEN_HOURS}, rest 12h30m, driving 4h30m, break 45m, driving 4h30m`,
    { dayLeft: "0h00", extendedLeft: "0h00", week: "29h00" },
  ],
  [
    APPENDIX_14,
    "a shift lasts until a rest of nine hours",
    MONDAY,
    "driving 4h, rest 8h59m, driving 4h, rest 9h, driving 1h",
    { day: "1h00", week: "9h00" },
  ],
  [APPENDIX_14, "the week begins on Monday, 00:00 UTC", "2026-11-01T22:00", "driving 4h", { day: "4h00", week: "2h00" }],
  [
    TRUCKNET_WEEKS,
    "56 hours in one week leave 34 in the next",
    MONDAY,
    `${weekOf56}, work 1h`,
    { week: "0h00", weekLeft: "56h00", fortnightLeft: "34h00" },
  ],
  [
    article("Article 6(3)"),
    "40 hours in one week leave 50 in the next",
    MONDAY,
    `${weekOf40}, driving 4h`,
    { week: "4h00", weekLeft: "52h00", fortnightLeft: "46h00" },
  ],
  [
    CSUK,
    "a weekly rest that ends on Monday at 06:00: a daily rest by Tuesday at 06:00",
    MONDAY,
    "work 1h",
    { regularBy: "2026-11-02T19:00", by: "2026-11-02T21:00" },
  ],
  [
    TRUCK_DRIVER,
    "after three hours of rest, nine more are a regular daily rest",
    MONDAY,
    "driving 4h, rest 3h, driving 4h, rest 9h, work 1h",
    { reduced: "0", day: "0h00" },
  ],
  [TRUCK_DRIVER, "the first part must be three hours", MONDAY, "driving 4h, rest 2h59m, driving 4h, rest 9h, work 1h", { reduced: "1" }],
  [
    article("Article 8(2)"),
    "only what lies within 24 hours counts: 12 hours of rest that began 14 hours into the shift are a reduced rest",
    MONDAY,
    "work 14h, rest 12h, work 1h",
    { reduced: "1" },
  ],
  [
    article("Article 8(4)"),
    "after three reduced daily rests, the next must be regular",
    MONDAY,
    `${repeated(3, "work 15h, rest 9h")}, work 1h`,
    { reduced: "3", regularBy: "2026-11-05T19:00", by: "2026-11-05T19:00" },
  ],
  [
    TRUCKNET_WEEKLY,
    "work that begins on Monday at 08:00: a weekly rest by Sunday at 08:00",
    "2026-11-02T08:00",
    "work 10h",
    { weeklyBy: "2026-11-08T08:00", weeklyNeeded: "24h00" },
  ],
  [
    article("Article 8(6)"),
    "after a reduced weekly rest, a regular one",
    MONDAY,
    `${repeated(5, "work 10h, rest 14h")}, work 10h, rest 30h, work 1h`,
    { weeklyNeeded: "45h00", weeklyBy: "2026-11-14T22:00", reduced: "0" },
  ],
])("%s: %s", (_source, _example, start, activities, expected) => {
  expect(figuresAfter(start, activities)).toMatchObject(expected);
});

it.each<[example: string, activities: string, team: boolean | undefined, sinceBreak: string]>([
  ["45 minutes", "driving 4h, availability 45m", true, "0h00"],
  ["44 minutes", "driving 4h, availability 44m", true, "4h00"],
  ["30 minutes after a first part of 15", "driving 2h, break 15m, driving 2h, availability 30m", true, "4h00"],
  ["45 minutes alone", "driving 4h, availability 45m", undefined, "4h00"],
])("Regulation (EC) 561/2006, Article 7, third paragraph: %s beside another driver", (_, text, team, sinceBreak) => {
  const { activities, at } = afterWeeklyRest(MONDAY, text);
  const { driven } = drivingTime(
    activities.map((activity) => ({ ...activity, team })),
    at,
  ).sinceBreak;
  expect(driven).toEqual({ atLeast: duration(sinceBreak), atMost: duration(sinceBreak) });
});

it("includes the break and the rest in progress", () => {
  const { activities } = afterWeeklyRest(MONDAY, "driving 4h");
  const at = instant(MONDAY) + duration("4h20m");
  const time = drivingTime([...activities, { kind: "rest", start: instant(MONDAY) + duration("4h") }], at);
  expect(time.activity).toBe("rest");
  expect(time.rest.current).toEqual({ atLeast: duration("20m"), atMost: duration("20m") });
  expect(time.rest.last).toEqual({ atLeast: duration("46h"), atMost: Number.POSITIVE_INFINITY });
});
