import { it } from "vitest";
import { compareFigures, compareInfringements, compareWeeks } from "./random-drivers.ts";

it("has the figures of the second implementation for 300 random drivers, and contains them if activities are lost", () => {
  compareFigures(1, 300);
});

it("finds the infringements of the second implementation for 50 random drivers, and with gaps none that is certain but untrue", () => {
  compareInfringements(1, 50);
});

it("finds in single weeks of 11 drivers, with the weeks that these need, nothing certain that all activities refute", () => {
  compareWeeks(1, 10);
  compareWeeks(1260, 1);
});
