import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { briefConcernRow, CONCERN_WORDS, concernRow } from "../../src/tools/concern-words.ts";
import type { Concern } from "../../src/tools/fleet-concerns.ts";

const NOW = Date.UTC(2026, 10, 20, 9);
const CODES = Array.from({ length: 12 }, (_, at) => `P${at}`);

it.each<[Concern, Position, object, string]>([
  [
    "charging",
    { electricBatteryLevelPercent: 40, electricChargingTimeRemainingMins: 25 },
    { batteryPercent: 40, chargingMinutesLeft: 25 },
    "40%, 25 min left",
  ],
  ["charging", {}, {}, "level not reported"],
  ["lowFuel", { fuelLevelPercentage: 9 }, { fuelPercent: 9 }, "9%"],
  ["lowBattery", { electricBatteryLevelPercent: 0 }, { batteryPercent: 0 }, "0%"],
  ["activeFaults", { activeFaultCodes: ["P1", "P2"] }, { activeFaultCodes: ["P1", "P2"] }, "P1, P2"],
  ["activeFaults", { activeFaultCodes: CODES }, { activeFaultCodes: CODES.slice(0, 10) }, `${CODES.slice(0, 10).join(", ")} and 2 more`],
  ["activeFaults", { activeFaultCodes: ["x".repeat(30)] }, { activeFaultCodes: [`${"x".repeat(23)}…`] }, `${"x".repeat(23)}…`],
  ["activeFaults", {}, { activeFaultCodes: [] }, ""],
  ["silent", { date: "2026-11-18T09:00:00Z" }, { date: "2026-11-18T09:00:00Z", age: "2 days ago" }, "2 days ago"],
  ["silent", { date: "soon" }, { age: "never" }, "never"],
])("%s of %j is shown as %j: %j", (concern, position, facts, summary) => {
  const words = CONCERN_WORDS[concern];
  const shown = words.factsOf(position, NOW);
  expect(shown).toEqual(facts);
  expect(words.summary(shown, position)).toBe(summary);
  expect(Object.keys(shown).every((field) => words.about.includes(field as never))).toBe(true);
});

it("says what is wrong, with its threshold", () => {
  const titles = Object.values(CONCERN_WORDS).map(({ title }) => title({ fuelBelow: 15, batteryBelow: 20, silentHours: 24 }));
  expect(titles).toEqual(["Charging", "Fuel below 15%", "Battery below 20%", "Active fault codes", "No report for more than 24 h"]);
  expect(CONCERN_WORDS.silent.about).toEqual(["date", "age"]);
});

describe("a row", () => {
  const position: Position = {
    assetId: "v1",
    assetName: `Truck\n${"1".repeat(60)}`,
    assetRegistration: "AB 1",
    assetGroupName: "Lyon",
    fuelLevelPercentage: 9,
  };
  const brief = { assetId: "v1", assetName: `Truck ${"1".repeat(53)}…`, fuelPercent: 9 };

  it("names the vehicle", () => {
    expect(briefConcernRow("lowFuel", position, NOW)).toEqual(brief);
    expect(concernRow("lowFuel", position, NOW)).toEqual({ ...brief, assetRegistration: "AB 1", assetGroupName: "Lyon" });
    expect(briefConcernRow("lowFuel", { assetRegistration: "AB 1" }, NOW)).toEqual({ assetName: "AB 1" });
  });
});
