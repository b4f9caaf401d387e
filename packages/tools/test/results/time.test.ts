import { describe, expect, it } from "vitest";
import { pluralize, VEHICLE } from "../../src/text/pluralize.ts";
import { ageInWords, ageOf, compassPoint, directionOf, durationInWords, hoursAndMinutes, zonedTimes } from "../../src/text/time.ts";

const NOW = Date.UTC(2026, 10, 20, 9, 30, 15, 900);

it.each([
  [0, "just now"],
  [4.9, "just now"],
  [5, "5 s ago"],
  [59, "59 s ago"],
  [60, "1 min ago"],
  [119, "1 min ago"],
  [3_599, "59 min ago"],
  [3_600, "1 h ago"],
  [86_399, "23 h ago"],
  [86_400, "1 day ago"],
  [172_799, "1 day ago"],
  [172_800, "2 days ago"],
  [-300, "just now"],
  [-301, "in the future"],
])("%d s ago is %j", (seconds, words) => expect(ageInWords(NOW - 1000 * seconds, NOW)).toBe(words));

it.each([
  [0, "0 min"],
  [29_999, "0 min"],
  [30_000, "1 min"],
  [59 * 60_000, "59 min"],
  [60 * 60_000, "1 h 00 min"],
  [425 * 60_000, "7 h 05 min"],
  [1_510 * 60_000, "25 h 10 min"],
])("%d ms are %j", (milliseconds, words) => expect(durationInWords(milliseconds)).toBe(words));

it.each([
  [0, "0:00"],
  [59_999, "0:00"],
  [60_000, "0:01"],
  [16_259_999, "4:30"],
  [360_000_000, "100:00"],
])("%d ms are %j in hours and minutes", (milliseconds, words) => expect(hoursAndMinutes(milliseconds)).toBe(words));

it("the day of the week is that in the zone", () => {
  const { day } = zonedTimes("Europe/Berlin", NOW);
  const days = Array.from({ length: 7 }, (_, at) => day(Date.UTC(2026, 10, 14 + at, 23, 30)));
  expect(days).toEqual(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]);
});

describe("times in a zone", () => {
  it.each([
    ["UTC", "2026-11-20 09:30", "2026-11-20T09:30:15Z"],
    ["Europe/Berlin", "2026-11-20 10:30", "2026-11-20T10:30:15+01:00"],
    ["America/New_York", "2026-11-20 04:30", "2026-11-20T04:30:15-05:00"],
    ["Asia/Kolkata", "2026-11-20 15:00", "2026-11-20T15:00:15+05:30"],
    ["America/St_Johns", "2026-11-20 06:00", "2026-11-20T06:00:15-03:30"],
  ])("%s", (zone, text, iso) => {
    const times = zonedTimes(zone, NOW);
    expect([times.text(NOW), times.iso(NOW)]).toEqual([text, iso]);
    expect(times.note).toBe(`Times in ${zone}, now ${text}.`);
    expect(Date.parse(iso)).toBe(NOW - 900);
  });

  it("have the offset of their own day", () => {
    const { iso } = zonedTimes("Europe/Berlin", NOW);
    expect([Date.UTC(2026, 9, 25, 0, 59), Date.UTC(2026, 9, 25, 1)].map(iso)).toEqual([
      "2026-10-25T02:59:00+02:00",
      "2026-10-25T02:00:00+01:00",
    ]);
  });

  it("are the host's by default", () => {
    expect(zonedTimes(undefined, NOW).zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it("replace instants with an offset at any depth, and nothing else", () => {
    const { localized } = zonedTimes("Europe/Berlin", NOW);
    const kept = ["2026-11-20T09:30:15", "2026-11-20", "at 2026-11-20T09:30:15Z", "2026-02-30T09:30Z", 5, null, undefined];
    expect(localized({ at: "2026-11-20T09:30:15.9Z", list: [{ from: "2026-11-20T09:30+02:00" }], kept })).toEqual({
      at: "2026-11-20T10:30:15+01:00",
      list: [{ from: "2026-11-20T08:30:00+01:00" }],
      kept,
    });
  });
});

it.each([
  [0, "N"],
  [22, "N"],
  [23, "NE"],
  [90, "E"],
  [135, "SE"],
  [180, "S"],
  [225, "SW"],
  [270, "W"],
  [315, "NW"],
  [338, "N"],
  [360, "N"],
  [-45, "NW"],
])("%d° is %s", (degrees, point) => {
  expect(compassPoint(degrees)).toBe(point);
  expect(directionOf(degrees)).toBe(point);
});

it.each([
  ["2026-11-20T09:26:15", "4 min ago"],
  ["yesterday", undefined],
  [undefined, undefined],
])("the age of %j is %j", (value, age) => expect(ageOf(NOW)(value)).toBe(age));

it("a direction that is not a number is not shown", () => expect(directionOf("90")).toBeUndefined());

it.each([
  [0, "0 vehicles"],
  [1, "1 vehicle"],
  [2, "2 vehicles"],
])("%d: %s", (count, text) => expect(pluralize(count, VEHICLE)).toBe(text));
