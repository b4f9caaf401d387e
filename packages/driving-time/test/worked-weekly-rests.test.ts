import { describe, expect, it } from "vitest";
import { type Activity, infringements } from "../src/index.ts";
import { activitiesFrom, DAY, duration, HOUR, instant } from "./activities.ts";

// Weeks begin on Mondays: 2, 9, 16, 23 and 30 November and 7 December 2026.

const ALONE_ASHORE: Partial<Activity> = { team: false, ferry: false };

/** Work between rests, each of which is written "day time length": "11-07 00:00 45h". Days of work have rests of 11 hours. */
function withWork(rests: string, { change = ALONE_ASHORE, until = "" } = {}): { activities: Activity[]; now: number } {
  const activities: Activity[] = [];
  let at = Number.NaN;
  const work = (end: number) => {
    while (at < end) {
      const until = end - at <= 22 * HOUR ? end : at + 10 * HOUR;
      activities.push({ kind: "work", start: at, end: until, ...change });
      at = until === end ? end : until + 11 * HOUR;
      if (until < end) activities.push({ kind: "rest", start: until, end: at, ...change });
    }
  };
  for (const rest of rests.split(", ")) {
    const [day, time, length = ""] = rest.split(" ");
    const start = instant(`2026-${day}T${time}`);
    work(start);
    at = start + duration(length);
    activities.push({ kind: "rest", start, end: at, ...change });
  }
  work(until ? instant(`2026-${until}`) : at + 5 * HOUR);
  return { activities, now: at };
}

const hours = (milliseconds: number) => `${Math.floor(milliseconds / HOUR)}h${String((milliseconds % HOUR) / 60_000).padStart(2, "0")}`;

function rowsOf({ activities, now }: { activities: readonly Activity[]; now: number }, rules = /^weeklyRest/): string[] {
  return infringements(activities, { start: 0, end: now + 60 * DAY }, now)
    .filter(({ rule }) => rules.test(rule))
    .map(({ rule, at, actual, limit, severity, certainty, doubts }) =>
      [rule, new Date(at).toISOString().slice(5, 16), `${hours(actual.atLeast)}/${hours(limit)}`, severity ?? "-", certainty, doubts.join()]
        .join(" ")
        .trim(),
    );
}

const REGULAR_LATER = "12-05 00:00 62h, 12-12 00:00 62h";

describe("weekly rests are counted in calendar weeks", () => {
  it.each<[string, string, string[]]>([
    [
      "three reduced rests in a week between two with a regular one",
      "10-30 16:00 62h, 11-02 18:00 30h, 11-04 18:00 30h, 11-06 12:00 30h, 11-12 12:00 48h, 11-18 12:00 48h",
      [],
    ],
    [
      "46 hours every weekend, and 38 after Monday and Wednesday, which are extra and owe nothing",
      "11-07 00:00 46h, 11-09 18:00 38h, 11-11 18:00 38h, 11-14 00:00 46h, 11-16 18:00 38h, 11-18 18:00 38h, 11-21 00:00 46h, 11-28 00:00 46h, 12-05 00:00 46h, 12-12 00:00 46h",
      [],
    ],
    [
      "a reduced rest between regular ones owes its reduction",
      `11-07 00:00 45h, 11-14 00:00 30h, 11-21 00:00 45h, 11-28 00:00 45h, 12-05 00:00 45h, 12-12 00:00 45h`,
      ["weeklyRestCompensation 12-07T00:00 2h00/15h00 - possible compensation"],
    ],
    [
      "taken with a daily rest of 9 hours before the end of the third week after",
      `11-07 00:00 45h, 11-14 00:00 30h, 11-21 00:00 45h, 11-28 00:00 45h, 12-03 00:00 24h, 12-05 00:00 45h, 12-12 00:00 45h`,
      [],
    ],
    [
      "of two reduced rests in a week, the longer one counts",
      `11-07 00:00 45h, 11-10 00:00 25h, 11-14 00:00 25h, 11-17 00:00 40h, 11-21 00:00 25h, 11-28 00:00 45h, 12-05 00:00 45h, 12-12 00:00 45h`,
      ["weeklyRest 11-22T01:00 40h00/45h00 SI possible abroad", "weeklyRestCompensation 12-07T00:00 16h00/20h00 - possible compensation"],
    ],
    [
      "the second reduced one in a row may be one abroad",
      `11-07 00:00 45h, 11-14 00:00 44h, 11-21 00:00 44h, 11-28 00:00 47h, ${REGULAR_LATER}`,
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible abroad"],
    ],
    [
      "a third one in a row is allowed nowhere",
      `11-07 00:00 45h, 11-14 00:00 44h, 11-21 00:00 44h, 11-28 00:00 44h, ${REGULAR_LATER}`,
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible abroad", "weeklyRest 11-29T20:00 44h00/45h00 MI certain"],
    ],
    [
      "a regular rest in the same week as the third",
      `11-07 00:00 45h, 11-14 00:00 44h, 11-21 00:00 44h, 11-24 00:00 45h, 11-28 00:00 44h, ${REGULAR_LATER}`,
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible abroad"],
    ],
    [
      "one minute less than 45 hours",
      `11-07 00:00 45h, 11-14 00:00 44h59m, 11-21 00:00 44h59m, ${"11-28 00:00 45h, 12-05 00:00 45h1m, 12-12 00:00 45h"}`,
      ["weeklyRest 11-22T20:59 44h59/45h00 MI possible abroad"],
    ],
    ["exactly 24 hours", `11-07 00:00 45h, 11-14 00:00 24h, 11-21 00:00 45h, 11-28 00:00 66h, 12-05 00:00 45h`, []],
    [
      "one minute less is no weekly rest",
      `11-07 00:00 45h, 11-14 00:00 23h59m, 11-21 00:00 45h, 11-27 12:00 45h`,
      ["weeklyRestDue 11-14T21:00 291h00/144h00 VSI certain"],
    ],
    [
      "a rest over Sunday midnight counts in the week that needs it: the earlier one",
      "11-03 00:00 45h, 11-08 12:00 45h, 11-10 18:00 24h, 11-15 12:00 24h, 11-22 00:00 47h, 11-27 12:00 45h",
      [],
    ],
    [
      "the later one",
      "11-03 00:00 45h, 11-07 00:00 24h, 11-13 00:00 24h, 11-15 00:00 45h, 11-22 12:00 24h, 11-29 00:00 45h, 12-03 00:00 45h, 12-08 00:00 60h, 12-11 12:00 60h",
      [],
    ],
    [
      "69 hours over Sunday midnight are a regular and a reduced rest (GV 262)",
      "11-07 00:00 45h, 11-14 20:00 69h, 11-23 00:00 45h, 11-28 00:00 60h",
      [],
    ],
    [
      "one minute less are one rest for two weeks",
      "11-07 00:00 45h, 11-14 20:00 68h59m, 11-23 00:00 45h, 11-28 00:00 60h",
      ["weeklyRest 11-17T16:59 11h00/24h00 VSI certain"],
    ],
    [
      "rests every 7 days and 21 hours leave a week without one, although none is overdue",
      "11-06 00:00 45h, 11-13 21:00 45h, 11-21 18:00 45h, 11-29 15:00 45h, 12-07 12:00 45h, 12-15 09:00 45h",
      ["weeklyRest 12-01T12:00 11h00/24h00 VSI certain"],
    ],
  ])("%s", (_, rests, expected) => {
    expect(rowsOf(withWork(rests))).toEqual(expected);
  });

  it.each<[string, string, string, string[]]>([
    [
      "what was before the first activity may have been in order",
      "11-07 08:00 46h, 11-14 16:00 40h, 11-21 18:00 40h, 11-28 20:00 60h",
      "12-01T12:00",
      ["weeklyRest 11-23T00:00 40h00/45h00 SI possible abroad,gap"],
    ],
    [
      "but not for four reduced rests",
      "11-07 08:00 46h, 11-14 16:00 40h, 11-21 18:00 40h, 11-28 20:00 40h, 12-05 22:00 40h, 12-12 22:00 60h",
      "12-15T12:00",
      [
        "weeklyRest 11-23T00:00 40h00/45h00 SI possible abroad,gap",
        "weeklyRest 11-30T00:00 40h00/45h00 SI possible abroad",
        "weeklyRest 12-07T00:00 40h00/45h00 SI certain",
      ],
    ],
    ["a week that is not over lacks nothing", "11-07 00:00 45h, 11-14 00:00 44h", "11-20T23:00", []],
  ])("%s", (_, rests, until, expected) => {
    expect(rowsOf(withWork(rests, { until }), /^weeklyRest$/)).toEqual(expected);
  });
});

describe("weekly rests on a ferry or train (Article 9(1))", () => {
  const rows = (rests: string, ferry?: boolean) => rowsOf(withWork(rests, { change: { team: false, ferry } }), /^weeklyRest(Due)?$/);
  const late = (time: string, certainty: string) => [`weeklyRestDue 11-14T21:00 ${time}/144h00 VSI ${certainty}`];

  it.each<[string, string, unknown: string[], aboard: string[], ashore: string[]]>([
    [
      "a reduced rest in three parts",
      "11-14 00:00 14h, 11-14 14:10 15m, 11-14 14:35 10h30m",
      late("142h55", "possible ferry"),
      [],
      late("291h00", "certain"),
    ],
    [
      "59 minutes between them",
      "11-14 00:00 14h, 11-14 14:30 15m, 11-14 15:14 10h30m",
      late("142h16", "possible ferry"),
      [],
      late("291h00", "certain"),
    ],
    [
      "61 minutes",
      "11-14 00:00 14h, 11-14 14:30 15m, 11-14 15:16 10h30m",
      late("291h00", "certain"),
      late("291h00", "certain"),
      late("291h00", "certain"),
    ],
    [
      "three interruptions",
      "11-14 00:00 10h, 11-14 10:10 15m, 11-14 10:35 15m, 11-14 11:00 14h",
      late("291h00", "certain"),
      late("291h00", "certain"),
      late("291h00", "certain"),
    ],
    [
      "a minute less than 24 hours in all",
      "11-14 00:00 14h, 11-14 14:10 15m, 11-14 14:35 9h44m",
      late("291h00", "certain"),
      late("291h00", "certain"),
      late("291h00", "certain"),
    ],
  ])("%s", (_, parts, unknown, aboard, ashore) => {
    const rests = `11-07 00:00 45h, ${parts}, 11-21 00:00 45h, 11-27 00:00 60h`;
    expect([rows(rests), rows(rests, true), rows(rests, false)]).toEqual([unknown, aboard, ashore]);
  });

  it.each<[string, string, unknown: string[], aboard: string[], ashore: string[]]>([
    [
      "45 hours with a part of 44, after a reduced rest",
      "11-21 00:00 44h, 11-22 20:20 1h",
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible ferry"],
      [],
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible abroad"],
    ],
    [
      "a minute less",
      "11-21 00:00 44h, 11-22 20:20 59m",
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible abroad"],
      ["weeklyRest 11-22T21:19 44h59/45h00 MI possible abroad"],
      ["weeklyRest 11-22T20:00 44h00/45h00 MI possible abroad"],
    ],
  ])("%s", (_, parts, unknown, aboard, ashore) => {
    const rests = `11-07 00:00 45h, 11-14 00:00 44h, ${parts}, 11-28 00:00 45h, 12-04 00:00 60h`;
    expect([rows(rests), rows(rests, true), rows(rests, false)]).toEqual([unknown, aboard, ashore]);
  });

  it("makes no reduced daily rest of a part", () => {
    const reduced = "work 15h, rest 9h, work 15h, rest 9h, work 15h, rest 9h, work 10h";
    const { activities, end } = activitiesFrom(
      instant("2026-11-07T08:00"),
      `rest 46h, ${reduced}, rest 14h, driving 20m, rest 10h, work 14h, rest 60h`,
    );
    const of = (ferry: boolean) =>
      rowsOf({ activities: activities.map((one) => ({ ...one, team: false, ferry })), now: end }, /^dailyRest$/);
    expect([of(true), of(false)]).toEqual([[], ["dailyRest 11-14T06:00 10h00/11h00 MI certain"]]);
  });
});
