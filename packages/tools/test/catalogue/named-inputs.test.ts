import { expect, it } from "vitest";
import { fleetUnderTest } from "../fleet-under-test.ts";

it.each([
  ["without a period", {}],
  ["in a period", { period: "last 90 days" }],
])("a list about a named group goes on %s, from its cursor alone", async (_, period) => {
  const { tools } = await fleetUnderTest();
  const listed = async (args: object) => {
    const { structured } = await tools.call("list_vehicle_faults", args);
    return structured as { rows: unknown[][]; next?: string };
  };
  const fields = ["code", "startDate", "assetName"];
  const whole = await listed({ group: "Lyon Vans", ...period, fields, limit: 100 });
  expect(whole.rows.length).toBeGreaterThan(2);
  const rows: unknown[][] = [];
  let page = await listed({ group: "Lyon Vans", ...period, fields, limit: 2 });
  while (page.next !== undefined) {
    rows.push(...page.rows);
    page = await listed({ cursor: page.next, fields, limit: 2 });
  }
  expect([...rows, ...page.rows]).toEqual(whole.rows);
});
