import { expect, it } from "vitest";
import { pastAgainstTruth } from "./past-against-truth.ts";

it.each(
  (["nonstop", "week"] as const).flatMap((rhythm) =>
    (["whereWas", "whereWasDriver", "dayOfDriver", "tripsAndStops", "visits"] as const).map((question) => [rhythm, question] as const),
  ),
)("a thousand questions of the %s fleet: %s", { timeout: 1_200_000 }, async (rhythm, question) => {
  const { [question]: ask } = pastAgainstTruth(rhythm, 11);
  const wrong: (string | undefined)[] = [];
  for (let count = 0; count < 1_000; count++) wrong.push(await ask());
  expect(wrong.filter((one) => one !== undefined)).toEqual([]);
});
