import { expect, it } from "vitest";
import { briefTime, dayAndTime } from "../../src/text/brief-time.ts";
import { zonedTimes } from "../../src/text/time.ts";

const times = zonedTimes("Europe/Berlin", Date.UTC(2026, 10, 20, 9));
const at = (text: string) => Date.parse(text);

it.each([
  ["2026-11-20T08:56:00Z", "4 min ago"],
  ["2026-11-20T09:00:00Z", "just now"],
  ["2026-11-20T08:00:01Z", "59 min ago"],
  ["2026-11-20T08:00:00Z", "20 Nov 09:00"],
  ["2026-11-20T09:00:01Z", "20 Nov 10:00"],
  ["2026-11-19T23:30:00Z", "20 Nov 00:30"],
  ["2026-11-13T09:00:00Z", "13 Nov 10:00"],
  ["2026-11-13T08:59:59Z", "13 Nov"],
  ["2026-12-03T08:30:00Z", "3 Dec 09:30"],
  ["2026-01-03T09:00:00Z", "3 Jan"],
  ["2025-12-31T22:59:00Z", "31 Dec 2025"],
  ["2025-12-31T23:00:00Z", "1 Jan"],
])("%s is written %j", (instant, expected) => expect(briefTime(at(instant), times)).toBe(expected));

it.each([
  ["2026-11-19T07:00:00Z", "2026-11-19T06:00:00Z", "08:00"],
  ["2026-11-19T07:00:00Z", "2026-11-18T06:00:00Z", "19 Nov 08:00"],
  // The instant before is written as an age, without its day.
  ["2026-11-20T07:00:00Z", "2026-11-20T08:30:00Z", "20 Nov 08:00"],
  ["2026-11-20T07:00:00Z", "2026-11-20T08:00:00Z", "08:00"],
])("%s after %s is written %j", (instant, before, expected) => {
  expect(briefTime(at(instant), times, at(before))).toBe(expected);
});

it("the day of a month is a number", () => expect(dayAndTime(at("2026-08-05T00:00:00Z"), times)).toEqual(["5 Aug", "02:00"]));
