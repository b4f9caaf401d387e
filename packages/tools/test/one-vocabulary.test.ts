import { describe, expect, it } from "vitest";
import { fleetUnderTest } from "./fleet-under-test.ts";

/** The names of the vehicles that a list contains, and what else it says. */
async function vehiclesIn(tool: string, args: Record<string, unknown>) {
  const { tools } = await fleetUnderTest();
  const result = await tools.call(tool, args);
  const { items, columns, rows } = result.structured as { items?: Record<string, string>[]; columns?: string[]; rows?: string[][] };
  const names = items?.map(({ assetName }) => assetName) ?? rows?.map((row) => row[columns?.indexOf("assetName") ?? 0]);
  return { names: [...new Set(names)].toSorted(), text: result.text };
}

const ALL = { limit: 500, fields: "assetName" };

describe("words that choose vehicles", () => {
  it.each<[args: Record<string, unknown>, sameAs: Record<string, unknown>]>([
    [{ moving: true }, { where: "moving=true" }],
    [{ type: "electric van" }, { where: "assetType=VAN, energyType=EV" }],
    [{ in: "Germany" }, { where: "country=Germany" }],
    [{ in: "Verona", type: "van" }, { where: "city=Verona, assetType=van" }],
  ])("%j means %j in every list of vehicles", async (words, where) => {
    const { names } = await vehiclesIn("list_live_positions", { ...ALL, ...where });
    expect(names.length).toBeGreaterThan(0);
    expect((await vehiclesIn("list_live_positions", { ...ALL, ...words })).names).toEqual(names);
    for (const args of [words, where]) {
      for (const [tool, more] of [
        ["find_nearest_vehicles", { to: "Vienna" }],
        ["list_vehicle_faults", {}],
      ] as const)
        expect(names).toEqual(expect.arrayContaining((await vehiclesIn(tool, { ...more, ...ALL, ...args })).names));
    }
    const { tools } = await fleetUnderTest();
    const summary = await tools.call("summarize_fleet", words);
    expect(summary.structured).toHaveProperty("vehicles", names.length);
  });

  it("are repeated in the result, with private journeys that are in no place", async () => {
    const { text } = await vehiclesIn("list_live_positions", { ...ALL, in: "Lyon", moving: false });
    expect(text).toContain("Only not moving (driving or over 5 km/h, reported in the last 10 min), in Lyon, France.");
    expect(text).toContain("Left out, on private journeys: 1.");
  });

  it("that match nothing say what exists", async () => {
    const { text } = await vehiclesIn("list_live_positions", { type: "helicopter" });
    expect(text).toContain("Only type helicopter. The fleet has 0 of this type; types: TRUCK 23, VAN 18");
  });
});

it.each([
  ["locate_vehicle", "query", "wgiowy4dkhje"],
  ["list_tire_events", "vehicle", "wgiowy4dkhje"],
  ["find_nearest_vehicles", "to", "wgiowy4dkhje"],
  ["list_live_positions", "group", "dthldpkzdw"],
])("an id that a result shows is accepted by %s as %s", async (tool, argument, id) => {
  const { tools } = await fleetUnderTest();
  for (const written of [id, `id ${id}`, `Id: ${id}`]) {
    expect((await tools.call(tool, { [argument]: written })).text).toMatch(/eVan 3|Poznań Cars/);
  }
});
