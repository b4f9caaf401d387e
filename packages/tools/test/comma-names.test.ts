import { describe, expect, it } from "vitest";
import { createFleetTools, type FleetTools } from "../src/index.ts";
import { type Asked, cannedService, NOW, toolsOver } from "./canned-service.ts";

const at = (id: string, assetName: string, driverId: string, driverName: string, more: object = {}) => ({
  ...{ assetId: id, assetName, assetRegistration: `REG ${id}`, driverId, driverName, date: "2026-11-20T08:00:00Z" },
  ...{ assetGroupId: "g1", assetGroupName: "Lyon Vans", driverGroupId: "g1", driverGroupName: "Lyon Vans", ...more },
});

const FLEET = [
  at("v1", "Truck 12", "p1", "Kowalski, Jan"),
  at("v2", "Truck 13", "p2", "Kowalski, Piotr"),
  at("v3", "Van, 7", "p3", "Anna Nowak"),
  at("v4", "Van, 8", "p4", "Anna Nowak"),
  at("v5", "Truck 14", "p5", "Nowak, Jan", {
    assetGroupId: "g2",
    assetGroupName: "Paris, Vans",
    driverGroupId: "g2",
    driverGroupName: "Paris, Vans",
  }),
];

async function fleet(positions = FLEET) {
  const service = await cannedService(({ operation }: Asked) => {
    if (operation === "listLivePositions") return positions;
    if (operation === "queryTachoActivity") return { count: 0, data: [] };
    return operation === "listVehicleFaults" ? { items: [], pagination: {} } : { jobs: [] };
  });
  const { config } = toolsOver(service);
  return createFleetTools(config, { now: () => NOW });
}

/** Calls of every tool that takes a driver. */
const WITH_DRIVER: Record<string, (driver: string) => object> = {
  driver_hours: (driver) => ({ driver }),
  summarize_driver_activity: (driver) => ({ driver, period: "yesterday" }),
  query_tacho_activity: (driver) => ({ driver, period: "yesterday" }),
  list_live_positions: (driver) => ({ driver }),
  update_group: (drivers) => ({ group: "g1", drivers, dryRun: true }),
  create_job: (personName) => ({ address: "Lyon", personName, dryRun: true }),
};

/** Whether a call found what its names refer to; otherwise what it says. */
async function outcome(tools: FleetTools, tool: string, args: object): Promise<string> {
  const { ok, structured, text } = await tools.call(tool, args);
  const { result } = structured as { result?: string };
  return ok && result !== "ambiguous" && result !== "notFound" ? "found" : text;
}

describe.each(Object.entries(WITH_DRIVER))("%s finds a driver with a comma in the name", (tool, args) => {
  it.each(["Kowalski, Jan", "Jan Kowalski", "kowalski,jan"])("asked for as %s", async (name) => {
    expect(await outcome(await fleet(), tool, args(name))).toBe("found");
  });

  it.each(["Kowalski", "Anna Nowak"])("and accepts what its own question about %s offers", async (name) => {
    const tools = await fleet();
    const { text } = await tools.call(tool, args(name));
    const labels = /Which one: (.*)\? (?:Ask|Nothing)/.exec(text)?.[1]?.split(/; (?=Kow|Anna)/) ?? [];
    for (const label of labels) expect([label, await outcome(tools, tool, args(label))]).toEqual([label, "found"]);
    expect(labels.length === 2 || name === "Anna Nowak").toBe(true);
  });

  it.each([
    ["Anna Nowak (p3)", "Anna Nowak (p3), drives Van, 7", "Anna Nowak (Van, 7; Lyon Vans)"],
    ["Kowalski, Jan (p1)", "Kowalski, Jan (p1), drives Truck 12", "Kowalski, Jan (Truck 12; Lyon Vans)"],
  ])("and accepts what the questions of other tools offer: %s", async (...labels) => {
    const tools = await fleet();
    for (const label of labels) expect([label, await outcome(tools, tool, args(label))]).toEqual([label, "found"]);
  });
});

it.each<[string, (text: string) => object, string[]]>([
  ["locate_vehicle", (query) => ({ query }), ["Van, 7", "Van, 7 (REG v3)", "Van, 7 (REG v3), driver Anna Nowak"]],
  ["list_vehicle_faults", (vehicle) => ({ vehicle }), ["Van, 7", "Van, 7 (REG v3)", "Van, 7 (REG v3), driver Anna Nowak"]],
  ["update_group", (vehicles) => ({ group: "g2", vehicles, dryRun: true }), ["Van, 7", "Van, 7 (REG v3), driver Anna Nowak"]],
  ["create_job", (vehicleName) => ({ address: "Lyon", vehicleName, dryRun: true }), ["Van, 7", "Van, 7 (REG v3), driver Anna Nowak"]],
  ["driver_hours", (group) => ({ group }), ["Paris, Vans", "Paris, Vans (g2)"]],
  ["update_group", (group) => ({ group, name: "N", dryRun: true }), ["Paris, Vans", "Paris, Vans (g2)"]],
  ["create_job", (groupName) => ({ address: "Lyon", groupName, dryRun: true }), ["Paris, Vans", "Paris, Vans (g2)"]],
])("%s finds vehicles and groups by name and label, with a comma in the name", async (tool, args, names) => {
  const tools = await fleet();
  for (const name of names) expect([name, await outcome(tools, tool, args(name))]).toEqual([name, "found"]);
});

it.each<[string, string[]]>([
  ["Kowalski, Jan, Anna Nowak", []],
  ["Anna Nowak, Jan Kowalski", ["Anna Nowak", "Kowalski, Jan"]],
])("a comma still separates drivers in a text that is no name: %s", async (driver, names) => {
  const { text } = await (await fleet()).call("driver_hours", { driver });
  for (const name of names) expect(text).toContain(name);
});

it.each<[string, (driver: string) => object]>([
  ["list_live_positions", (driver) => ({ driver })],
  ["list_jobs", (driver) => ({ driver })],
  ["update_group", (drivers) => ({ group: "g1", drivers, dryRun: true })],
])("%s asks which of two drivers with the same comma in the name", async (tool, args) => {
  const tools = await fleet([...FLEET, at("v6", "Truck 15", "p6", "Kowalski, Jan")]);
  expect((await tools.call(tool, args("Kowalski, Jan"))).text).toMatch(/^2 drivers match "Kowalski, Jan"\. Which one: /);
});
