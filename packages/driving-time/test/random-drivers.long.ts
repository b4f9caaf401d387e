import { it } from "vitest";
import { compareFigures, compareInfringements, compareWeeks } from "./random-drivers.ts";

it("has the figures of the second implementation for 100,000 random drivers", () => compareFigures(10_001, 100_000));

it("finds the infringements of the second implementation for 3,000 random drivers", () => compareInfringements(1001, 3_000));

it("finds in single weeks of 600 drivers, with the weeks that these need, nothing certain that all activities refute", () => {
  compareWeeks(1, 300);
  compareWeeks(1001, 300);
});
