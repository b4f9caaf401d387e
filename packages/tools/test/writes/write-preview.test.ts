import { expect, it } from "vitest";
import { createJob } from "../../src/tools/create-job.ts";
import { previewOf } from "../../src/writes/preview.ts";

it.each<[string, unknown, string]>([
  ["a text", "Gate 3", "Gate 3"],
  ["a text whose end would not be visible", "Gate 3 ", '"Gate 3 "'],
  ["no text", "", '""'],
  ["a number", 5, "5"],
  ["an object", { city: "Lyon" }, '{"city":"Lyon"}'],
  ["texts, which may hold the separator", ["a, b", 'c"'], '"a, b", "c\\""'],
  ["other values in a list", [{ city: "Lyon" }, 5, [" "]], '{"city":"Lyon"}, 5, " "'],
])("a preview shows %s", async (_, value, shown) => {
  const preview = async () => [{ field: "stop", value }];
  expect(await previewOf(createJob, { input: {}, preview })).toEqual(["Create job:", `stop: ${shown}`]);
});
