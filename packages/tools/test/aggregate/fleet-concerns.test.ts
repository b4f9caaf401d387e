import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import { type Concern, type Concerned, thresholdsFrom } from "../../src/tools/fleet-concerns.ts";
import { fleetSummary } from "../../src/tools/fleet-summary.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const THRESHOLDS = { fuelBelow: 20, batteryBelow: 30, silentHours: 24 };
const OPTIONS = { includes: () => true, thresholds: THRESHOLDS, now: NOW };
const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
const RECENT = "2026-11-20T11:00:00";

it.each([
  [{}, { fuelBelow: 20, batteryBelow: 20, silentHours: 24 }],
  [
    { fuelBelow: 0, batteryBelow: 5, silentHours: 1 },
    { fuelBelow: 0, batteryBelow: 5, silentHours: 1 },
  ],
])("the thresholds %j are completed to %j", (given, thresholds) => expect(thresholdsFrom(given)).toEqual(thresholds));

/** The concern, the vehicles as reported, and those that need attention, worst first, as id and rank. */
const ROWS: [Concern, Position[], [id: string, rank: number][]][] = [
  [
    "charging",
    [
      { assetId: "a", electricCharging: true, electricBatteryLevelPercent: 80 },
      { assetId: "b", electricCharging: true },
      { assetId: "c", electricCharging: false, electricBatteryLevelPercent: 50 },
      { assetId: "d", electricBatteryLevelPercent: 50 },
      { assetId: "e", electricCharging: true, electricBatteryLevelPercent: 0 },
    ],
    [
      ["b", -1],
      ["e", 0],
      ["a", 80],
    ],
  ],
  [
    "lowFuel",
    [
      { assetId: "a", fuelLevelPercentage: 19 },
      { assetId: "b", fuelLevelPercentage: 20 },
      { assetId: "c", fuelLevelPercentage: 0 },
      { assetId: "d" },
    ],
    [
      ["c", 0],
      ["a", 19],
    ],
  ],
  [
    "lowBattery",
    [
      { assetId: "c", electricBatteryLevelPercent: 29 },
      { assetId: "a", electricBatteryLevelPercent: 29 },
      { electricBatteryLevelPercent: 29 },
      { assetId: "d", electricBatteryLevelPercent: 30 },
    ],
    [
      ["", 29],
      ["a", 29],
      ["c", 29],
    ],
  ],
  [
    "activeFaults",
    [
      { assetId: "a", activeFaultCodes: ["P1"] },
      { assetId: "b", activeFaultCodes: [] },
      { assetId: "c" },
      { assetId: "d", activeFaultCodes: ["P1", "P2"] },
    ],
    [
      ["d", -2],
      ["a", -1],
    ],
  ],
  [
    "silent",
    [
      { assetId: "a", date: "2026-11-19T12:00:00" },
      { assetId: "b", date: "2026-11-19T11:59:59" },
      { assetId: "c", date: "2026-11-10T12:00:00" },
      { assetId: "d" },
      { assetId: "e", date: "not a date" },
    ],
    [
      ["d", 0],
      ["e", 0],
      ["c", Date.UTC(2026, 10, 10, 12)],
      ["b", Date.UTC(2026, 10, 19, 11, 59, 59)],
    ],
  ],
];

describe("vehicles that need attention", () => {
  it.each(ROWS)("%s", async (concern, reported, worstFirst) => {
    for (const positions of [reported, reported.toReversed()]) {
      const recent = positions.map((position) => (concern === "silent" ? position : { date: RECENT, ...position }));
      const {
        [concern]: { worst: listed, vehicles },
        ...others
      } = (await fleetSummary(recent, OPTIONS)).concerns;
      expect(vehicles.toSorted(byText)).toEqual(listed.toSorted(byText));
      expect(listed.map(({ position, rank }) => [position.assetId ?? "", rank])).toEqual(worstFirst);
      if (concern !== "charging") expect(Object.values<Concerned>(others).flatMap((other) => other.vehicles)).toEqual([]);
      for (const { position } of listed) expect(recent).toContain(position);
    }
  });
});

describe("a summary", () => {
  const positions: Position[] = [
    { eventType: "idling", energyType: "diesel", assetType: "van", assetGroupName: "Lyon", city: "Lyon", country: "France", date: RECENT },
    { eventType: "driving", energyType: "diesel", assetType: "truck", city: "Genève", country: "CH", date: RECENT },
    { eventType: "driving", assetType: "truck", assetGroupName: "Nice", privacy: true, fuelLevelPercentage: 5, date: RECENT },
  ];
  const count = (value: string | undefined, vehicles: number) => ({ value, vehicles });

  it("counts vehicles and values, most frequent first, and private journeys in no place", async () => {
    const none = { vehicles: [], worst: [], reporting: undefined };
    expect(
      await fleetSummary([...positions, { assetId: "other" }], { ...OPTIONS, includes: ({ assetId }) => assetId !== "other" }),
    ).toEqual({
      vehicles: 3,
      moving: 0,
      hidden: 1,
      counts: {
        activity: [count("driving", 2), count("idling", 1)],
        energy: [count("diesel", 2), count(undefined, 1)],
        type: [count("truck", 2), count("van", 1)],
        group: [count("Lyon", 1), count(undefined, 1), count("Nice", 1)],
        country: [count("France", 1), count("Switzerland", 1)],
        city: [count("Lyon", 1), count("Genève", 1)],
      },
      thresholds: THRESHOLDS,
      concerns: {
        ...{ charging: none, activeFaults: none, silent: none },
        lowBattery: { ...none, reporting: 0 },
        lowFuel: { vehicles: [{ position: positions[2], rank: 5 }], worst: [{ position: positions[2], rank: 5 }], reporting: 1 },
      },
    });
  });

  it("of a place says how many vehicles on private journeys are not counted", async () => {
    const { vehicles, hidden } = await fleetSummary(positions, { ...OPTIONS, isThere: ({ city }) => city === "Lyon" });
    expect([vehicles, hidden]).toEqual([1, 1]);
  });
});
