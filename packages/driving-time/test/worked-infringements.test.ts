import { describe, expect, it } from "vitest";
import { type Activity, INFRINGEMENTS_NOT_CONSIDERED, type Infringement, infringements, type Rule } from "../src/index.ts";
import { activitiesFrom, afterWeeklyRest, DAY, HOUR, hours, MINUTE, MONDAY, START, table } from "./activities.ts";

// Where a source states a rule without an example, the numbers are ours. The sources:
// Articles of regulation (EC) 561/2006 and directive 2002/15/EC; 2016/403: regulation (EU) 2016/403 as amended by (EU) 2022/694; Michielsen and Charlton:
// CJEU C-394/92 and C-116/92; GV 262: the guide of the British authorities; C(2011) 3759: a Commission implementing decision, in force since 7 June 2011;
// trucknetuk.com/t/drivers-hours-question-what-do-you-suggest/168566 and /t/weekly-rest/142815; lgvtheory.co.uk/topic/working-time-directive.

const line = ({ also = [], at, actual, limit, severity, certainty }: Infringement) =>
  [
    ...also.map((rule) => `+${rule}`),
    new Date(at).toISOString().slice(5, 16),
    `${hours(actual.atLeast)}/${hours(limit)}`,
    severity ?? "-",
    certainty,
  ].join(" ");

const CHANGES: Record<string, Partial<Activity>> = { crew: { team: true }, aboard: { ferry: true } };
const TEN = "driving 4h30m, break 45m, driving 4h30m, break 45m, driving 1h";
const NINE_AND = "driving 4h, break 45m, driving 4h, break 45m, driving";
/** Six days of ten hours of work, the last without its rest. */
const DAYS = "5x(work 10h, rest 14h), work 10h";

it.each(
  table(`
  Art. 7: 4.5 hours, then a break | drivingWithoutBreak | driving 4h30m, break 45m, driving 1h | nothing
  Charlton: afresh after a break | drivingWithoutBreak | driving 1h, break 45m, driving 4h31m | 11-02T12:15 4h31/4h30 MI certain
  2016/403: 5 hours without a break | drivingWithoutBreak | driving 5h | 11-02T10:30 5h00/4h30 SI certain
  2016/403: 6 hours without a break | drivingWithoutBreak | driving 6h | 11-02T10:30 6h00/4h30 VSI certain
  GV 262: 30, then 15 | drivingWithoutBreak | driving 2h, break 30m, driving 2h, break 15m, driving 1h | 11-02T11:15 5h00/4h30 SI certain
  Art. 7: beside another driver | drivingWithoutBreak | driving 4h, availability 45m, driving 4h | nothing | crew
  Art. 6(1): ten hours twice in a week | dailyDriving | 2x(${TEN}, rest 12h30m) | nothing
  2016/403: ten hours a third time | dailyDriving | 3x(${TEN}, rest 12h30m) | 11-04T16:30 10h00/9h00 SI certain
  2016/403: a day of 12 hours | dailyDriving | ${NINE_AND} 4h | 11-02T17:30 12h00/10h00 VSI certain
  2016/403: a day of 15 hours | dailyDriving | ${NINE_AND} 4h, break 45m, driving 3h | 11-02T17:30 15h00/10h00 MSI certain
  C(2011) 3759: 7 hours end the day | dailyDriving | ${NINE_AND} 1h, rest 7h, ${NINE_AND} 1h, rest 12h | nothing
  C(2011) 3759: a minute less does not | dailyDriving | driving 4h, rest 6h59m, driving 6h30m, rest 12h | 11-02T22:59 10h30/10h00 MI certain
  Art. 6(2): 56 hours | weeklyDriving | 12x(driving 4h30m, rest 7h30m), driving 3h | 11-08T08:00 57h00/56h00 MI certain
  Michielsen: from the work after a rest | dailyRest | work 13h, rest 11h, work 1h | nothing
  Michielsen: only rest in 24 hours counts | dailyRest | work 15h30m, rest 12h, work 1h | 11-03T06:00 8h30/9h00 MI certain
  GV 262: three reduced daily rests | dailyRest | 3x(work 15h, rest 9h) | nothing
  2016/403: a fourth, of 9 hours | dailyRest | 4x(work 15h, rest 9h), work 1h | 11-06T06:00 9h00/11h00 SI certain
  GV 262: 3 hours and then 9 | dailyRest | work 6h, rest 3h, work 6h, rest 9h, work 1h | nothing
  2016/403: 3 and then less than 7 | dailyRest | work 6h, rest 3h, work 8h30m, rest 6h30m, work 1h, rest 12h | 11-03T06:00 6h30/9h00 VSI certain
  Art. 8(5): a team has 30 hours | dailyRest | driving 4h, availability 17h, rest 9h, work 1h | nothing | crew
  Art. 8(5): 9 of them are rest | dailyRest | driving 4h, availability 18h, rest 9h, work 1h | 11-03T12:00 8h00/9h00 MI certain | crew
  trucknet: a ferry, 11 hours of rest, interrupted twice | dailyRest | work 12h, rest 1h, 2x(driving 30m, rest 5h), work 1h | nothing | aboard
  Art. 9(1): for more than an hour | dailyRest | work 11h, rest 1h, driving 31m, rest 5h, driving 30m, rest 5h, work 12h, rest 12h | 11-03T06:00 5h00/9h00 VSI certain | aboard
  Art. 8(6): a weekly rest after 6 days | weeklyRestDue | ${DAYS}, rest 45h, work 1h | nothing
  2016/403: 10 hours late | weeklyRestDue | 6x(work 10h, rest 14h), work 10h, rest 45h, work 1h | 11-08T06:00 154h00/144h00 SI certain
  Art. 8(6): two reduced ones | weeklyRest | 2x(${DAYS}, rest 30h), work 10h, rest 14h, work 1h | 11-15T14:00 30h00/45h00 VSI possible
  trucknet: an extra rest of 24 hours | weeklyRest | rest 24h, work 10h, rest 14h, 2x(work 10h, rest 38h), work 10h, rest 14h | nothing
  Art. 8(6b): an hour owed, taken with a later rest | weeklyRestCompensation | ${DAYS}, rest 44h, 5x(5x(work 13h, rest 11h), work 11h, rest 45h) | nothing
  Art. 8(6b): 15 hours owed | weeklyRestCompensation | ${DAYS}, rest 30h, 5x(5x(work 13h, rest 11h), work 3h, rest 45h) | 11-30T00:00 2h00/15h00 - possible
  lgvtheory: 60 hours in a week | weeklyWork | 6x(work 10h30m, rest 13h30m), rest 24h | 11-07T13:30 63h00/60h00 - certain
  lgvtheory: 10 hours with work at night | nightWork | work 5h, rest 5h, work 4h, break 1h, work 4h | 11-02T22:00 13h00/10h00 VSI possible
  2002/15, Art. 5(1): six hours without a break | workWithoutBreak | work 6h, break 15m, work 6h | nothing
  2002/15, Art. 5(1): more than six | workBreaks | work 6h1m | +workWithoutBreak 11-02T12:00 0h00/0h30 VSI certain
  2016/403: 10 minutes in 6 hours | workBreaks | work 4h, break 10m, work 3h, rest 12h | +workWithoutBreak 11-02T12:10 0h00/0h30 VSI certain
  2016/403: 30 minutes in 9 hours | workBreaks | work 5h, break 30m, work 5h, rest 12h | 11-02T16:30 0h30/0h45 SI certain
  2002/15, Art. 4(a): 17 weeks of 50 hours | averageWork | 18x(5x(work 10h, rest 14h), rest 48h) | 03-01T00:00 50h00/48h00 - certain; 03-08T00:00 50h00/48h00 - certain
`),
)("%s: %s", (_, rule, text = "", expected, change = "") => {
  const { activities, at } = afterWeeklyRest(MONDAY, text, { team: false, ferry: false, ...CHANGES[change] });
  const rows = infringements(activities, { start: 0, end: at + 60 * DAY }, at).filter((row) => row.rule === rule);
  expect(rows.map(line).join("; ") || "nothing").toBe(expected);
});

describe("what activities leave open", () => {
  const rowsOf = (activities: readonly Activity[], now: number, rule = "") =>
    infringements(activities, { start: 0, end: now }, now)
      .filter((row) => row.rule === rule)
      .map(({ certainty, doubts, actual }) => `${certainty} ${doubts.join()} ${hours(actual.atLeast)}-${hours(actual.atMost)}`)
      .join("; ");

  it.each(
    table(`
    a gap that may be a break | drivingWithoutBreak | driving 3h, gap 1h, driving 3h | possible gap 3h00-7h00
    a gap that does not matter | drivingWithoutBreak | driving 5h, gap 10m, driving 1h | certain gap 6h00-6h10
    a rest on a ferry | dailyRest | work 8h, rest 6h, driving 30m, rest 6h, work 10h, rest 12h | possible ferry 6h00-12h00
    the last part of a rest on a ferry, with what follows | dailyRest | work 10h, rest 4h, driving 30m, rest 6h, work 25m, gap 5h | possible ferry 6h00-14h00
    work that was entered by hand | workBreaks | work 7h | possible manual 0h00-0h00 | manual
    a first part of a break | drivingWithoutBreak | break 45m, gap 20m, driving 4h, break 30m, driving 1h | possible gap 4h00-5h20
    a daily rest, and then none | dailyRest | driving 10h, gap 10h, driving 20h, rest 12h | certain gap 0h00-9h00 | team
    days or one | dailyDriving | 2x(driving 4h30m, break 45m, driving 5h, gap 13h), driving 4h30m, break 45m, driving 5h, rest 12h | possible gap 9h30-54h30 | team
    a weekly rest | weeklyRest | ${DAYS}, rest 40h, ${DAYS}, rest 30h, gap 10h, ${DAYS}, rest 40h, work 1h | possible abroad,gap 40h00-40h00; possible abroad,gap 40h00-40h00
    a gap of a day, which is not searched | drivingWithoutBreak | driving 3h, gap 24h, driving 3h |
  `),
  )("%s: %s", (_, rule, text = "", expected, known = "") => {
    const { activities, at } = afterWeeklyRest(MONDAY, text, known === "" ? {} : { [known]: known === "manual" });
    expect(rowsOf(activities, at, rule)).toBe(expected);
  });

  it("another driver who may have been there", () => {
    const { activities, at } = afterWeeklyRest(MONDAY, "driving 4h, availability 17h, rest 9h, work 1h");
    const seen = activities.map((one) => (one.kind === "availability" ? { ...one, team: true } : one));
    expect(rowsOf(seen, at, "dailyRest")).toBe("possible team 3h00-9h00");
  });

  it.each(
    table(`
    the last part of a rest, and entries by hand after it | driving 30m aboard, rest 6h aboard, work 25m aboard, rest 5h disputed, work 2h manual, rest 8h | possible 6h00-20h00
    what interrupts it | work 30m disputed, rest 7h, work 12h | possible 7h00-11h30
    a part that is aboard only in part, perhaps | driving 30m aboard, rest 4h, rest 3h unsaid, work 12h | possible 7h00-11h00
    a ferry that another activity denies | driving 30m aboard, rest 7h denied, work 12h | possible 7h00-11h00
    neither | driving 30m aboard, rest 7h, work 12h | certain 7h00-7h00
  `),
  )("a rest on a ferry: %s", (_, text = "", expected) => {
    const all = `work 10h, rest 4h aboard, ${text}`.split(", ");
    const { activities, at } = afterWeeklyRest(MONDAY, all.join(", "), { ferry: false, team: false });
    const given = activities.flatMap((one, index): Activity[] => {
      const [, , what] = (all[index - 1] ?? "").split(" ");
      const aboard = { ...one, ferry: true };
      if (what === "aboard") return [aboard];
      if (what === "unsaid") return [{ ...one, ferry: undefined }];
      if (what === "manual") return [{ ...one, manual: true }];
      if (what === "denied") return [one, aboard];
      return what === "disputed" ? [one, { ...one, kind: one.kind === "rest" ? "driving" : "rest" }] : [one];
    });
    expect(rowsOf(given, at, "dailyRest").replace(/ [a-z,]* /, " ")).toBe(expected);
  });

  it.each(
    table(`
    parts of it lost | 20m beside, 10m lost, 15m beside | possible 4h00-5h10
    another driver who may have come in a gap | 30m alone, 15m lost, 30m alone | possible 4h00-5h15
    another driver whom another activity denies | 45m both | possible 4h00-5h00
    parts too short together | 20m beside, 10m lost, 14m beside | certain 5h00-5h10
  `),
  )("a break beside another driver: %s", (_, text = "", expected) => {
    const parts = text.split(", ").map((part) => part.split(" ") as [string, string]);
    const written = ["driving 4h", ...parts.map(([length, what]) => `${what === "lost" ? "gap" : "availability"} ${length}`), "driving 1h"];
    const { activities, at } = afterWeeklyRest(MONDAY, written.join(", "), { team: false });
    const known = parts.filter(([, what]) => what !== "lost").map(([, what]) => what);
    const given = activities.flatMap((one, index): Activity[] => {
      const what = known[index - 2];
      const beside = { ...one, team: true };
      return what === "both" ? [one, beside] : [what === "beside" ? beside : one];
    });
    expect(rowsOf(given, at, "drivingWithoutBreak").replace(/ [a-z,]* /, " ")).toBe(expected);
  });

  it("activities that contradict each other", () => {
    const { activities, at } = afterWeeklyRest(MONDAY, "driving 5h");
    const rest: Activity = { kind: "rest", start: START + 2 * HOUR, end: START + 3 * HOUR };
    expect(rowsOf([...activities, rest], at, "drivingWithoutBreak")).toBe("possible contradiction 2h00-5h00");
  });
});

describe("odd activities", () => {
  const { activities, end } = activitiesFrom(START - 46 * HOUR, "rest 46h, driving 5h, rest 12h");
  const [rest, driving, last] = activities as [Activity, Activity, Activity];
  it.each<[string, Activity[]]>([
    ["without a time", [rest, driving, last, { kind: "driving", start: Number.NaN, end: Number.NaN }]],
    ["in the future", [rest, driving, last, { kind: "driving", start: end + DAY, end: end + 3 * DAY }]],
    ["of long ago", [rest, driving, last, { kind: "driving", start: -8e15, end: -7e15 }]],
  ])("%s", (_, given) => {
    expect(infringements(given, { start: START, end }, end).map(line)).toEqual(["11-02T10:30 5h00/4h30 SI certain"]);
  });

  it("none at all, or outside the period, which count but are not shown", () => {
    expect(infringements([], { start: START, end })).toEqual([]);
    expect(infringements(activities, { start: START + 4.5 * HOUR + MINUTE, end }, end)).toEqual([]);
  });

  it("100,000 in a day", () => {
    const many = Array.from({ length: 100_000 }, (_, index): Activity => {
      const start = START + index * 864;
      return { kind: index % 3 === 0 ? "driving" : "work", start, end: start + 864 };
    });
    const found = infringements([rest, ...many], { start: START, end: START + 2 * DAY }).map(({ rule }) => rule);
    expect(found).toContain<Rule>("drivingWithoutBreak");
    expect(found.length).toBeLessThan(20);
  });
});

it("says what infringements do not consider, and calls nothing proof", () => {
  expect(INFRINGEMENTS_NOT_CONSIDERED.join(" ")).toMatch(/not yet downloaded.*ferry.*Article 12.*abroad.*UTC/);
  expect(INFRINGEMENTS_NOT_CONSIDERED.join(" ")).not.toMatch(/legal|complian|proof/i);
});
