import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { cannedFleet, fleetOf } from "../canned-fleet.ts";
import { NOW, servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;

const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

const FRANCE = { city: "Lyon", country: "France" };
const [ICE, EV] = [
  { assetType: "TRUCK", energyType: "ICE", ...FRANCE },
  { assetType: "VAN", energyType: "EV" },
];
const GENEVA = { city: "Genève", country: "Switzerland" };
const CHARGING = { electricCharging: true, electricBatteryLevelPercent: 15, electricChargingTimeRemainingMins: 80 };
const FLEET: LivePosition[] = [
  { assetId: "1", assetName: "Truck 1", ...ICE, eventType: "driving", speed: 60, date: hoursAgo(0), fuelLevelPercentage: 12.5 },
  { assetId: "2", assetName: "Truck 2", ...ICE, eventType: "stopped", date: hoursAgo(25), fuelLevelPercentage: 20 },
  {
    assetId: "3",
    assetName: "eVan|3",
    ...EV,
    eventType: "unknown",
    date: hoursAgo(1),
    assetGroupId: "g",
    assetGroupName: "Vans",
    ...CHARGING,
  },
  { assetId: "4", assetName: "eVan 4", ...EV, eventType: "driving", date: hoursAgo(2), electricBatteryLevelPercent: 60, ...GENEVA },
  {
    ...{ assetId: "5", assetName: "Car 5", assetType: "CAR", eventType: "driving", privacy: true, ...FRANCE },
    ...{ activeFaultCodes: ["P1", "P2"], date: hoursAgo(3) },
  },
  { assetId: "6", assetName: "Trailer 6" },
];

const serve = (fleet: readonly LivePosition[] = FLEET, env: Record<string, string> = {}) =>
  servedFleet({ script: { listLivePositions: () => ({ body: fleet }) }, env });

const names = (rows: LivePosition[]) => rows.map(({ assetName }) => assetName);

describe("summarize_fleet", () => {
  it("counts the whole fleet, and names the vehicles that need attention, worst first", async () => {
    expect((await (await serve()).text("summarize_fleet")).split("\n")).toEqual([
      "6 vehicles. Includes 1 on private journeys, in no country or city.",
      "Moving: 1",
      "By activity: driving 3, stopped 1, unknown 1, not reported 1",
      "By energy: ICE 2, EV 2, not reported 2",
      "By type: TRUCK 2, VAN 2, CAR 1, not reported 1",
      "By group: not reported 5, Vans 1",
      "By country: France 2, not reported 2, Switzerland 1",
      "By city: Lyon 2, not reported 2, Genève 1",
      "Charging: 1 (eVan¦3 15%, 80 min left)",
      "Fuel below 20%: 1 of 2 reporting (Truck 1 12.5%)",
      "Battery below 20%: 1 of 2 reporting (eVan¦3 15%)",
      "Active fault codes: 1 (Car 5 P1, P2)",
      "No report for more than 24 h: 2 (Trailer 6 never; Truck 2 1 day ago)",
    ]);
  });

  it("has the same in its record", async () => {
    const { counts, concerns, ...record } = await (await serve()).record("summarize_fleet");
    expect(record).toEqual({ vehicles: 6, moving: 1, note: "Includes 1 on private journeys, in no country or city." });
    const lowFuel = [{ assetId: "1", assetName: "Truck 1", fuelPercent: 12.5 }];
    expect(concerns.lowFuel).toEqual({ title: "Fuel below 20%", total: 1, reporting: 2, first: lowFuel });
    expect(Object.keys(concerns)).toEqual(["charging", "lowFuel", "lowBattery", "activeFaults", "silent"]);
    expect([counts.country.values, counts.country.most[0]]).toEqual([3, ["France", 2]]);
  });

  it("counts the vehicles of a group, or in a country", async () => {
    const { record, text } = await serve();
    expect(await text("summarize_fleet", { group: "the vans" })).toMatch(/^1 vehicle of Vans \(g\)\./);
    expect(await record("summarize_fleet", { in: "Frankreich" })).toMatchObject({ vehicles: 2, scope: "those in France" });
  });

  it.each<[args: Args, concern: string, expected: string[]]>([
    [{ fuelBelow: 30 }, "lowFuel", ["Truck 1", "Truck 2"]],
    [{ batteryBelow: 70 }, "lowBattery", ["eVan|3", "eVan 4"]],
    [{ silentHours: 2.5 }, "silent", ["Trailer 6", "Truck 2", "Car 5"]],
  ])("lists and counts what needs attention by %j", async (args, concern, expected) => {
    const { record } = await serve();
    expect(names((await record("summarize_fleet", args)).concerns[concern].first)).toEqual(expected);
  });

  const KINDS = "The whole fleet: types: TRUCK 2, VAN 2, CAR 1; energy: ICE 2, EV 2.";
  const SOLD = " For sold ones: list_live_positions, where status=SOLD.";
  const HIDDEN = "Not counted: 1 on private journeys, whereabouts withheld.";
  const COUNTRIES = "The whole fleet by country: France 2, not reported 2, Switzerland 1.";
  it.each<[args: Args, text: string, env: Record<string, string>]>([
    [{ type: "boat" }, `0 vehicles of type boat. ${KINDS}${SOLD}`, {}],
    [{ type: "boat" }, `0 vehicles of type boat. ${KINDS}`, { FLEET_TOOLS: "summarize_fleet" }],
    [{ in: "Portugal" }, `0 vehicles of those in Portugal. ${HIDDEN} ${COUNTRIES}`, {}],
  ])("says what exists if nothing matches %j", async (args, text, env) => {
    expect(await (await serve(FLEET, env)).text("summarize_fleet", args)).toBe(text);
  });

  it("says how many vehicles report a level if none is below it, and how many cannot be placed", async () => {
    const { text } = await serve();
    const args = { type: "EV", batteryBelow: 10 };
    expect(await text("summarize_fleet", args)).toContain("Battery below 10%: 0 of 2 reporting");
    expect(await text("summarize_fleet", { in: "Lyon" })).toContain(HIDDEN);
    expect(await (await serve([])).text("summarize_fleet")).toMatch(/^0 vehicles\./);
  });

  it("names no driver, and no place of a private journey", async () => {
    expect(JSON.stringify(await (await serve(cannedFleet())).call("summarize_fleet"))).not.toMatch(/Keller|Privat|Home/);
    expect(JSON.stringify(await (await serve()).call("summarize_fleet", { in: "Lyon" }))).not.toContain("Car 5");
  });
});

it.each<[position: LivePosition, said: string]>([
  [{ activeFaultCodes: Array.from({ length: 12 }, (_, at) => `P${at}`) }, "(Van P0, P1, P2, P3, P4, P5, P6, P7, P8, P9 and 2 more)"],
  [{ assetName: `Van\n${"x".repeat(99)}`, fuelLevelPercentage: 1 }, `(Van ${"x".repeat(55)}… 1%)`],
  [{ assetName: "", assetRegistration: "AB 1", fuelLevelPercentage: 5 }, "(AB 1 5%)"],
])("a vehicle that needs attention is named, with why: %j", async (position, said) => {
  const { text } = await serve([{ assetId: "v", assetName: "Van", date: hoursAgo(0), ...position }]);
  expect(await text("summarize_fleet")).toContain(said);
});

describe("the vehicles with one concern, worst first", () => {
  const charging = (assetId: string, level?: number) => ({ assetId, electricCharging: true, electricBatteryLevelPercent: level });
  const low = (assetId: string, electricBatteryLevelPercent: number) => ({ assetId, electricBatteryLevelPercent });
  const faulty = (assetId: string, ...activeFaultCodes: string[]) => ({ assetId, activeFaultCodes });
  const dates = { a: hoursAgo(24), b: hoursAgo(25), c: hoursAgo(240), e: "noon", d: "" };
  it.each<[concern: string, reported: object[], worstFirst: string[]]>([
    ["charging", [charging("a", 80), charging("b"), low("c", 50), charging("e", 0)], ["b", "e", "a"]],
    ["lowBattery", [low("c", 19), low("a", 19), low("d", 20)], ["a", "c"]],
    ["activeFaults", [faulty("a", "P1"), faulty("b"), faulty("d", "P1", "P2")], ["d", "a"]],
    ["silent", Object.entries(dates).map(([assetId, date]) => ({ assetId, date })), ["d", "e", "c", "b"]],
  ])("%s", async (concern, reported, worstFirst) => {
    for (const fleet of [reported, reported.toReversed()]) {
      const { record } = await serve(fleet.map((position) => ({ date: hoursAgo(0), ...position })));
      const { first } = (await record("summarize_fleet")).concerns[concern];
      expect(first.map(({ assetId }: LivePosition) => assetId)).toEqual(worstFirst);
    }
  });

  it("are listed in full by the condition that the summary states", async () => {
    const low = { fuelLevelPercentage: 3, electricBatteryLevelPercent: 9.5, electricCharging: true, activeFaultCodes: ["P1"] };
    const fleet = fleetOf(200).map((position, at) => ({ ...position, date: hoursAgo(at % 2 ? 36.5 : 36), ...(at % 4 === 0 && low) }));
    const { text, record } = await serve(fleet);
    const args = { silentHours: 36.25, batteryBelow: 10 };
    const [, conditions = ""] = /list_live_positions, where (.*)\.\n/.exec(await text("summarize_fleet", args)) ?? [];
    const { concerns } = await record("summarize_fleet", args);
    const totals = Object.values<{ total: number }>(concerns).map(({ total }) => total);
    expect(totals).toEqual([50, 50, 50, 50, 100]);
    const listed = conditions.split(", or where ").map(async (where) => (await record("list_live_positions", { where })).total);
    expect(await Promise.all(listed)).toEqual(totals);
  });
});

describe("a summary of many values", () => {
  const MANY = Array.from({ length: 14 }, (_, at) => ({
    ...{ assetId: `v${at + 10}`, eventType: `event${at}`, fuelLevelPercentage: at, date: hoursAgo(0) },
    assetGroupName: at < 13 ? `group${at}` : "group0",
  }));

  it("shows 12 values and 5 vehicles, and says how to get more", async () => {
    const text = await (await serve(MANY)).text("summarize_fleet");
    expect(text).toMatch(/^14 vehicles\. For all vehicles: list_live_positions, where fuelLevelPercentage<20\.\n/);
    expect(text).toMatch(/By activity: event0 1, .*, event11 1, 2 others 2\n/);
    expect(text).toMatch(/By group: group0 2, .*, group11 1, 1 other 1\n/);
    expect(text).toMatch(/Fuel below 20%: 14 of 14 reporting \(v10 0%; .*; v14 4%; 9 more\)/);
  });

  it("loses vehicles first, then counts, to fit the budget", async () => {
    const shown = async (FLEET_MAX_RESULT_TOKENS: string) => {
      const { counts, concerns, note } = await (await serve(MANY, { FLEET_MAX_RESULT_TOKENS })).record("summarize_fleet");
      return [counts?.activity.most.length, concerns?.lowFuel.first.length, note?.includes("does not fit")];
    };
    expect(await shown("3000")).toEqual([12, 5, false]);
    expect(await shown("1000")).toEqual([12, expect.any(Number), false]);
    expect(await shown("400")).toEqual([expect.any(Number), 0, false]);
    expect(await shown("250")).toEqual([undefined, undefined, true]);
  });
});
