import { it } from "vitest";
import { compareInfringements } from "./random-infringements.ts";

it("finds the infringements of the second implementation in 60 random fortnights, and none that is certain but untrue with gaps", () => {
  compareInfringements(1, 60);
});
