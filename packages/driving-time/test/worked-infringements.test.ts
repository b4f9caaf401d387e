import { describe, expect, it } from "vitest";
import { type Activity, INFRINGEMENTS_NOT_CONSIDERED, type Infringement, infringements, type Rule } from "../src/index.ts";
import { activitiesFrom, afterWeeklyRest, DAY, duration, HOUR, instant } from "./activities.ts";

// Where a source states a rule without an example, the numbers are ours.

/** Monday, 2 November 2026, 06:00 UTC. */
const MONDAY = "2026-11-02T06:00";
const START = instant(MONDAY);
const DRIVING = "Regulation (EC) 561/2006";
const WORKING_TIME = "Directive 2002/15/EC";
const SEVERITIES = "Regulation (EU) 2016/403 as amended by (EU) 2022/694";
/** CJEU, judgment of 9 June 1994: the 24 hours begin when the driver starts the tachograph after a rest. */
const MICHIELSEN = "CJEU C-394/92 Michielsen";
/** CJEU, judgment of 15 December 1993: after a break of 45 minutes, the calculation begins afresh. */
const CHARLTON = "CJEU C-116/92 Charlton";
/** The British authorities' guide, as reproduced on compliancehub.co.uk/drivers-hours-rules/rest-periods. */
const GV_262 = "DVSA, Rules on drivers' hours and tachographs (GV 262)";
/** In force since 7 June 2011, as summarised on sofiba.pl/wiedza/czas-pracy-kierowcow. */
const SEVEN_HOURS = "Commission implementing decision C(2011) 3759";
const TRUCKNET_FERRY = "trucknetuk.com/t/drivers-hours-question-what-do-you-suggest/168566";
const TRUCKNET_EXTRA = "trucknetuk.com/t/weekly-rest/142815";
const LGV_THEORY = "lgvtheory.co.uk/topic/working-time-directive";

const hours = (milliseconds: number) => `${Math.floor(milliseconds / HOUR)}h${String((milliseconds % HOUR) / 60_000).padStart(2, "0")}`;
const line = ({ rule, also = [], at, actual, limit, severity, certainty }: Infringement) =>
  [
    [rule, ...also].join("+"),
    new Date(at).toISOString().slice(0, 16),
    `${hours(actual.atLeast)}/${hours(limit)}`,
    severity ?? "-",
    certainty,
  ].join(" ");

/** The rows for the rules that an example speaks of. */
function rowsAfter(text: string, rules: readonly Rule[], change: Partial<Activity> = {}, start = MONDAY): string[] {
  const { activities, at } = afterWeeklyRest(start, text);
  const given = activities.map((activity) => ({ ...activity, team: false, ferry: false, ...change }));
  return infringements(given, { start: 0, end: at + 60 * DAY }, at)
    .filter(({ rule }) => rules.includes(rule))
    .map(line);
}

const repeated = (times: number, text: string) => Array.from({ length: times }, () => text).join(", ");
const TEN = "driving 4h30m, break 45m, driving 4h30m, break 45m, driving 1h";
const DAY_OF = (driven: string) => `driving 4h, break 45m, driving 4h, break 45m, driving ${driven}`;

it.each<[source: string, example: string, activities: string, rule: Rule, expected: string[], change?: Partial<Activity>]>([
  [`${DRIVING}, Article 7`, "4.5 hours, then a break", "driving 4h30m, break 45m, driving 1h", "drivingWithoutBreak", []],
  [
    CHARLTON,
    "breaks before the last full one do not count again",
    "driving 1h, break 45m, driving 4h31m",
    "drivingWithoutBreak",
    ["drivingWithoutBreak 2026-11-02T12:15 4h31/4h30 MI certain"],
  ],
  [
    SEVERITIES,
    "5 hours without a break",
    "driving 5h",
    "drivingWithoutBreak",
    ["drivingWithoutBreak 2026-11-02T10:30 5h00/4h30 SI certain"],
  ],
  [
    SEVERITIES,
    "6 hours without a break",
    "driving 6h",
    "drivingWithoutBreak",
    ["drivingWithoutBreak 2026-11-02T10:30 6h00/4h30 VSI certain"],
  ],
  [
    GV_262,
    "30 minutes, then 15: the wrong way round",
    "driving 2h, break 30m, driving 2h, break 15m, driving 1h",
    "drivingWithoutBreak",
    ["drivingWithoutBreak 2026-11-02T11:15 5h00/4h30 SI certain"],
  ],
  [
    `${DRIVING}, Article 7`,
    "45 minutes beside another driver",
    "driving 4h, availability 45m, driving 4h",
    "drivingWithoutBreak",
    [],
    { team: true },
  ],
  [`${DRIVING}, Article 6(1)`, "ten hours twice in a week", repeated(2, `${TEN}, rest 12h30m`), "dailyDriving", []],
  [
    SEVERITIES,
    "ten hours a third time",
    repeated(3, `${TEN}, rest 12h30m`),
    "dailyDriving",
    ["dailyDriving 2026-11-04T16:30 10h00/9h00 SI certain"],
  ],
  [SEVERITIES, "a day of 12 hours", DAY_OF("4h"), "dailyDriving", ["dailyDriving 2026-11-02T17:30 12h00/10h00 VSI certain"]],
  [
    SEVERITIES,
    "a day of 15 hours",
    `${DAY_OF("4h")}, break 45m, driving 3h`,
    "dailyDriving",
    ["dailyDriving 2026-11-02T17:30 15h00/10h00 MSI certain"],
  ],
  [
    SEVEN_HOURS,
    "a rest of 7 hours ends the day, although it is too short",
    `${DAY_OF("1h")}, rest 7h, ${DAY_OF("1h")}, rest 12h`,
    "dailyDriving",
    [],
  ],
  [
    SEVEN_HOURS,
    "one of 6 hours and 59 minutes does not",
    "driving 4h, rest 6h59m, driving 6h30m, rest 12h",
    "dailyDriving",
    ["dailyDriving 2026-11-02T22:59 10h30/10h00 MI certain"],
  ],
  [
    `${DRIVING}, Article 6(2)`,
    "more than 56 hours",
    `${repeated(6, "driving 4h30m, break 45m, driving 4h30m, rest 14h15m")}, driving 3h`,
    "weeklyDriving",
    ["weeklyDriving 2026-11-08T08:00 57h00/56h00 MI certain"],
  ],
  [MICHIELSEN, "the 24 hours begin with the work after a rest", "work 13h, rest 11h, work 1h", "dailyRest", []],
  [
    MICHIELSEN,
    "only rest within these 24 hours counts",
    "work 15h30m, rest 12h, work 1h",
    "dailyRest",
    ["dailyRest 2026-11-03T06:00 8h30/9h00 MI certain"],
  ],
  [GV_262, "three reduced daily rests between weekly rests", repeated(3, "work 15h, rest 9h"), "dailyRest", []],
  [
    SEVERITIES,
    "a fourth reduced daily rest, of 9 hours",
    `${repeated(4, "work 15h, rest 9h")}, work 1h`,
    "dailyRest",
    ["dailyRest 2026-11-06T06:00 9h00/11h00 SI certain"],
  ],
  [GV_262, "3 hours and then 9", "work 6h, rest 3h, work 6h, rest 9h, work 1h", "dailyRest", []],
  [
    SEVERITIES,
    "3 hours and then less than 7",
    "work 6h, rest 3h, work 8h30m, rest 6h30m, work 1h, rest 12h",
    "dailyRest",
    ["dailyRest 2026-11-03T06:00 6h30/9h00 VSI certain"],
  ],
  [`${DRIVING}, Article 8(5)`, "a team has 30 hours", "driving 4h, availability 17h, rest 9h, work 1h", "dailyRest", [], { team: true }],
  [
    `${DRIVING}, Article 8(5)`,
    "a team must rest for 9 hours in them",
    "driving 4h, availability 18h, rest 9h, work 1h",
    "dailyRest",
    ["dailyRest 2026-11-03T12:00 8h00/9h00 MI certain"],
    { team: true },
  ],
  [
    TRUCKNET_FERRY,
    "a regular rest of 11 hours, interrupted twice for an hour in all",
    "work 12h, rest 1h, driving 30m, rest 5h, driving 30m, rest 5h, work 1h",
    "dailyRest",
    [],
    { ferry: true },
  ],
  [
    `${DRIVING}, Article 9(1)`,
    "interrupted for more than an hour",
    "work 11h, rest 1h, driving 31m, rest 5h, driving 30m, rest 5h, work 12h, rest 12h",
    "dailyRest",
    ["dailyRest 2026-11-03T06:00 5h00/9h00 VSI certain"],
    { ferry: true },
  ],
  [
    `${DRIVING}, Article 8(6)`,
    "a weekly rest after 6 days",
    `${repeated(6, "work 10h, rest 14h")}, rest 31h, work 1h`,
    "weeklyRestDue",
    [],
  ],
  [
    SEVERITIES,
    "a weekly rest 10 hours late",
    `${repeated(6, "work 10h, rest 14h")}, work 10h, rest 45h, work 1h`,
    "weeklyRestDue",
    ["weeklyRestDue 2026-11-08T06:00 154h00/144h00 SI certain"],
  ],
  [
    `${DRIVING}, Article 8(6)`,
    "two reduced weekly rests, which drivers of goods abroad may take",
    `${repeated(2, `${repeated(5, "work 10h, rest 14h")}, work 10h, rest 30h`)}, work 10h, rest 14h, work 1h`,
    "weeklyRest",
    ["weeklyRest 2026-11-15T14:00 30h00/45h00 VSI possible"],
  ],
  [
    `${DRIVING}, Article 8(6)`,
    "four in a row, although the rest that ends on the first Monday may count in that week",
    `${repeated(4, `${repeated(5, "work 10h, rest 14h")}, work 10h, rest 40h`)}, work 1h`,
    "weeklyRest",
    [
      "weeklyRest 2026-11-16T00:00 40h00/45h00 SI possible",
      "weeklyRest 2026-11-23T00:00 40h00/45h00 SI possible",
      "weeklyRest 2026-11-30T00:00 40h00/45h00 SI certain",
    ],
  ],
  [
    TRUCKNET_EXTRA,
    "an extra rest of 24 hours in a week with a regular one",
    "rest 24h, work 10h, rest 14h, work 10h, rest 38h, work 10h, rest 38h, work 10h, rest 14h",
    "weeklyRest",
    [],
  ],
  [
    `${DRIVING}, Article 8(6b)`,
    "an hour owed for a reduced weekly rest, taken with a later rest",
    `${repeated(5, "work 10h, rest 14h")}, work 10h, rest 44h, ${repeated(5, `${repeated(5, "work 13h, rest 11h")}, work 11h, rest 45h`)}`,
    "weeklyRestCompensation",
    [],
  ],
  [
    `${DRIVING}, Article 8(6b)`,
    "15 hours owed, and no rest that is long enough until the end of the third week after",
    `${repeated(5, "work 10h, rest 14h")}, work 10h, rest 30h, ${repeated(5, `${repeated(5, "work 13h, rest 11h")}, work 3h, rest 45h`)}`,
    "weeklyRestCompensation",
    ["weeklyRestCompensation 2026-11-30T00:00 2h00/15h00 - possible"],
  ],
  [
    LGV_THEORY,
    "more than 60 hours of work in a week",
    `${repeated(6, "work 10h30m, rest 13h30m")}, rest 24h`,
    "weeklyWork",
    ["weeklyWork 2026-11-07T13:30 63h00/60h00 - certain"],
  ],
  [
    LGV_THEORY,
    "more than 10 hours of work in 24 with work at night",
    "work 5h, rest 5h, work 4h, break 1h, work 4h",
    "nightWork",
    ["nightWork 2026-11-02T22:00 13h00/10h00 VSI possible"],
  ],
  [`${WORKING_TIME}, Article 5(1)`, "six hours without a break", "work 6h, break 15m, work 6h", "workWithoutBreak", []],
  [
    `${WORKING_TIME}, Article 5(1)`,
    "more than six",
    "work 6h1m",
    "workBreaks",
    ["workBreaks+workWithoutBreak 2026-11-02T12:00 0h00/0h30 VSI certain"],
  ],
  [
    SEVERITIES,
    "10 minutes of break with more than 6 hours of work",
    "work 4h, break 10m, work 3h, rest 12h",
    "workBreaks",
    ["workBreaks+workWithoutBreak 2026-11-02T12:10 0h00/0h30 VSI certain"],
  ],
  [
    SEVERITIES,
    "30 minutes of break with more than 9 hours of work",
    "work 5h, break 30m, work 5h, rest 12h",
    "workBreaks",
    ["workBreaks 2026-11-02T16:30 0h30/0h45 SI certain"],
  ],
])("%s: %s", (_source, _example, activities, rule, expected, change) => {
  expect(rowsAfter(activities, [rule], change)).toEqual(expected);
});

it("compares the average of 17 weeks with 48 hours", () => {
  const week = `${repeated(5, "work 10h, rest 14h")}, rest 48h`;
  const rows = rowsAfter(repeated(18, week), ["averageWork"], {}, "2026-01-05T06:00");
  expect(rows).toEqual(["averageWork 2026-05-04T00:00 50h00/48h00 - certain", "averageWork 2026-05-11T00:00 50h00/48h00 - certain"]);
});

describe("what activities leave open", () => {
  const rows = (activities: readonly Activity[], now: number, rule: Rule) =>
    infringements(activities, { start: 0, end: now }, now)
      .filter((row) => row.rule === rule)
      .map(({ certainty, doubts, actual }) => [certainty, doubts.join(), hours(actual.atLeast), hours(actual.atMost)]);
  const given = (text: string, change: Partial<Activity> = {}) => {
    const { activities, at } = afterWeeklyRest(MONDAY, text);
    return { activities: activities.map((one) => ({ ...one, ...change })), at };
  };

  it.each<[string, string, Partial<Activity>, Rule, string[][]]>([
    ["a gap that may be a break", "driving 3h, gap 1h, driving 3h", {}, "drivingWithoutBreak", [["possible", "gap", "3h00", "7h00"]]],
    ["a gap that does not matter", "driving 5h, gap 10m, driving 1h", {}, "drivingWithoutBreak", [["certain", "gap", "6h00", "6h10"]]],
    [
      "a rest that may be interrupted on a ferry",
      "work 8h, rest 6h, driving 30m, rest 6h, work 10h, rest 12h",
      {},
      "dailyRest",
      [["possible", "ferry", "6h00", "12h00"]],
    ],
    ["work that was entered by hand", "work 7h", { manual: true }, "workBreaks", [["possible", "manual", "0h00", "0h00"]]],
    [
      "a gap that may have the first part of a break after some driving",
      "break 45m, gap 20m, driving 4h, break 30m, driving 1h",
      {},
      "drivingWithoutBreak",
      [["possible", "gap", "4h00", "5h20"]],
    ],
    [
      "a gap that may be a daily rest, and after it none in any case",
      "driving 10h, gap 10h, driving 20h, rest 12h",
      { team: false },
      "dailyRest",
      [["certain", "gap", "0h00", "9h00"]],
    ],
    [
      "gaps that may be daily rests between days of more than nine hours",
      `${repeated(2, "driving 4h30m, break 45m, driving 5h, gap 13h")}, driving 4h30m, break 45m, driving 5h, rest 12h`,
      { team: false },
      "dailyDriving",
      [["possible", "gap", "9h30", "54h30"]],
    ],
    [
      "a gap that may be a part of the second of three reduced weekly rests",
      ["rest 40h", "rest 30h, gap 10h", "rest 40h, work 1h"]
        .map((rest) => `${repeated(5, "work 10h, rest 14h")}, work 10h, ${rest}`)
        .join(", "),
      {},
      "weeklyRest",
      [
        ["possible", "abroad,gap", "40h00", "40h00"],
        ["possible", "abroad,gap", "40h00", "40h00"],
      ],
    ],
    ["a gap of a day, which is not searched", "driving 3h, gap 24h, driving 3h", {}, "drivingWithoutBreak", []],
  ])("%s", (_, text, change, rule, expected) => {
    const { activities, at } = given(text, change);
    expect(rows(activities, at, rule)).toEqual(expected);
  });

  it("another driver who may have been there", () => {
    const { activities, at } = given("driving 4h, availability 17h, rest 9h, work 1h");
    const seen = activities.map((one) => (one.kind === "availability" ? { ...one, team: true } : one));
    expect(rows(seen, at, "dailyRest")).toEqual([["possible", "team", "3h00", "9h00"]]);
  });

  it("activities that contradict each other", () => {
    const { activities, at } = given("driving 5h");
    const rest: Activity = { kind: "rest", start: START + 2 * HOUR, end: START + 3 * HOUR };
    expect(rows([...activities, rest], at, "drivingWithoutBreak")).toEqual([["possible", "contradiction", "2h00", "5h00"]]);
  });
});

describe("odd activities", () => {
  const { activities, end } = activitiesFrom(START - 46 * HOUR, "rest 46h, driving 5h, rest 12h");
  const expected = ["drivingWithoutBreak 2026-11-02T10:30 5h00/4h30 SI certain"];
  const [rest, driving, last] = activities as [Activity, Activity, Activity];
  it.each<[string, Activity[]]>([
    ["reversed", [last, driving, rest]],
    ["doubled", [rest, driving, driving, last, rest, last]],
    ["that overlap themselves", [rest, driving, { ...driving, end: START + HOUR }, last]],
    ["that end before they begin", [rest, driving, last, { kind: "driving", start: end, end: START }]],
    ["without an end", [rest, driving, { ...last, end: undefined }]],
    ["without a time", [rest, driving, last, { kind: "driving", start: Number.NaN, end: Number.NaN }]],
    ["in the future", [rest, driving, last, { kind: "driving", start: end + DAY, end: end + 3 * DAY }]],
    ["of long ago", [rest, driving, last, { kind: "driving", start: -8e15, end: -7e15 }]],
  ])("%s", (_, given) => {
    expect(infringements(given, { start: START, end }, end).map(line)).toEqual(expected);
  });

  it("none at all", () => {
    expect(infringements([], { start: START, end })).toEqual([]);
  });

  it("outside the period are not shown, but count", () => {
    expect(infringements(activities, { start: START + duration("4h31m"), end }, end)).toEqual([]);
  });

  it("100,000 in a day", () => {
    const many = Array.from({ length: 100_000 }, (_, index): Activity => {
      const start = START + index * 864;
      return { kind: index % 3 === 0 ? "driving" : "work", start, end: start + 864 };
    });
    const found = infringements([rest, ...many], { start: START, end: START + 2 * DAY }).map(({ rule }) => rule);
    expect(found).toContain("drivingWithoutBreak");
    expect(found.length).toBeLessThan(20);
  });
});

it("says what infringements do not consider, and calls nothing proof", () => {
  expect(INFRINGEMENTS_NOT_CONSIDERED.join(" ")).toMatch(/not yet downloaded.*ferry.*Article 12.*abroad.*UTC/);
  expect(INFRINGEMENTS_NOT_CONSIDERED.join(" ")).not.toMatch(/legal|complian|proof/i);
});
