import { expect, it } from "vitest";
import { withMonthFirst } from "../../src/query/month-first-dates.ts";

it.each<[given: unknown, shown: unknown]>([
  ["2026-21-11", "2026-11-21"],
  ["2026-11-21", "2026-11-21"],
  ["2026-11-12", "2026-11-12 (day or month first)"],
  ["2026-11-11", "2026-11-11"],
  ["2026-31-02", "2026-31-02"],
  ["2026-11-12T08:00Z", "2026-11-12T08:00Z"],
  ["soon", "soon"],
  [20261112, 20261112],
  [["2026-11-12"], ["2026-11-12"]],
  [null, null],
])("%j is shown as %j", (start, shown) => {
  expect(withMonthFirst({ start, other: "2026-11-12" }, ["start", "absent"])).toEqual({ start: shown, other: "2026-11-12" });
});
