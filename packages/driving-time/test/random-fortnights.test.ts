import { it } from "vitest";
import { compareFortnights } from "./random-fortnights.ts";

it("agrees with the second implementation on 700 random fortnights, and contains the truth if activities are lost", () => {
  compareFortnights(1, 700);
});
