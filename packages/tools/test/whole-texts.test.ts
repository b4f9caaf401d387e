import { describe, expect, it } from "vitest";
import { fleetUnderTest } from "./fleet-under-test.ts";

const NOTES = `Ring at the gate. ${"Mind the dog, the ramp and the low bridge. ".repeat(12)}Code 4711.`;
const LONG = `${"Many words. ".repeat(3000)}The end.`;

/** Two jobs in a service of its own, each with notes. */
async function jobsWith(notes: string) {
  const { tools, settings } = await fleetUnderTest({ env: { FLEET_CONFIRM: "never" } });
  for (const jobTitle of ["Collect pallets", "Deliver parts"])
    expect(await tools.call("create_job", { jobTitle, address: "Lyon", notes })).not.toHaveProperty("error");
  return { tools, settings };
}

describe("a text too long for a table", () => {
  it.each([
    ["the only record", { where: "jobTitle=Deliver parts", fields: "jobTitle,notes,status" }, NOTES, true],
    ["the only field asked for", { fields: "notes" }, NOTES, true],
    ["one of many fields of several records", { fields: "jobTitle,notes,status" }, NOTES, false],
    ["longer than the budget", { fields: "notes" }, LONG, false],
  ])("%s", async (_, args, notes, isWhole) => {
    const { tools } = await jobsWith(notes);
    const result = await tools.call("list_jobs", args);
    const text = "text" in result ? result.text : JSON.stringify(result);
    expect(text.includes(notes.trim().slice(-20))).toBe(isWhole);
    expect(text.includes("Long values are shortened")).toBe(!isWhole && text.includes("…"));
  });
});
