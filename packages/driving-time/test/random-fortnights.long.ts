import { it } from "vitest";
import { compareFortnights } from "./random-fortnights.ts";

it("agrees with the second implementation on 100,000 random fortnights, and contains the truth if activities are lost", () => {
  compareFortnights(10_001, 100_000);
});
