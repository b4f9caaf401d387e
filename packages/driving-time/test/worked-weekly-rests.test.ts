import { describe, expect, it } from "vitest";
import { type Activity, infringements } from "../src/index.ts";
import { activitiesFrom, DAY, duration, HOUR, hours, instant, table } from "./activities.ts";

// Weeks begin on Mondays: 2, 9, 16, 23 and 30 November and 7 December 2026.

type Driver = { activities: readonly Activity[]; now: number };

/** Work between rests, each of which is written "day time length": "11-07 00 45h". Days of work have rests of 11 hours. */
function withWork(rests: string, change: Partial<Activity> = { team: false, ferry: false }, until = ""): Driver {
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
    const [day, time = "", length = ""] = rest.split(" ");
    const start = instant(`2026-${day}T${time.padEnd(3, ":").padEnd(5, "0")}`);
    work(start);
    at = start + duration(length);
    activities.push({ kind: "rest", start, end: at, ...change });
  }
  work(until ? instant(`2026-${until}`) : at + 5 * HOUR);
  return { activities, now: at };
}

/** The rules in short: Due, Compensation, and none for the weekly rest itself. */
const rowsOf = ({ activities, now }: Driver, rules = /^weeklyRest/): string =>
  infringements(activities, { start: 0, end: now + 60 * DAY }, now)
    .filter(({ rule }) => rules.test(rule))
    .map(({ rule, at, actual, limit, severity, certainty, doubts }) => {
      const figures = `${hours(actual.atLeast)}/${hours(limit)}`;
      const parts = [rule.slice(10), new Date(at).toISOString().slice(5, 16), figures, severity ?? "-", certainty, doubts.join()];
      return parts.join(" ").trim();
    })
    .join("; ") || "nothing";

const LATER = "12-05 00 62h, 12-12 00 62h";
const EVERY_45 = "11-21 00 45h, 11-28 00 45h, 12-05 00 45h, 12-12 00 45h";
const ABROAD = "11-22T20:00 44h00/45h00 MI possible abroad";

describe("weekly rests are counted in calendar weeks", () => {
  it.each(
    table(`
    three reduced ones between two regular | 10-30 16 62h, 11-02 18 30h, 11-04 18 30h, 11-06 12 30h, 11-12 12 48h, 11-18 12 48h | nothing
    extra rests owe nothing | 11-07 00 46h, 11-09 18 38h, 11-11 18 38h, 11-14 00 46h, 11-16 18 38h, 11-18 18 38h, ${EVERY_45} | nothing
    a reduced one owes its reduction | 11-07 00 45h, 11-14 00 30h, ${EVERY_45} | Compensation 12-07T00:00 2h00/15h00 - possible compensation
    which is taken in time | 11-07 00 45h, 11-14 00 30h, 11-21 00 45h, 11-28 00 45h, 12-03 00 24h, 12-05 00 45h, 12-12 00 45h | nothing
    the second reduced one in a row | 11-07 00 45h, 11-14 00 44h, 11-21 00 44h, 11-28 00 47h, ${LATER} | ${ABROAD}
    a third is allowed nowhere | 11-07 00 45h, 11-14 00 44h, 11-21 00 44h, 11-28 00 44h, ${LATER} | ${ABROAD}; 11-29T20:00 44h00/45h00 MI certain
    a regular one in the week of the third | 11-07 00 45h, 11-14 00 44h, 11-21 00 44h, 11-24 00 45h, 11-28 00 44h, ${LATER} | ${ABROAD}
    a minute less than 45 hours | 11-07 00 45h, 11-14 00 44h59m, 11-21 00 44h59m, 11-28 00 45h, 12-05 00 45h1m | 11-22T20:59 44h59/45h00 MI possible abroad
    exactly 24 hours | 11-07 00 45h, 11-14 00 24h, 11-21 00 45h, 11-28 00 66h, 12-05 00 45h | nothing
    a minute less | 11-07 00 45h, 11-14 00 23h59m, 11-21 00 45h, 11-27 12 45h | Due 11-14T21:00 291h00/144h00 VSI certain
    over Sunday midnight, in the earlier week | 11-03 00 45h, 11-08 12 45h, 11-10 18 24h, 11-15 12 24h, 11-22 00 47h, 11-27 12 45h | nothing
    or in the later | 11-03 00 45h, 11-07 00 24h, 11-13 00 24h, 11-15 00 45h, 11-22 12 24h, 11-29 00 45h, 12-03 00 45h, 12-08 00 60h, 12-11 12 60h | nothing
    69 hours are two rests (GV 262) | 11-07 00 45h, 11-14 20 69h, 11-23 00 45h, 11-28 00 60h | nothing
    a minute less are one | 11-07 00 45h, 11-14 20 68h59m, 11-23 00 45h, 11-28 00 60h | 11-17T16:59 11h00/24h00 VSI certain
    every 7 days and 21 hours | 11-06 00 45h, 11-13 21 45h, 11-21 18 45h, 11-29 15 45h, 12-07 12 45h, 12-15 09 45h | 12-01T12:00 11h00/24h00 VSI certain
  `),
  )("%s: %s", (_, rests = "", expected) => {
    expect(rowsOf(withWork(rests))).toBe(expected);
  });

  it("of two reduced rests in a week, the longer one counts", () => {
    const rests = "11-07 00 45h, 11-10 00 25h, 11-14 00 25h, 11-17 00 40h, 11-21 00 25h, 11-28 00 45h, 12-05 00 45h, 12-12 00 45h";
    const owed = "Compensation 12-07T00:00 16h00/20h00 - possible compensation";
    expect(rowsOf(withWork(rests))).toBe(`11-22T01:00 40h00/45h00 SI possible abroad; ${owed}`);
  });

  it("compensation is certainly missing if no rest is long enough and weeks need the reduced one, whatever was before", () => {
    const since = (first: string) =>
      rowsOf(withWork(`${first}11-21 00 24h, 11-28 00 24h, 12-05 00 24h, 12-12 00 24h, 12-19 00 45h`), /Compensation/);
    const owed = "Compensation 12-14T00:00 0h00/21h00 - certain";
    expect(since("11-14 00 24h, ").split("; ")).toContain(owed);
    expect(since("").split("; ")).not.toContain(owed);
  });

  const START = "11-07 08 46h, 11-14 16 40h, 11-21 18 40h";
  const GAP = "11-23T00:00 40h00/45h00 SI possible abroad,gap";
  it.each<[string, string, string, string]>([
    ["what was before the first activity may have been in order", `${START}, 11-28 20 60h`, "12-01T12:00", GAP],
    [
      "but not for four reduced rests",
      `${START}, 11-28 20 40h, 12-05 22 40h, 12-12 22 60h`,
      "12-15T12:00",
      `${GAP}; 11-30T00:00 40h00/45h00 SI possible abroad; 12-07T00:00 40h00/45h00 SI certain`,
    ],
    ["a week that is not over lacks nothing", "11-07 00 45h, 11-14 00 44h", "11-20T23:00", "nothing"],
  ])("%s", (_, rests, until, expected) => {
    expect(rowsOf(withWork(rests, undefined, until), /^weeklyRest$/)).toBe(expected);
  });
});

describe("weekly rests on a ferry or train (Article 9(1))", () => {
  const rows = (rests: string) =>
    [undefined, true, false].map((ferry) => rowsOf(withWork(rests, { team: false, ferry }), /^weeklyRest(Due)?$/));
  const late = (time: string, certainty: string) => `Due 11-14T21:00 ${time}/144h00 VSI ${certainty}`;
  const NONE = Array(3).fill(late("291h00", "certain"));

  const DUE = "11-07 00 45h, *, 11-21 00 45h, 11-27 00 60h";
  const REGULAR = "11-07 00 45h, 11-14 00 44h, *, 11-28 00 45h, 12-04 00 60h";
  it.each<[string, string, string, expected: string[]]>([
    ["in three parts", DUE, "11-14 00 14h, 11-14 14:10 15m, 11-14 14:35 10h30m", [late("142h55", "possible ferry"), "nothing", NONE[0]]],
    ["59 minutes apart", DUE, "11-14 00 14h, 11-14 14:30 15m, 11-14 15:14 10h30m", [late("142h16", "possible ferry"), "nothing", NONE[0]]],
    ["61 minutes apart", DUE, "11-14 00 14h, 11-14 14:30 15m, 11-14 15:16 10h30m", NONE],
    ["in four parts", DUE, "11-14 00 10h, 11-14 10:10 15m, 11-14 10:35 15m, 11-14 11:00 14h", NONE],
    ["of a minute less than 24 hours", DUE, "11-14 00 14h, 11-14 14:10 15m, 11-14 14:35 9h44m", NONE],
    ["of 45 hours", REGULAR, "11-21 00 44h, 11-22 20:20 1h", [ABROAD.replace("abroad", "ferry"), "nothing", ABROAD]],
    ["of a minute less", REGULAR, "11-21 00 44h, 11-22 20:20 59m", [ABROAD, "11-22T21:19 44h59/45h00 MI possible abroad", ABROAD]],
  ])("a rest %s, if nothing is known, aboard and ashore", (_, rests, parts, expected) => {
    expect(rows(rests.replace("*", parts))).toEqual(expected);
  });

  it.each([
    [true, "nothing"],
    [false, "11-14T06:00 10h00/11h00 MI certain"],
  ])("no reduced daily rest is made of a part: aboard %s", (ferry, expected) => {
    const text = "rest 46h, 3x(work 15h, rest 9h), work 10h, rest 14h, driving 20m, rest 10h, work 14h, rest 60h";
    const { activities, end } = activitiesFrom(instant("2026-11-07T08:00"), text);
    expect(rowsOf({ activities: activities.map((one) => ({ ...one, team: false, ferry })), now: end }, /^dailyRest$/)).toBe(expected);
  });
});
