import { it } from "vitest";
import { compareInfringements, compareWeeks } from "./random-infringements.ts";

it("finds the infringements of the second implementation in 60 random fortnights, and none that is certain but untrue with gaps", () => {
  compareInfringements(1, 60);
});

it("finds in single weeks of 10 drivers, with the weeks that these need, what all activities show", () => {
  compareWeeks(1, 10);
});
