import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { zonedTimes } from "../../src/text/time.ts";
import { resultTokens } from "../../src/text/token-budget.ts";
import { concernList } from "../../src/tools/concern-list.ts";
import { concernRow } from "../../src/tools/concern-words.ts";
import { type Concern, concernNames } from "../../src/tools/fleet-concerns.ts";
import { fleetSummary } from "../../src/tools/fleet-summary.ts";
import { fleetSummaryResult, noVehiclesResult } from "../../src/tools/fleet-summary-result.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const THRESHOLDS = { fuelBelow: 20, batteryBelow: 30, silentHours: 24 };
const date = "2026-11-20T11:00:00";

it.each([
  ["", [], "0 vehicles."],
  ["Lyon", [], "0 vehicles of Lyon."],
  ["", ["The fleet is empty."], "0 vehicles. The fleet is empty."],
])("nothing in the scope %j is said with %j as %j", (scope, remarks, text) => {
  expect(noVehiclesResult(scope, remarks)).toMatchObject({ text, structured: { vehicles: 0 } });
});

const FLEET: Position[] = [
  {
    assetId: "a",
    assetName: "eVan|1",
    eventType: "charging",
    electricCharging: true,
    electricBatteryLevelPercent: 25,
    electricChargingTimeRemainingMins: 40,
    date,
  },
  { assetId: "b", assetRegistration: "AB 1", assetGroupName: "Lyon", electricCharging: true, date },
  {
    assetId: "c",
    assetName: "Truck 3",
    assetType: "truck",
    fuelLevelPercentage: 5,
    activeFaultCodes: ["P1", "P2"],
    date: "2026-11-18T12:00:00",
  },
  { assetId: "d", assetName: "Truck 4" },
];
const summaryOf = (positions: readonly Position[]) => fleetSummary(positions, { includes: () => true, thresholds: THRESHOLDS, now: NOW });
const SUMMARY = await summaryOf(FLEET);
const OPTIONS = { scope: "", now: NOW };
const TIMES = zonedTimes("UTC", NOW);
const NOTE = 'For a full list, repeat this call with list, such as list: "charging".';

describe("a summary", () => {
  it("counts values and lists the vehicles that need attention", async () => {
    expect(fleetSummaryResult(SUMMARY, OPTIONS, 5_000).text.split("\n")).toEqual([
      "4 vehicles.",
      "Moving: 0",
      "By activity: not reported 3, charging 1",
      "By energy: not reported 4",
      "By type: not reported 3, truck 1",
      "By group: not reported 3, Lyon 1",
      "By country: not reported 4",
      "By city: not reported 4",
      "Charging: 2 (AB 1 level not reported; eVan¦1 25%, 40 min left)",
      "Fuel below 20%: 1 of 1 reporting (Truck 3 5%)",
      "Battery below 30%: 1 of 1 reporting (eVan¦1 25%)",
      "Active fault codes: 1 (Truck 3 P1, P2)",
      "No report for more than 24 h: 2 (Truck 4 never; Truck 3 2 days ago)",
    ]);
  });

  it("has a record for programs", async () => {
    const { structured } = fleetSummaryResult(SUMMARY, OPTIONS, 5_000);
    expect(structured).toMatchObject({
      vehicles: 4,
      counts: {
        activity: {
          values: 2,
          most: [
            ["not reported", 3],
            ["charging", 1],
          ],
        },
      },
      concerns: {
        lowFuel: { title: "Fuel below 20%", total: 1, reporting: 1, first: [{ assetId: "c", assetName: "Truck 3", fuelPercent: 5 }] },
      },
    });
    expect(Object.keys(structured)).toEqual(["vehicles", "moving", "counts", "concerns"]);
    expect(Object.keys(structured["concerns"] as object)).toEqual(concernNames);
  });

  it("names its part of the fleet", () => {
    const { text, structured } = fleetSummaryResult(SUMMARY, { ...OPTIONS, scope: "Lyon" }, 5_000);
    expect(text.split("\n")[0]).toBe("4 vehicles of Lyon.");
    expect(structured).toMatchObject({ scope: "Lyon" });
  });

  const manyVehicles = summaryOf(
    Array.from({ length: 14 }, (_, at) => ({
      assetId: `v${at + 10}`,
      eventType: `event${at}`,
      assetGroupName: at < 13 ? `group${at}` : "group0",
      fuelLevelPercentage: at,
      date,
    })),
  );

  it("shows 12 values and 5 vehicles, and says how to get more", async () => {
    const many = await manyVehicles;
    const { text, structured } = fleetSummaryResult(many, OPTIONS, 5_000);
    const [first, , activity, , , group, , , , fuel] = text.split("\n");
    expect(first).toBe(`14 vehicles. ${NOTE}`);
    expect(activity).toMatch(/^By activity: event0 1, [\s\S]*, event11 1, 2 others 2$/);
    expect(group).toMatch(/^By group: group0 2, [\s\S]*, group11 1, 1 other 1$/);
    expect(fuel).toMatch(/^Fuel below 20%: 14 of 14 reporting \(v10 0%; [\s\S]*; v14 4%; 9 more\)$/);
    const { counts, concerns, note } = structured as {
      counts: Record<string, { most: [] }>;
      concerns: Record<string, { first: [] }>;
      note: string;
    };
    expect([counts["activity"]?.most.length, concerns["lowFuel"]?.first.length, note]).toEqual([12, 5, NOTE]);
  });

  it("loses vehicles first, then counts, to fit the budget", async () => {
    const many = await manyVehicles;
    const whole = resultTokens(fleetSummaryResult(many, OPTIONS, 5_000));
    const shownWithin = (budget: number) => {
      const result = fleetSummaryResult(many, OPTIONS, budget);
      expect(resultTokens(result)).toBeLessThanOrEqual(budget);
      const { counts, concerns } = result.structured as { counts?: Record<string, { most: [] }>; concerns?: Record<string, { first: [] }> };
      return [counts?.["activity"]?.most.length, concerns?.["lowFuel"]?.first.length];
    };
    expect(shownWithin(whole)).toEqual([12, 5]);
    expect(shownWithin(whole - 1)).toEqual([12, 4]);
    expect(shownWithin(0.7 * whole)[1]).toBe(0);
    expect(shownWithin(0.7 * whole)[0]).toBeGreaterThan(0);
    expect(shownWithin(120)).toEqual([undefined, undefined]);
  });

  it("says so if not even the totals fit", async () => {
    const note = "The summary does not fit FLEET_MAX_RESULT_TOKENS: request one list.";
    expect(fleetSummaryResult(SUMMARY, OPTIONS, 100)).toEqual({ text: `4 vehicles. ${note}`, structured: { vehicles: 4, note } });
  });
});

const LONG = "x".repeat(100);

describe("the row of a vehicle that needs attention", () => {
  it.each<[Concern, Position, Record<string, unknown>]>([
    ["charging", FLEET[0] ?? {}, { assetId: "a", assetName: "eVan|1", batteryPercent: 25, chargingMinutesLeft: 40 }],
    [
      "lowBattery",
      { assetRegistration: "AB 1", electricBatteryLevelPercent: 3 },
      { assetName: "AB 1", assetRegistration: "AB 1", batteryPercent: 3 },
    ],
    ["lowFuel", { fuelLevelPercentage: 0, assetGroupName: "Lyon" }, { assetName: "-", assetGroupName: "Lyon", fuelPercent: 0 }],
    ["activeFaults", { assetId: "a" }, { assetId: "a", assetName: "a", activeFaultCodes: [] }],
    [
      "activeFaults",
      { assetId: LONG, activeFaultCodes: Array.from({ length: 11 }, () => LONG) },
      {
        assetId: `${LONG.slice(41)}…`,
        assetName: `${LONG.slice(41)}…`,
        activeFaultCodes: Array.from({ length: 10 }, () => `${LONG.slice(77)}…`),
      },
    ],
    ["silent", { assetName: "Van", date }, { assetName: "Van", date, age: "1 h ago" }],
    ["silent", { assetName: "Van", date: "noon" }, { assetName: "Van", age: "never" }],
  ])("%s: %j", (concern, position, row) => expect(concernRow(concern, position, NOW)).toEqual(row));

  it("has the fault codes that are shown, and the number of others", async () => {
    const summary = await summaryOf([{ assetName: "Van", date, activeFaultCodes: Array.from({ length: 12 }, (_, at) => `P${at}`) }]);
    expect(fleetSummaryResult(summary, OPTIONS, 5_000).text).toContain(
      "Active fault codes: 1 (Van P0, P1, P2, P3, P4, P5, P6, P7, P8, P9 and 2 more)",
    );
  });
});

describe("the list of vehicles with one concern", () => {
  const silentVehicles = summaryOf([
    { assetId: "n1", assetName: "Old", date: "2026-11-01T12:00:00" },
    { assetId: "n3", assetName: "Never 3" },
    { assetId: "n2", assetName: "Never 2" },
  ]);

  it("has pages, worst first", async () => {
    const silent = await silentVehicles;
    const first = (await concernList(silent, { list: "silent", limit: 2 }, OPTIONS, TIMES))(2_000);
    const next = first.structured["next"] as string;
    expect(first.text.split("\n")).toEqual([
      "2 of 3 vehicles. No report for more than 24 h.",
      "assetId | assetName | age",
      "n2 | Never 2 | never",
      "n3 | Never 3 | never",
      `More: repeat this call with cursor "${next}".`,
    ]);
    const last = (await concernList(silent, { list: "silent", cursor: next }, OPTIONS, TIMES))(2_000);
    expect(last.structured).toMatchObject({
      total: 3,
      returned: 1,
      items: [{ assetId: "n1", date: "2026-11-01T12:00:00Z", age: "19 days ago" }],
    });
    expect(last.structured["next"]).toBeUndefined();
  });

  it("shows the requested fields, and 20 rows by default", async () => {
    const summary = await summaryOf(Array.from({ length: 21 }, (_, at) => ({ assetId: `v${at}`, date, fuelLevelPercentage: 1 })));
    const { text, structured } = (await concernList(summary, { list: "lowFuel", fields: ["fuelPercent"] }, OPTIONS, TIMES))(2_000);
    expect(text).toMatch(/^20 of 21 vehicles\. Fuel below 20%\. 21 of 21 vehicles report a level\.\nfuelPercent\n1\n/);
    expect(structured["returned"]).toBe(20);
    await expect(concernList(summary, { list: "lowFuel", fields: ["age"] }, OPTIONS, TIMES)).rejects.toThrow("no such field: age");
  });
});
