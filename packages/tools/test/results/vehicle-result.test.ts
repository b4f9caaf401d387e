import { describe, expect, it } from "vitest";
import type { Position } from "../../src/fleet/position.ts";
import type { Match } from "../../src/names/resolve-name.ts";
import { zonedTimes } from "../../src/text/time.ts";
import { resultTokens } from "../../src/text/token-budget.ts";
import { vehicleResult } from "../../src/tools/vehicle-result.ts";

const NOW = Date.UTC(2026, 10, 20, 9);

const TRUCK: Position = {
  assetId: "v1",
  assetName: "Truck 12",
  assetRegistration: "KX21 ABC",
  date: "2026-11-20T08:56:00",
  driverName: "Ana Ruiz",
};

interface Case {
  position?: Position;
  match?: Partial<Match<Position>>;
  isHidden?: boolean;
  budget?: number;
  query?: string;
}

const found = ({ position = TRUCK, match = {}, isHidden = false, budget = 500, query = "truck 12" }: Case) =>
  vehicleResult({ value: position, matchedBy: "name", ...match }, { query, isHidden, now: NOW, times: zonedTimes("UTC", NOW) }, budget);

const LYON = { formattedAddress: "Quai Perrache 10, Lyon", city: "Lyon", country: "FR", latitude: 45.123456, longitude: 4 };
const HEAD = "Truck 12 (KX21 ABC)";
const TAIL = "2026-11-20 08:56 in UTC, 4 min ago. Driver: Ana Ruiz. Id: v1.";

it.each<[string, Position, string]>([
  [
    "moving",
    { eventType: "driving", speed: 79.6, heading: 90, ...LYON },
    "driving, 80 km/h, heading E, Quai Perrache 10, Lyon, at 45.12346, 4.00000",
  ],
  ["standing", { eventType: "stationary", speed: 0, heading: 90, city: "Lyon", country: "FR" }, "stationary, 0 km/h, Lyon, FR"],
  ["charging", { eventType: "unknown", electricCharging: true, city: "Lyon" }, "reported whether it is charging, Lyon. Charging"],
  ["not charging", { eventType: "unknown", electricCharging: false, city: "Lyon" }, "reported whether it is charging, Lyon. Not charging"],
  ["not charging", { eventType: "ping", electricCharging: false, country: "FR" }, "last reported, FR"],
  ["with an input", { eventType: "input", locationName: "North depot", latitude: 45 }, "sent an input, at North depot"],
  [
    "with a defect",
    { eventType: "defect", locationName: "Yard", ...LYON },
    "reported a defect, at Yard, Quai Perrache 10, Lyon, at 45.12346, 4.00000",
  ],
  ["without an activity", { longitude: 4, heading: 180 }, "activity unknown, heading S, place not reported"],
])("a vehicle %s: %j", (_, more, text) => {
  expect(found({ position: { ...TRUCK, ...more } }).text).toBe(`${HEAD}: ${text}. ${TAIL}`);
});

it.each<[string, Position, string]>([
  [
    "name",
    { assetId: "v1", date: "2026-11-20T08:56:00" },
    "v1: activity unknown, place not reported. 2026-11-20 08:56 in UTC, 4 min ago. No driver known. Id: v1.",
  ],
  ["id", { assetName: "Truck 12" }, "Truck 12: activity unknown, place not reported. time not reported. No driver known."],
  ["valid time", { assetName: "Truck 12", date: "noon" }, "Truck 12: activity unknown, place not reported. time noon. No driver known."],
])("a vehicle without %s: %j", (_, position, text) => expect(found({ position }).text).toBe(text));

it("the record has what the text says", () => {
  const condition = { fuelLevelPercentage: 62.6, ignitionStatus: "ON", activeFaultCodes: ["P0420"] };
  const moving = { speed: 50, heading: 10, electricCharging: true, privacy: true, assetVin: "WDB1" };
  const { structured } = found({ query: "VIN of truck 12", position: { ...TRUCK, ...LYON, ...moving, ...condition } });
  expect(structured).toEqual({
    result: "found",
    vehicle: {
      ...{ ...TRUCK, ...moving, ...condition, fuelLevelPercentage: 63 },
      ...{ formattedAddress: LYON.formattedAddress, latitude: 45.12346, longitude: 4 },
      ...{ date: "2026-11-20T08:56:00Z", age: "4 min ago" },
    },
  });
});

it.each([
  ["assetId", 24],
  ["assetName", 60],
  ["assetRegistration", 20],
  ["assetVin", 20],
  ["eventType", 20],
  ["ignitionStatus", 12],
  ["city", 40],
  ["country", 40],
  ["locationName", 60],
  ["date", 30],
  ["driverName", 60],
])("the %s is shown up to %d characters", (field, most) => {
  const { structured } = found({ query: "VIN", position: { ...TRUCK, [field]: "x".repeat(200) } });
  expect((structured["vehicle"] as Record<string, string>)[field]).toHaveLength(most);
});

it.each<[string, Position, string]>([
  ["all of it", { ignitionStatus: "ON", fuelLevelPercentage: 62.6, activeFaultCodes: [] }, "Ignition ON, fuel 63%, no active faults."],
  ["a battery", { electricBatteryLevelPercent: 80, electricCharging: false, electricChargingTimeRemainingMins: 9 }, "Battery 80%."],
  [
    "charging",
    { electricBatteryLevelPercent: 80, electricCharging: true, electricChargingTimeRemainingMins: 34.6 },
    "Battery 80%, charging, 35 min left.",
  ],
  ["faults", { activeFaultCodes: ["P0420", "P0171"] }, "Active faults P0420, P0171."],
  [
    "many faults",
    { activeFaultCodes: Array.from({ length: 9 }, (_, at) => `P000${at}`) },
    "Active faults P0000, P0001, P0002, P0003, P0004, P0005 and 3 more.",
  ],
])("the condition of a vehicle that reports %s", (_, condition, text) => {
  expect(found({ position: { ...TRUCK, ...condition } }).text).toBe(`${HEAD}: activity unknown, place not reported. ${text} ${TAIL}`);
});

it.each<[string, Partial<Match<Position>>, boolean]>([
  ["truck 12", {}, false],
  ["vincent's truck", {}, false],
  ["WDB1", { matchedBy: "vin" }, true],
  ["VIN of truck 12", {}, true],
  ["Fahrgestellnummer Truck 12", {}, true],
  ["numéro de châssis du camion 12", {}, true],
])("%j: the VIN is shown if asked for", (query, match, isShown) => {
  const { text, structured } = found({ position: { ...TRUCK, assetVin: "WDB1" }, query, match });
  expect([text.includes(" VIN: WDB1."), "assetVin" in JSON.parse(JSON.stringify(structured["vehicle"]))]).toEqual([isShown, isShown]);
});

it("a sold vehicle is said to be sold", () => {
  const { text, structured } = found({ position: { ...TRUCK, status: "SOLD" } });
  expect(text).toBe(`${HEAD}: activity unknown, place not reported. ${TAIL} Sold: no longer in the fleet.`);
  expect(structured).toMatchObject({ vehicle: { status: "SOLD" }, note: "Sold: no longer in the fleet." });
});

it("the record omits what is meaningless, redundant or not set", () => {
  const { structured } = found({
    position: { ...TRUCK, speed: 0, heading: 10, city: "Lyon", country: "FR", privacy: false, electricCharging: false, date: "noon" },
  });
  expect(structured["vehicle"]).toEqual({ ...TRUCK, speed: 0, city: "Lyon", country: "FR", date: "noon" });
});

it.each<[string, Case, string, Record<string, unknown>]>([
  ["by another property", { match: { matchedBy: "registration" } }, " Found by registration.", { matchedBy: "registration" }],
  [
    "by a different spelling",
    { match: { respelt: true }, query: "truk 12" },
    ' Spelt differently from "truk 12".',
    { respelt: true, note: 'Spelt differently from "truk 12".' },
  ],
  [
    "by a long query",
    { match: { respelt: true }, query: "q".repeat(31) },
    ` Spelt differently from "${"q".repeat(29)}…".`,
    { respelt: true },
  ],
])("a vehicle found %s says so", (_, options, text, record) => {
  const result = found(options);
  expect(result.text).toBe(`${HEAD}: activity unknown, place not reported. ${TAIL}${text}`);
  expect(result.structured).toMatchObject(record);
});

it("a vehicle on a private journey has no place", () => {
  const note = "On a private journey: whereabouts withheld.";
  const { text, structured } = found({ isHidden: true, match: { respelt: true } });
  expect(text).toBe(`${HEAD}: activity unknown. ${TAIL} ${note} Spelt differently from "truck 12".`);
  expect(structured["note"]).toBe(`${note} Spelt differently from "truck 12".`);
});

describe("a vehicle with long names", () => {
  const long = (length: number) => "x".repeat(length);
  const position: Position = Object.fromEntries(
    ["assetId", "assetName", "assetRegistration", "eventType", "formattedAddress", "locationName", "date", "driverName"].map((field) => [
      field,
      long(200),
    ]),
  );
  const lengths = (budget: number) =>
    Object.entries(found({ position, budget }).structured["vehicle"] as Record<string, string | undefined>).map(([field, value]) => [
      field,
      value?.length,
    ]);

  it.each([
    ["is shortened to what people can read", 10_000, 1],
    ["is shortened more to fit the budget", 200, 0.3],
    ["is shortened most if nothing else fits", 10, 0.1],
  ])("%s", (_, budget, share) => {
    const full = {
      assetId: 24,
      assetName: 60,
      assetRegistration: 20,
      eventType: 20,
      formattedAddress: 100,
      locationName: 60,
      date: 30,
      driverName: 60,
    };
    const expected = Object.entries(full).map(([field, length]) => [field, Math.max(4, Math.round(length * share))]);
    expect(lengths(budget).filter(([, length]) => length !== undefined)).toEqual(expected);
  });

  it("in its city and country, too", () => {
    const { structured } = found({ position: { city: long(200), country: long(200) } });
    expect(structured["vehicle"]).toMatchObject({ city: `${long(39)}…`, country: `${long(39)}…` });
  });

  it("fits the budget exactly", () => {
    const whole = found({ position, budget: 10_000 });
    const tokens = resultTokens(whole);
    expect(found({ position, budget: tokens })).toEqual(whole);
    expect(found({ position, budget: tokens - 1 })).not.toEqual(whole);
  });
});
