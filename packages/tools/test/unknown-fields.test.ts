import { describe, expect, it } from "vitest";
import { fleetUnderTest } from "./fleet-under-test.ts";

const textOf = async (tool: string, args: Record<string, unknown>) => {
  const { tools } = await fleetUnderTest();
  return (await tools.call(tool, { limit: 3, ...args })).text;
};

const MAIN = /No such field: bogus; existing ones: status, eventType, .*moving\. /;

describe("fields to show", () => {
  it.each<[tool: string, args: Record<string, unknown>, shown: string | RegExp]>([
    ["list_live_positions", { fields: "fuelLevel,speed" }, "\nassetName | fuelLevelLitres | fuelLevelPercentage | speed\n"],
    ["list_live_positions", { fields: ["fuel"] }, "\nassetName | fuelType | fuelLevelLitres | fuelLevelPercentage\n"],
    ["list_live_positions", { fields: "level" }, "\nassetName | electricBatteryLevelPercent | fuelLevelPercentage\n"],
    ["list_live_positions", { sort: "-fuelLevel" }, " | fuelLevelPercentage | fuelLevelLitres\n"],
    ["list_live_positions", { fields: "bogus,speed" }, MAIN],
    [
      "list_live_positions",
      { fields: "tankGallons,fuelLevelGallons,speed" },
      /No such field: tankGallons, fuelLevelGallons; existing ones: .*fuelLevelLitres/,
    ],
    [
      "list_live_positions",
      { fields: "fuelGallons" },
      "no such field: fuelGallons. Next: Choose from fuelType, fuelLevelLitres, fuelLevel",
    ],
    ["find_nearest_vehicles", { to: "truck 12", fields: "assetName,km" }, "\nassetName | km\n"],
    ["find_nearest_vehicles", { to: "truck 12", fields: ["assetName", "km"] }, "\nassetName | km\n"],
    ["find_nearest_vehicles", { to: "truck 12", fields: "km,color" }, "No such field: color; existing ones: assetId, assetName"],
    ["driver_hours", { fields: "driver, rest" }, "\ndriver | rest\n"],
    ["driver_hours", { fields: "driver,leftTomorrow" }, "No such field: leftTomorrow; existing ones: leftNow, leftToday, "],
    ["driver_hours", { fields: "leftTomorrow" }, "no such field: leftTomorrow. Next: Choose from leftNow, leftToday, "],
    ["summarize_driver_activity", { period: "yesterday", fields: "driver,driving" }, "\ndriver | driving\n"],
    ["summarize_fleet", { list: "lowFuel", fields: "assetName,city" }, "\nassetName | city\n"],
    ["query_tacho_activity", { period: "yesterday", fields: "driver,latitude" }, "\ndriver | startLatitude | endLatitude\n"],
    ["query_tacho_activity", { period: "yesterday", fields: "driver,latitude,color" }, "No such field: color; existing ones: driverId"],
    ["list_vehicle_faults", { fields: "code;bogus" }, "No such field: bogus; existing ones: "],
    ["list_tire_events", { fields: "wheel, tread" }, "No such field: tread; existing ones: "],
  ])("%s %j", async (tool, args, shown) => expect(await textOf(tool, args)).toMatch(shown));
});

describe("columns left out", () => {
  it.each([
    ["list_vehicle_faults", {}, "Not shown: lamps, occurrenceCount; request them as fields."],
    ["list_vehicle_faults", { where: "lamps=red" }, "Not shown: startDate, endDate, occurrenceCount; request them as fields."],
    ["list_vehicle_faults", { fields: "code" }, undefined],
    ["list_vehicle_faults", { limit: 1, where: "code=none" }, undefined],
    ["list_live_positions", {}, undefined],
  ])("%s %j: %s", async (tool, args, note) => {
    const text = await textOf(tool, args);
    if (note === undefined) expect(text).not.toContain("Not shown");
    else expect(text).toContain(note);
  });
});

describe("whether faults are open", () => {
  it.each([
    ["all on the page are", {}, "All shown: inProgress true.", ["startDate"]],
    ["some are", { where: "moving" }, "", ["startDate", "inProgress"]],
    ["a condition says so", { where: "inProgress" }, "Where inProgress=true.", ["startDate"]],
  ])("is said if %s", async (_, args, note, last) => {
    const text = await textOf("list_vehicle_faults", args);
    expect(text).toContain(note);
    expect(text.includes("All shown")).toBe(note.startsWith("All shown"));
    expect(text.split("\n")[1]).toBe(["assetName", "code", "description", ...last].join(" | "));
  });
});
