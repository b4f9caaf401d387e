import { it } from "vitest";
import { expectTruth } from "./watched-time.ts";

it(
  "reports in a simulated week what 150 vehicles did, although their service fails in every way",
  () => expectTruth(7 * 24 * 60, 150, 10_000),
  90 * 60_000,
);
