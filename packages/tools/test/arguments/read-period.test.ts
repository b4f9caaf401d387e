import { describe, expect, it } from "vitest";
import { faultPages, servedFleet } from "../served-fleet.ts";
import { rowsOf } from "../text-rows.ts";

// A Friday.
const NOW = Date.UTC(2026, 10, 20, 9, 30);

/** Days from the first to the second, in UTC, and how they are written. */
const DAYS = rowsOf(`
  2026-11-20 to 2026-11-21: today |  The   TODAY | friday | this friday
  2026-11-19 to 2026-11-20: yesterday | thursday | last thursday
  2026-11-18 to 2026-11-19: day before yesterday | on wednesday
  2026-11-13 to 2026-11-14: last friday
  2026-11-27 to 2026-11-28: next friday
  2026-11-17 to 2026-11-18: tuesday
  2026-11-15 to 2026-11-16: sunday
  2026-02-28 to 2026-03-01: 2026-02-28
  2026-11-16 to 2026-11-23: this week
  2026-11-09 to 2026-11-16: last week | the last week | week 46
  2026-11-23 to 2026-11-30: next week
  2026-10-05 to 2026-10-12: the week of 2026-10-10
  2025-12-29 to 2026-01-05: KW 1
  2026-12-28 to 2027-01-04: 2026-W53
  2026-11-14 to 2026-11-16: last weekend | the weekend
  2026-11-21 to 2026-11-23: this weekend
  2026-10-10 to 2026-10-12: the weekend of 2026-10-10 | the weekend of 7 October
  2026-11-01 to 2026-12-01: this month | november
  2026-10-01 to 2026-11-01: last month | october | in October | last october
  2025-10-01 to 2025-11-01: October 2025 | Oct 2025 | October last year | 2025-10
  2025-10-10 to 2025-10-11: October 10th, 2025 | 10.10.2025
  2026-07-01 to 2026-10-01: Q3 | last quarter
  2026-10-01 to 2027-01-01: Q4 | this quarter
  2025-10-01 to 2026-01-01: last Q4 | Q4 last year
  2025-01-01 to 2025-04-01: Q1 2025 | 2025 Q1`);

const INSTANTS: [text: string, start: string, end: string][] = [
  ["last 24 hours", "2026-11-19T09:30", "2026-11-20T09:30"],
  ["last 3 days", "2026-11-17T09:30", "2026-11-20T09:30"],
  // The last day is whole, in Tokyo.
  ["next 3 days", "2026-11-20T09:30", "2026-11-23T15:00"],
  ["last 3 months", "2026-08-19T15:00", "2026-11-20T09:30"],
];

const date = (text: string) => Date.parse(`${text.padEnd(11, "T").padEnd(16, "00:00")}:00Z`);
const minutes = (instant: number) => new Date(instant).toISOString().slice(0, 16).replace("T", " ");

/** How list_vehicle_faults reads a period: what it requests, and what it says of it. */
async function readPeriod(period: string, now: number, zone: string | undefined) {
  const { service, text } = await servedFleet({ script: faultPages([]), env: { FLEET_TIME_ZONE: zone }, options: { now: () => now } });
  const said = await text("list_vehicle_faults", { period });
  const { searchParams } = service.of("listVehicleFaults")[0]?.url ?? new URL(service.origin);
  const [start = Number.NaN, end = Number.NaN] = ["startDate", "endDate"].map((name) => Date.parse(`${searchParams.get(name)}Z`));
  return { start, end, said: /Period (.+); the service describes/.exec(said)?.[1] };
}

const NO_OFFSET = "times without an offset read";

describe("a period", () => {
  it.each(DAYS)("from %s is %s", async (days, texts) => {
    const [start = "", end = ""] = days.split(" to ");
    for (const text of texts.split(" | ")) {
      const words = `${text.trim().toLowerCase().replace(/\s+/g, " ")} in UTC`;
      const said = `${words}: ${start} 00:00 to ${end} 00:00`;
      expect(await readPeriod(text, NOW, "UTC")).toEqual({ start: date(start), end: date(end), said });
    }
  });

  it.each(INSTANTS)("%j is from %s to %s, in any time zone", async (text, start, end) => {
    const nineHours = 9 * 3_600_000;
    const said = `${text} in Asia/Tokyo: ${minutes(date(start) + nineHours)} to ${minutes(date(end) + nineHours)}`;
    expect(await readPeriod(text, NOW, "Asia/Tokyo")).toEqual({ start: date(start), end: date(end), said });
  });

  it.each([
    ["2026-11-18T06:00:00Z/2026-11-18T18:00:00Z", "2026-11-18T06:00", "2026-11-18T18:00", "as given"],
    [" 2026-11-17/2026-11-18 ", "2026-11-16T23:00", "2026-11-18T23:00", "2026-11-17 through 2026-11-18"],
    ["from Monday to Wednesday", "2026-11-15T23:00", "2026-11-18T23:00", "from Monday through Wednesday"],
    ["last week / today", "2026-11-08T23:00", "2026-11-20T23:00", "last week through today"],
    ["since Monday", "2026-11-15T23:00", "2026-11-20T09:30", "since monday"],
    ["2026-11-17/2026-11-18T12:00:00Z", "2026-11-16T23:00", "2026-11-18T12:00", "2026-11-17 to 2026-11-18T12:00:00Z"],
    ["2026-11-17T12:00:00Z/2026-11-17", "2026-11-17T12:00", "2026-11-17T23:00", "2026-11-17T12:00:00Z through 2026-11-17"],
    ["2026-11-18T06:00/2026-11-18T18:00:00.0", "2026-11-18T05:00", "2026-11-18T17:00", `as given, ${NO_OFFSET}`],
    ["2026-11-18T06:00/2026-11-18", "2026-11-18T05:00", "2026-11-18T23:00", `2026-11-18T06:00 through 2026-11-18, ${NO_OFFSET}`],
    ["2026-11-17/2026-11-18T12:00", "2026-11-16T23:00", "2026-11-18T11:00", `2026-11-17 to 2026-11-18T12:00, ${NO_OFFSET}`],
    ["2026-11-17 6 to 10", "2026-11-17T05:00", "2026-11-17T09:00", NO_OFFSET],
    ["08:00 to now", "2026-11-20T07:00", "2026-11-20T09:30", "08:00 to now"],
    ["yesterday 18:00/today 12:00", "2026-11-19T17:00", "2026-11-20T11:00", "yesterday 18:00 to today 12:00"],
    ["yesterday 18:00 to 20:00", "2026-11-19T17:00", "2026-11-19T19:00", "yesterday 18:00 to 20:00"],
    ["from Wednesday 10 pm until 6:00", "2026-11-18T21:00", "2026-11-19T05:00", "from Wednesday 10 pm to 6:00"],
    ["since yesterday 18:00", "2026-11-19T17:00", "2026-11-20T09:30", "since yesterday 18:00"],
    ["Tuesday, 6:30-10:00", "2026-11-17T05:30", "2026-11-17T09:00", "tuesday 6:30 to 10:00"],
    ["yesterday from 6 to 10 pm", "2026-11-19T17:00", "2026-11-19T21:00", "yesterday 6:00 pm to 10:00 pm"],
    ["yesterday 22 to 6", "2026-11-19T21:00", "2026-11-20T05:00", "yesterday 22:00 to 6:00"],
    ["this afternoon", "2026-11-20T11:00", "2026-11-20T17:00", "today 12:00 to 18:00"],
    ["2-8 November", "2026-11-01T23:00", "2026-11-08T23:00", "2 november through 8 november"],
    ["the last two weeks", "2026-11-06T09:30", "2026-11-20T09:30", "the last 2 weeks"],
  ])("%j is from %s to %s, %s", async (text, start, end, words) => {
    const said = expect.stringContaining(`${words} in Europe/Berlin: `);
    expect(await readPeriod(text, NOW, "Europe/Berlin")).toEqual({ start: date(start), end: date(end), said });
  });

  const INVALID = `overmorrow | last 12345 hours | last 2 fortnights | since Monday morning | Monday to | in the last 2 days | last 2 days ago |
    2026-02-30 | 2026-11-00 | 2026-13-01 | 12026-11-01 | 2026-11-011 | 2026-11-18/ | /2026-11-18 | 2026-11-17/2026-11-18/2026-11-19 |
    31 september | week 54 | 6 to 10 | yesterday 6 to 30 | last week 6 to 10 | monday 6 to 10 tuesday | Q5 | last week 18:00 to today |
    today 25:00 to tomorrow | ${"x".repeat(61)}`;
  const BACKWARDS = `last 0 hours | since tomorrow | Wednesday to Monday | 2026-11-18/2026-11-17 | today 12:00/yesterday 18:00 |
    2026-11-18T12:00/2026-11-18T06:00`;

  it.each([
    ["is not a valid period", INVALID],
    ["ends before it begins", BACKWARDS],
  ])("%s: %s", async (why, periods) => {
    const { failure, service } = await servedFleet({ options: { now: () => NOW } });
    for (const period of periods.split(/ \|\s+/)) {
      const quoted = period.length > 60 ? `${period.slice(0, 59)}…` : period;
      expect(await failure("list_vehicle_faults", { period })).toBe(
        `input: period: "${quoted}" ${why}. Next: Use today, last week, October, last 24 hours, or start/end: dates or ISO 8601.`,
      );
    }
    expect(service.received).toEqual([]);
  });
});

describe("days in a time zone", () => {
  it.each([
    ["with an offset", "today", "2026-11-20T20:00", "Asia/Tokyo", "2026-11-20T15:00", "2026-11-21T15:00"],
    ["on which clocks go back", "2026-10-25", "2026-11-20T03:00", "Europe/Berlin", "2026-10-24T22:00", "2026-10-25T23:00"],
    ["of a week across years", "last week", "2027-01-06T12:00", "UTC", "2026-12-28T00:00", "2027-01-04T00:00"],
    ["of a week on a Monday", "this week", "2026-11-16T12:00", "UTC", "2026-11-16T00:00", "2026-11-23T00:00"],
  ])("%s: %s at %s in %s", async (_, text, now, zone, start, end) => {
    expect(await readPeriod(text, date(now), zone)).toMatchObject({ start: date(start), end: date(end) });
  });

  it("are at most two years, more than any question needs", async () => {
    const { failure, service } = await servedFleet({ options: { now: () => NOW } });
    for (const period of ["1900-01-01/2100-01-01", "2024-11-18 to 2026-11-20", "last 9999 days", "since 2020-01-01"])
      for (const tool of ["list_vehicle_faults", "trips_and_stops"])
        expect(await failure(tool, { period })).toBe(
          `input: period: "${period}" is longer than two years. Next: Ask for at most two years, or for each year by itself.`,
        );
    expect(service.received).toEqual([]);
  });
});

const twice = (time: string, which = "first") => `clocks show ${time} twice, read as the ${which}`;
const skipped = (time: string, read: string) => `clocks skip ${time}, read as ${read}: `;

describe("times at which clocks change", () => {
  it.each([
    [
      "Europe/Berlin",
      "2026-10-25 02:30/2026-10-25 04:00",
      "2026-10-25T00:30",
      "2026-10-25T03:00",
      `${twice("02:30")}: 2026-10-25 02:30+02:00`,
    ],
    ["Europe/Berlin", "2026-10-25T02:35/2026-10-25T02:20", "2026-10-25T00:35", "2026-10-25T01:20", twice("02:20", "second")],
    ["Europe/Berlin", "2026-03-29 02:30/2026-03-29 04:00", "2026-03-29T01:00", "2026-03-29T02:00", skipped("02:30", "03:00")],
    ["Australia/Lord_Howe", "2026-10-04 02:15/2026-10-04 03:00", "2026-10-03T15:30", "2026-10-03T16:00", skipped("02:15", "02:30")],
  ])("in %s, %j is from %s to %s", async (zone, text, start, end, words) => {
    expect(await readPeriod(text, NOW, zone)).toEqual({ start: date(start), end: date(end), said: expect.stringContaining(words) });
  });
});

describe("a time without an offset is in the user's zone, whichever tool reads it:", () => {
  it.each([
    ["2026-11-03T08:30:00", "2026-11-03T08:30:00+01:00", "2026-11-03T08:30:00: read in Europe/Berlin."],
    ["2026-10-25 02:30", "2026-10-25T02:30:00+02:00", "clocks show 02:30 twice, read as the first."],
    ["2026-03-29 02:30", "2026-03-29T03:00:00+02:00", "clocks skip 02:30, read as 03:00."],
  ])("%s is %s", async (time, instant, assumed) => {
    const { record } = await servedFleet({
      script: {
        listLivePositions: () => ({ body: [{ assetId: "v1", assetName: "Truck 1", assetRegistration: "AB 1" }] }),
        queryTachoActivity: () => ({ body: { count: 0, data: [] } }),
        ...faultPages([{ id: "v1", assetName: "Truck 1", faults: [{ code: "P1", startDate: instant }] }]),
      },
      env: { FLEET_TIME_ZONE: "Europe/Berlin" },
      options: { now: () => NOW },
    });
    expect((await record("where_was", { vehicle: "Truck 1", time })).time).toBe(instant);
    const at = await record("list_vehicle_faults", { where: `startDate=${time}` });
    expect([at.items.length, at.note]).toEqual([1, expect.stringContaining(assumed)]);
  });
});
