import { describe, expect, it } from "vitest";
import { cannedFleet, fleetOf, type Position } from "../../tools/test/canned-fleet.ts";
import { NOW, questionOf, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

const FLEET: Position[] = [
  {
    assetId: "1",
    assetName: "Truck 1",
    assetType: "TRUCK",
    eventType: "driving",
    energyType: "ICE",
    fuelLevelPercentage: 12.5,
    city: "Lyon",
    country: "France",
    date: hoursAgo(0),
  },
  {
    assetId: "2",
    assetName: "Truck 2",
    assetType: "TRUCK",
    eventType: "stopped",
    energyType: "ICE",
    fuelLevelPercentage: 20,
    city: "Lyon",
    country: "France",
    date: hoursAgo(25),
  },
  {
    ...{ assetId: "3", assetName: "eVan 3", assetType: "VAN", eventType: "unknown", energyType: "EV", date: hoursAgo(1) },
    ...{
      electricCharging: true,
      electricBatteryLevelPercent: 15,
      electricChargingTimeRemainingMins: 80,
      assetGroupId: "g",
      assetGroupName: "Vans",
    },
  },
  {
    assetId: "4",
    assetName: "eVan 4",
    assetType: "VAN",
    eventType: "driving",
    energyType: "EV",
    electricBatteryLevelPercent: 60,
    city: "Genève",
    country: "Switzerland",
    date: hoursAgo(0),
  },
  {
    assetId: "5",
    assetName: "Car 5",
    assetType: "CAR",
    eventType: "driving",
    privacy: true,
    city: "Lyon",
    country: "France",
    activeFaultCodes: ["P1", "P2"],
    date: hoursAgo(3),
  },
  { assetId: "6", assetName: "Trailer 6" },
];

const serve = (body: unknown[] = FLEET, env: Record<string, string> = {}) =>
  serverUnderTest({ script: { listLivePositions: () => ({ body }) }, env });

const most = (...entries: [string, number][]) => ({
  values: entries.length,
  most: entries,
});

const names = (rows: Position[]) => rows.map(({ assetName }) => assetName);

describe("summarize_fleet", () => {
  it("counts the whole fleet", async () => {
    const result = await (await serve()).call("summarize_fleet");
    const { vehicles, counts, note } = structuredOf(result);
    expect(vehicles).toBe(6);
    expect(counts).toEqual({
      activity: most(["driving", 3], ["stopped", 1], ["unknown", 1], ["not reported", 1]),
      energy: most(["ICE", 2], ["EV", 2], ["not reported", 2]),
      type: most(["TRUCK", 2], ["VAN", 2], ["CAR", 1], ["not reported", 1]),
      group: most(["not reported", 5], ["Vans", 1]),
      country: most(["France", 2], ["not reported", 2], ["Switzerland", 1]),
      city: most(["Lyon", 2], ["not reported", 2], ["Genève", 1]),
    });
    expect(note).toBe("Includes 1 on private journeys, in no country or city.");
    expect(textOf(result)).toContain("By activity: driving 3, stopped 1, unknown 1, not reported 1");
  });

  it("lists vehicles that need attention, worst first, in text and record", async () => {
    const result = await (await serve()).call("summarize_fleet");
    const { concerns } = structuredOf(result);
    const listed = Object.fromEntries(
      Object.entries<{ total: number; first: Position[] }>(concerns).map(([name, { total, first }]) => [name, [total, ...names(first)]]),
    );
    expect(listed).toEqual({
      charging: [1, "eVan 3"],
      lowFuel: [1, "Truck 1"],
      lowBattery: [1, "eVan 3"],
      activeFaults: [1, "Car 5"],
      silent: [2, "Trailer 6", "Truck 2"],
    });
    for (const line of [
      "Charging: 1 (eVan 3 15%, 80 min left)",
      "Fuel below 20%: 1 of 2 reporting (Truck 1 12.5%)",
      "Active fault codes: 1 (Car 5 P1, P2)",
      "No report for more than 24 h: 2 (Trailer 6 never; Truck 2 1 day ago)",
    ])
      expect(textOf(result)).toContain(line);
  });

  it.each<[Record<string, unknown>, string, string[]]>([
    [{ fuelBelow: 30 }, "lowFuel", ["Truck 1", "Truck 2"]],
    [{ batteryBelow: 70 }, "lowBattery", ["eVan 3", "eVan 4"]],
    [{ silentHours: 2 }, "silent", ["Trailer 6", "Truck 2", "Car 5"]],
    [{ type: "van" }, "charging", ["eVan 3"]],
    [{ type: "trucks" }, "charging", []],
    [{ group: "the vans" }, "charging", ["eVan 3"]],
    [{ type: "EVs", batteryBelow: 50 }, "lowBattery", ["eVan 3"]],
    [{ in: "Frankreich", fuelBelow: 30 }, "lowFuel", ["Truck 1", "Truck 2"]],
    [{ in: "Ginevra", batteryBelow: 70 }, "lowBattery", ["eVan 4"]],
  ])("respects %j", async (args, concern, expected) => {
    const { call } = await serve();
    expect(names(structuredOf(await call("summarize_fleet", args)).concerns[concern].first)).toEqual(expected);
    expect(names(structuredOf(await call("summarize_fleet", { ...args, list: concern })).items)).toEqual(expected);
  });

  it("counts every one of 2,000 vehicles, and lists them to the last page", async () => {
    const fleet = fleetOf(2_000).map((position, index) => ({
      ...position,
      electricCharging: index % 3 === 0,
      electricBatteryLevelPercent: (index * 7) % 100,
    }));
    const { call } = await serve(fleet);
    const { vehicles, concerns } = structuredOf(await call("summarize_fleet"));
    expect([vehicles, concerns.charging.total]).toEqual([2_000, 667]);
    const levels: number[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const page: { items: { batteryPercent: number }[]; next?: string; total: number } = structuredOf(
        await call("summarize_fleet", { list: "charging", limit: 200, ...(next && { cursor: next }) }),
      );
      expect(page.total).toBe(667);
      levels.push(...page.items.map(({ batteryPercent }) => batteryPercent));
      next = page.next;
    }
    expect(levels).toHaveLength(667);
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    expect(concerns.charging.first[0].batteryPercent).toBe(levels[0]);
  });

  it.each<[Record<string, unknown>, string]>([
    [
      { type: "hydrogen trucks" },
      "0 vehicles of type hydrogen trucks. The whole fleet: types: TRUCK 2, VAN 2, CAR 1; energy: ICE 2, EV 2. For sold ones: list_live_positions, where status=SOLD.",
    ],
    [
      { in: "Portugal" },
      "0 vehicles of those in Portugal. Not counted: 1 on private journeys, whereabouts withheld. The whole fleet by country: France 2, not reported 2, Switzerland 1.",
    ],
    [
      { in: "Kassel", list: "charging" },
      "0 vehicles of those in Kassel. Not counted: 1 on private journeys, whereabouts withheld. The whole fleet by country: France 2, not reported 2, Switzerland 1.",
    ],
  ])("counts 0 of what does not exist, and says what does: %j", async (args, text) => {
    expect(textOf(await (await serve()).call("summarize_fleet", args))).toBe(text);
  });

  it("says how many vehicles report a level if none is below it", async () => {
    const { call } = await serve();
    expect(textOf(await call("summarize_fleet", { type: "EV", batteryBelow: 10 }))).toContain("Battery below 10%: 0 of 2 reporting");
    const list = textOf(await call("summarize_fleet", { type: "EV", batteryBelow: 10, list: "lowBattery" }));
    expect(list).toBe("0 of 0 vehicles. Battery below 10%; only type EV. 2 of 2 vehicles report a level.");
  });

  it("asks about a place that does not exist", async () => {
    expect(questionOf(await (await serve()).call("summarize_fleet", { in: "Lyno" }))).toBe(
      'No country or city matches "Lyno". Did you mean Lyon, France (2 vehicles)? Ask the user, then call again with the full name or the text in brackets as in. Countries reported: France, Switzerland; regions are not.',
    );
  });

  it("names no driver, and no place of a private journey", async () => {
    const result = await (await serve(cannedFleet())).call("summarize_fleet");
    expect(JSON.stringify(result)).not.toMatch(/Keller|Privat|Home/);
    expect(JSON.stringify(await (await serve()).call("summarize_fleet", { in: "Lyon" }))).not.toContain("Car 5");
  });
});
