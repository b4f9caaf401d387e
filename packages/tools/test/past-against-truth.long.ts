import { expect, it } from "vitest";
import { pastAgainstTruth, QUESTIONS, wrongOf } from "./past-against-truth.ts";

it.each((["nonstop", "week"] as const).flatMap((rhythm) => QUESTIONS.map((question) => [rhythm, question] as const)))(
  "a thousand questions of the %s fleet: %s",
  { timeout: 1_200_000 },
  async (rhythm, question) => {
    // One question about the ends of stops compares those of a whole fleet.
    expect(await wrongOf(pastAgainstTruth(rhythm, 11)[question], question === "endsOfStops" ? 50 : 1_000)).toEqual([]);
  },
);
