import { expect, it } from "vitest";
import { pluralize, VEHICLE } from "../../src/results/pluralize.ts";
import { ageInWords, ageOf, compassPoint, directionOf, durationInWords, utc } from "../../src/results/time.ts";

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

it("an instant is shown in UTC, to the second", () => expect(utc(NOW)).toBe("2026-11-20 09:30:15 UTC"));

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
