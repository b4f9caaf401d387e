import { it } from "vitest";
import { expectTruth } from "./watched-time.ts";

it(
  "reports in an hour and a half what the simulation did, although its service fails in every way",
  () => expectTruth(90, 50, 15),
  120_000,
);
