import { expect, it } from "vitest";
import { ageTokens, type DataAge, schemaWithAge, withAge } from "../../src/text/data-age.ts";

const RESULT = { text: "2 vehicles.", structured: { total: 2 } };
const FAILING = "The service is failing (upstream), so there is nothing newer.";

it.each<[DataAge, string, object]>([
  [{ seconds: 7 }, "2 vehicles.\nRead 7 s ago.", { total: 2, readSecondsAgo: 7 }],
  [{ seconds: 90, failure: "upstream" }, `2 vehicles.\nRead 90 s ago. ${FAILING}`, { total: 2, readSecondsAgo: 90, outdated: FAILING }],
])("the age %j is added to the text and the record, at the cost that was estimated", (age, text, structured) => {
  const aged = withAge(RESULT, age);
  expect(aged).toEqual({ text, structured });
  const costOf = (result: typeof aged) => JSON.stringify(result.text).length + JSON.stringify(result.structured).length;
  expect(ageTokens(age)).toBe(Math.ceil((costOf(aged) - costOf(RESULT)) / 4));
});

it("the output schema has the fields too", () => {
  const { properties, ...schema } = schemaWithAge({ type: "object", properties: { total: { type: "integer" } } });
  expect(schema).toEqual({ type: "object" });
  expect(properties).toMatchObject({ total: { type: "integer" }, readSecondsAgo: { type: "integer" }, outdated: { type: "string" } });
});
