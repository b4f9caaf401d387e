import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
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
const HEAD = "Truck 12 (KX21 ABC)";
const TAIL = "2026-11-20 08:30 in UTC, 4 min ago. Driver: Ana Ruiz. Id: v1.";

it.each<[string, object, string]>([
  [
    "moving",
    { eventType: "driving", speed: 79.6, heading: 90, ...LYON },
    "driving, 80 km/h, heading E, Quai Perrache 10, Lyon, at 45.12346, 4.00000.",
  ],
  ["standing", { eventType: "stationary", speed: 0, heading: 90, city: "Lyon", country: "FR" }, "stationary, 0 km/h, Lyon, FR."],
  ["charging", { eventType: "unknown", electricCharging: true, city: "Lyon" }, "reported whether it is charging, Lyon. Charging."],
  ["not charging", { eventType: "unknown", electricCharging: false }, "reported whether it is charging, place not reported. Not charging."],
  ["with another report", { eventType: "ping", electricCharging: false, country: "FR" }, "last reported, FR."],
  ["with an input", { eventType: "input", locationName: "North depot", latitude: 45 }, "sent an input, at North depot."],
  ["with a defect", { eventType: "defect", locationName: "Yard", formattedAddress: "Lyon" }, "reported a defect, at Yard, Lyon."],
  ["without an activity", { longitude: 4, heading: 180 }, "activity unknown, heading S, place not reported."],
  [
    "with fuel",
    { ignitionStatus: "ON", fuelLevelPercentage: 62.6, activeFaultCodes: [] },
    "activity unknown, place not reported. Ignition ON, fuel 63%, no active faults.",
  ],
  [
    "with a battery",
    { electricBatteryLevelPercent: 80, electricCharging: true, electricChargingTimeRemainingMins: 34.6 },
    "activity unknown, place not reported. Battery 80%, charging, 35 min left.",
  ],
  [
    "with many faults",
    { activeFaultCodes: Array.from({ length: 9 }, (_, at) => `P000${at}`) },
    "activity unknown, place not reported. Active faults P0000, P0001, P0002, P0003, P0004, P0005 and 3 more.",
  ],
])("a vehicle %s: %j", async (_, more, text) => {
  expect((await located({ ...TRUCK, ...more })).text).toBe(`${HEAD}: ${text} ${TAIL}`);
});

it.each<[string, string, object, string]>([
  [
    "name and driver",
    "v1",
    { assetId: "v1", date: TRUCK.date },
    "v1: activity unknown, place not reported. 2026-11-20 08:30 in UTC, 4 min ago. No driver known. Id: v1.",
  ],
  ["id", "truck 12", { assetName: "Truck 12" }, "Truck 12: activity unknown, place not reported. time not reported. No driver known."],
  [
    "valid time",
    "truck 12",
    { assetName: "Truck 12", date: "noon" },
    "Truck 12: activity unknown, place not reported. time noon. No driver known.",
  ],
])("a vehicle without %s", async (_, query, position, text) => expect((await located(position, query)).text).toMatch(text));

it.each<[string, object, object]>([
  [
    "what the text says",
    {
      ...{ ...LYON, eventType: "driving", speed: 50, heading: 10, electricCharging: true },
      ...{ fuelLevelPercentage: 62.6, ignitionStatus: "ON", activeFaultCodes: ["P0420"] },
    },
    {
      ...{ eventType: "driving", speed: 50, heading: 10, electricCharging: true, formattedAddress: LYON.formattedAddress },
      ...{ latitude: 45.12346, longitude: 4, fuelLevelPercentage: 63, ignitionStatus: "ON", activeFaultCodes: ["P0420"] },
    },
  ],
  [
    "nothing that is meaningless, redundant or not set",
    { speed: 0, heading: 10, city: "Lyon", country: "FR", privacy: false, electricCharging: false, assetVin: "WDB1" },
    { speed: 0, city: "Lyon", country: "FR" },
  ],
])("the record has %s", async (_, more, shown) => {
  expect((await located({ ...TRUCK, ...more })).record.vehicle).toEqual({ ...TRUCK, ...shown, age: "4 min ago" });
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

it.each<[string, string, string, object]>([
  ["another property", "KX21 ABC", " Found by registration.", { matchedBy: "registration" }],
  [
    "a different spelling",
    "trukc 12",
    ' Spelt differently from "trukc 12".',
    { respelt: true, note: 'Spelt differently from "trukc 12".' },
  ],
])("a vehicle found by %s says so", async (_, query, text, record) => {
  const result = await located(TRUCK, query);
  expect(result.text).toBe(`${HEAD}: activity unknown, place not reported. ${TAIL}${text}`);
  expect(result.record).toMatchObject(record);
});

it("a sold vehicle is said to be sold", async () => {
  const { text, record } = await located({ ...TRUCK, status: "SOLD" });
  expect(text).toContain(`${TAIL} Sold: no longer in the fleet.`);
  expect(record).toMatchObject({ vehicle: { status: "SOLD" }, note: expect.stringContaining("Sold: no longer in the fleet.") });
});

describe("long values", () => {
  const FULL = {
    ...{ assetName: 60, assetRegistration: 20, eventType: 20, ignitionStatus: 12, formattedAddress: 100 },
    ...{ locationName: 60, date: 30, driverName: 60 },
  };
  const position = { assetId: "v1", ...Object.fromEntries(Object.keys(FULL).map((field) => [field, "x".repeat(200)])) };

  it.each([
    ["to what people can read", "5000", 1],
    ["more to fit the budget", "200", 0.3],
  ])("are shortened %s", async (_, FLEET_MAX_RESULT_TOKENS, share) => {
    const { vehicle } = (await located(position, "v1", { FLEET_MAX_RESULT_TOKENS })).record;
    const lengths = Object.keys(FULL).map((field) => [field, vehicle[field].length]);
    expect(lengths).toEqual(Object.entries(FULL).map(([field, length]) => [field, Math.max(4, Math.round(length * share))]));
  });

  it("are shortened in a city and a country, too", async () => {
    const { vehicle } = (await located({ ...TRUCK, city: "x".repeat(200), country: "y".repeat(200) })).record;
    expect([vehicle.city.length, vehicle.country.length]).toEqual([40, 40]);
  });
});

it.each([
  [0, "just now"],
  [4.9, "just now"],
  [5, "5 s ago"],
  [59, "59 s ago"],
  [60, "1 min ago"],
  [3_599, "59 min ago"],
  [3_600, "1 h ago"],
  [86_400, "1 day ago"],
  [172_799, "1 day ago"],
  [172_800, "2 days ago"],
  [-300, "just now"],
  [-301, "in the future"],
])("a report of %d s ago is said to be from %j", async (seconds, words) => {
  const { record } = await located({ ...TRUCK, date: new Date(NOW - 1000 * seconds).toISOString() });
  expect(record.vehicle.age).toBe(words);
});

it.each([
  ["UTC", "2026-11-20 08:30", "2026-11-20T08:30:00Z"],
  ["Europe/Berlin", "2026-11-20 09:30", "2026-11-20T09:30:00+01:00"],
  ["America/New_York", "2026-11-20 03:30", "2026-11-20T03:30:00-05:00"],
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

it.each([
  [22, "N"],
  [23, "NE"],
  [90, "E"],
  [225, "SW"],
  [337, "NW"],
  [338, "N"],
])("a heading of %d° is %s", async (heading, point) => {
  expect((await located({ ...TRUCK, eventType: "driving", speed: 50, heading })).text).toContain(`heading ${point},`);
});
