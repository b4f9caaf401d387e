import { expect, it } from "vitest";
import { pastAgainstTruth } from "./past-against-truth.ts";

it.each([
  ["nonstop", "whereWas"],
  ["nonstop", "whereWasDriver"],
  ["nonstop", "dayOfDriver"],
  ["nonstop", "tripsAndStops"],
  ["nonstop", "endsOfStops"],
  ["nonstop", "visits"],
  ["week", "whereWas"],
  ["week", "whereWasDriver"],
  ["week", "dayOfDriver"],
  ["week", "tripsAndStops"],
  ["week", "endsOfStops"],
  ["week", "visits"],
] as const)("the past of the %s fleet is that of the simulation: %s", { timeout: 120_000 }, async (rhythm, question) => {
  const { [question]: ask } = pastAgainstTruth(rhythm, 3);
  const wrong: (string | undefined)[] = [];
  // A thousand of each: past-against-truth.long.ts.
  for (let count = 0; count < 10; count++) wrong.push(await ask());
  expect(wrong.filter((one) => one !== undefined)).toEqual([]);
});
