import type { LivePosition } from "@fleetwire/core";
import { expect, it } from "vitest";
import { NOW, servedFleet } from "../served-fleet.ts";

const TRUCK: LivePosition = {
  assetId: "v1",
  assetName: "Truck 12",
  assetRegistration: "KX21 ABC",
  date: "2026-11-20T08:30:00Z",
  driverName: "Ana Ruiz",
};

const located = (position: object, query = "truck 12", env = {}) =>
  servedFleet({ script: { listLivePositions: () => ({ body: [position] }) }, env }).then(async ({ text, record }) => ({
    text: await text("locate_vehicle", { query }),
    record: await record("locate_vehicle", { query }),
  }));

const LYON = { formattedAddress: "Quai Perrache 10, Lyon", city: "Lyon", country: "FR", latitude: 45.123456, longitude: 4 };
const POINT = "45.12346, 4.00000";
const HEAD = "Truck 12 (KX21 ABC)";
const TAIL = "2026-11-20 08:30 in UTC, 4 min ago. Driver: Ana Ruiz. Id: v1.";

const NOWHERE = "activity unknown, place not reported.";
const FAULTS = { activeFaultCodes: Array.from({ length: 9 }, (_, at) => `P000${at}`) };
const FUEL = { ignitionStatus: "ON", fuelLevelPercentage: 62.6, activeFaultCodes: [] };
const BATTERY = { electricBatteryLevelPercent: 80, electricCharging: true, electricChargingTimeRemainingMins: 34.6 };

it.each<[string, object, string]>([
  [
    "moving",
    { speed: 79.6, heading: 90, ...LYON, eventType: "driving" },
    `driving, 80 km/h, heading E, Quai Perrache 10, Lyon, at ${POINT}.`,
  ],
  ["standing", { eventType: "stationary", speed: 0, heading: 90, city: "Lyon", country: "FR" }, "stationary, 0 km/h, Lyon, FR."],
  ["charging", { eventType: "unknown", electricCharging: true, city: "Lyon" }, "reported whether it is charging, Lyon. Charging."],
  ["not charging", { eventType: "unknown", electricCharging: false, city: "Lyon" }, "reported whether it is charging, Lyon. Not charging."],
  ["with another report", { eventType: "ping", electricCharging: false, country: "FR" }, "last reported, FR."],
  ["with an input", { eventType: "input", locationName: "North depot", latitude: 45 }, "sent an input, at North depot."],
  ["with a defect", { eventType: "defect", locationName: "Yard", formattedAddress: "Lyon" }, "reported a defect, at Yard, Lyon."],
  ["without an activity", { longitude: 4, heading: 180 }, "activity unknown, heading S, place not reported."],
  ["with fuel", FUEL, `${NOWHERE} Ignition ON, fuel 63%, no active faults.`],
  ["with a battery", BATTERY, `${NOWHERE} Battery 80%, charging, 35 min left.`],
  ["with many faults", FAULTS, `${NOWHERE} Active faults P0000, P0001, P0002, P0003, P0004, P0005 and 3 more.`],
])("a vehicle %s: %j", async (_, more, text) => {
  expect((await located({ ...TRUCK, ...more })).text).toBe(`${HEAD}: ${text} ${TAIL}`);
});

it.each<[string, string, object, string]>([
  [
    "name and driver",
    "v1",
    { assetId: "v1", date: TRUCK.date },
    `v1: ${NOWHERE} 2026-11-20 08:30 in UTC, 4 min ago. No driver known. Id: v1. Found by id.`,
  ],
  ["id", "truck 12", { assetName: "Truck 12" }, `Truck 12: ${NOWHERE} time not reported. No driver known.`],
  ["valid time", "truck 12", { assetName: "Truck 12", date: "noon" }, `Truck 12: ${NOWHERE} time noon. No driver known.`],
])("a vehicle without %s", async (_, query, position, text) => expect((await located(position, query)).text).toBe(text));

it("the record has what the text says, and nothing that is meaningless, redundant or not set", async () => {
  const shown = { eventType: "driving", speed: 50, heading: 10, electricCharging: true, formattedAddress: LYON.formattedAddress };
  const { ignitionStatus } = FUEL;
  const full = { ...LYON, ...shown, ignitionStatus, fuelLevelPercentage: 62.6, activeFaultCodes: ["P0420"] };
  const record = {
    ...TRUCK,
    ...shown,
    latitude: 45.12346,
    longitude: 4,
    fuelLevelPercentage: 63,
    ignitionStatus,
    activeFaultCodes: ["P0420"],
  };
  expect((await located({ ...TRUCK, ...full })).record.vehicle).toEqual({ ...record, age: "4 min ago" });
  const bare = { speed: 0, heading: 10, city: "Lyon", country: "FR", privacy: false, electricCharging: false, assetVin: "WDB1" };
  expect((await located({ ...TRUCK, ...bare })).record.vehicle).toEqual({
    ...TRUCK,
    speed: 0,
    city: "Lyon",
    country: "FR",
    age: "4 min ago",
  });
});

it.each<[string, boolean]>([
  ["truck 12", false],
  ["WDB96340310100012", true],
  ["VIN of truck 12", true],
  ["Fahrgestellnummer Truck 12", true],
  ["numéro de châssis du truck 12", true],
])("%j: the VIN is shown if asked for", async (query, isShown) => {
  const { text, record } = await located({ ...TRUCK, assetVin: "WDB96340310100012" }, query);
  expect([text.includes(" VIN: WDB96340310100012."), record.vehicle.assetVin !== undefined]).toEqual([isShown, isShown]);
});

it.each<[string, string, object]>([
  ["KX21 ABC", "Found by registration.", { matchedBy: "registration" }],
  ["trukc 12", 'Spelt differently from "trukc 12".', { respelt: true, note: 'Spelt differently from "trukc 12".' }],
])("a vehicle found by %j says so", async (query, text, record) => {
  const result = await located(TRUCK, query);
  expect(result.text).toBe(`${HEAD}: ${NOWHERE} ${TAIL} ${text}`);
  expect(result.record).toMatchObject(record);
});

it("a sold vehicle is said to be sold", async () => {
  const { text, record } = await located({ ...TRUCK, status: "SOLD" });
  expect(text).toContain(`${TAIL} Sold: no longer in the fleet.`);
  expect(record).toMatchObject({ vehicle: { status: "SOLD" }, note: expect.stringContaining("Sold: no longer in the fleet.") });
});

it.each([
  ["what people can read", "5000", 1],
  ["the budget", "200", 0.3],
])("long values are shortened to %s", async (_, FLEET_MAX_RESULT_TOKENS, share) => {
  const texts = { assetName: 60, assetRegistration: 20, eventType: 20, ignitionStatus: 12, formattedAddress: 100 };
  const limits = Object.entries({ ...texts, locationName: 60, date: 30, driverName: 60 });
  const position = { assetId: "v1", ...Object.fromEntries(limits.map(([field]) => [field, "x".repeat(200)])) };
  const { vehicle } = (await located(position, "v1", { FLEET_MAX_RESULT_TOKENS })).record;
  const lengths = limits.map(([field]) => [field, vehicle[field].length]);
  expect(lengths).toEqual(limits.map(([field, length]) => [field, Math.max(4, Math.round(length * share))]));
});

it("a long city and a long country are shortened, too", async () => {
  const { vehicle } = (await located({ ...TRUCK, city: "x".repeat(200), country: "y".repeat(200) })).record;
  expect([vehicle.city.length, vehicle.country.length]).toEqual([40, 40]);
});

it.each([
  ["just now", [0, 4.9, -300]],
  ["5 s ago", [5]],
  ["59 s ago", [59]],
  ["1 min ago", [60]],
  ["59 min ago", [3_599]],
  ["1 h ago", [3_600]],
  ["1 day ago", [86_400, 172_799]],
  ["2 days ago", [172_800]],
  ["in the future", [-301]],
])("a report is said to be from %j after %j s", async (words, ages) => {
  for (const seconds of ages) {
    const { record } = await located({ ...TRUCK, date: new Date(NOW - 1000 * seconds).toISOString() });
    expect(record.vehicle.age, String(seconds)).toBe(words);
  }
});

it.each([
  ["UTC", "2026-11-20 08:30", "2026-11-20T08:30:00Z"],
  ["Europe/Berlin", "2026-11-20 09:30", "2026-11-20T09:30:00+01:00"],
  ["Asia/Kolkata", "2026-11-20 14:00", "2026-11-20T14:00:00+05:30"],
  ["America/St_Johns", "2026-11-20 05:00", "2026-11-20T05:00:00-03:30"],
])("times are in FLEET_TIME_ZONE=%s", async (FLEET_TIME_ZONE, text, date) => {
  const result = await located({ ...TRUCK, date: "2026-11-20T08:30:00" }, "truck 12", { FLEET_TIME_ZONE });
  expect(result.text).toContain(`${text} in ${FLEET_TIME_ZONE}, 4 min ago`);
  expect(result.record.vehicle.date).toBe(date);
});

it("times of undocumented records are in the zone too, each with the offset of its day, and nothing else is", async () => {
  const kept = { day: "2026-11-20", text: "at 2026-11-20T09:30:15Z", none: "2026-02-30T09:30Z", count: 5 };
  const times = { at: "2026-10-25T00:59:00Z", later: "2026-10-25T01:00:00.9Z", list: [{ from: "2026-11-20T09:30+02:00" }] };
  const { record } = await servedFleet({
    script: { listJobs: () => ({ body: [{ ...times, ...kept }] }) },
    env: { FLEET_TIME_ZONE: "Europe/Berlin" },
  });
  expect((await record("list_jobs", { fields: Object.keys({ ...times, ...kept }) })).items).toEqual([
    { at: "2026-10-25T02:59:00+02:00", later: "2026-10-25T02:00:00+01:00", list: [{ from: "2026-11-20T08:30:00+01:00" }], ...kept },
  ]);
});

it("a heading is a point of the compass", async () => {
  const points: string[] = [];
  for (const heading of [22, 23, 90, 225, 337, 338])
    points.push(/heading (\w+),/.exec((await located({ ...TRUCK, eventType: "driving", speed: 50, heading })).text)?.[1] ?? "");
  expect(points).toEqual(["N", "NE", "E", "SW", "NW", "N"]);
});
