import type { LivePosition } from "@fleetwire/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { cannedFleet, type Position } from "../canned-fleet.ts";
import { NOW, servedFleet } from "../served-fleet.ts";

const serve = (fleet: readonly object[], env: Record<string, string> = {}) =>
  servedFleet({ script: { listLivePositions: () => ({ body: fleet }) }, env });

async function ask(query: string, fleet: readonly object[], env?: Record<string, string>) {
  const { text, structured } = await (await serve(fleet, env)).call("locate_vehicle", { query });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  return { text, record: structured as any, size: (JSON.stringify(text) + JSON.stringify(structured)).length / 4 + 50 };
}

const TRUCK: LivePosition = {
  ...{ assetId: "v1", assetName: "Truck 12", assetRegistration: "KX21 ABC", date: "2026-11-20T08:30:00Z", driverName: "Ana Ruiz" },
};
const located = (position: object, query = "truck 12", env = {}) => ask(query, [position], env);

const LYON = { formattedAddress: "Quai Perrache 10, Lyon", city: "Lyon", country: "FR", latitude: 45.123456, longitude: 4 };
const HEAD = "Truck 12 (KX21 ABC)";
const TAIL = "2026-11-20 08:30 in UTC, 4 min ago. Driver: Ana Ruiz. Id: v1.";

const NOWHERE = "activity unknown, place not reported.";
const FAULTS = { activeFaultCodes: Array.from({ length: 9 }, (_, at) => `P000${at}`) };
const FUEL = { ignitionStatus: "ON", fuelLevelPercentage: 62.6, activeFaultCodes: [] };
const BATTERY = { electricBatteryLevelPercent: 80, electricCharging: true, electricChargingTimeRemainingMins: 34.6 };

it.each<[object, string]>([
  [
    { speed: 79.6, heading: 90, ...LYON, eventType: "driving" },
    "driving, 80 km/h, heading E, Quai Perrache 10, Lyon, at 45.12346, 4.00000.",
  ],
  [{ eventType: "stationary", speed: 0, heading: 90, city: "Lyon", country: "FR" }, "stationary, 0 km/h, Lyon, FR."],
  [{ eventType: "unknown", electricCharging: true, city: "Lyon" }, "reported whether it is charging, Lyon. Charging."],
  [{ eventType: "ping", electricCharging: false, country: "FR" }, "last reported, FR."],
  [{ eventType: "input", locationName: "North depot", latitude: 45 }, "sent an input, at North depot."],
  [{ eventType: "defect", locationName: "Yard", formattedAddress: "Lyon" }, "reported a defect, at Yard, Lyon."],
  [{ eventType: "constructor" }, "constructor, place not reported."],
  [{ longitude: 4, heading: -90, speed: 30 }, "moving, 30 km/h, heading W, place not reported."],
  [{ latitude: 45.7, longitude: -0.00001 }, "activity unknown, at 45.70000, -0.00001."],
  [{ formattedAddress: "", locationName: "\u200b", city: "Lyon" }, "activity unknown, Lyon."],
  [FUEL, `${NOWHERE} Ignition ON, fuel 63%, no active faults.`],
  [BATTERY, `${NOWHERE} Battery 80%, charging, 35 min left.`],
  [FAULTS, `${NOWHERE} Active faults P0000, P0001, P0002, P0003, P0004, P0005 and 3 more.`],
])("a vehicle with %j", async (more, text) => {
  expect((await located({ ...TRUCK, ...more })).text).toBe(`${HEAD}: ${text} ${TAIL}`);
});

it.each<[string, object, string]>([
  ["v1", { assetId: "v1", date: TRUCK.date }, `v1: ${NOWHERE} 2026-11-20 08:30 in UTC, 4 min ago. No driver known. Id: v1. Found by id.`],
  ["truck 12", { assetName: "Truck 12", driverName: "", assetId: " " }, `Truck 12: ${NOWHERE} time not reported. No driver known.`],
  ["truck 12", { assetRegistration: "truck 12" }, `truck 12: ${NOWHERE} time not reported. No driver known. Found by registration.`],
  ["truck 12", { driverName: "Truck 12" }, `Vehicle without a name: ${NOWHERE} time not reported. Driver: Truck 12. Found by driver.`],
])("%s, of which only %j is known", async (query, position, text) => expect((await located(position, query)).text).toBe(text));

it("null in every field, wrong types, and an empty id that another vehicle shares", async () => {
  const nothing = Object.fromEntries(Object.keys({ ...TRUCK, ...LYON, ...FUEL }).map((field) => [field, null]));
  const { text } = await located({ ...nothing, assetName: "Truck 12", speed: "fast", latitude: "x" });
  expect(text).toBe(`Truck 12: ${NOWHERE} time not reported. No driver known.`);
  const twins = ["Truck 12", "Truck 13"].map((assetName) => ({ assetId: "", assetName, date: TRUCK.date }));
  for (const { assetName } of twins) expect((await ask(assetName, twins)).text).toContain(`${assetName}: `);
});

it("the record has what the text says, and nothing that is meaningless, redundant or not set", async () => {
  const { formattedAddress } = LYON;
  const { ignitionStatus } = FUEL;
  const shown = {
    eventType: "driving",
    speed: 50,
    heading: 10,
    electricCharging: true,
    formattedAddress,
    ignitionStatus,
    activeFaultCodes: ["P1"],
  };
  expect((await located({ ...TRUCK, ...LYON, ...shown, fuelLevelPercentage: 62.6 })).record.vehicle).toEqual({
    ...{ ...TRUCK, ...shown, latitude: 45.12346, longitude: 4, fuelLevelPercentage: 63, age: "4 min ago" },
  });
  const bare = { speed: 0, heading: 10, city: "Lyon", country: "FR", privacy: false, electricCharging: false, assetVin: "WDB1" };
  expect((await located({ ...TRUCK, ...bare })).record.vehicle).toEqual({
    ...{ ...TRUCK, speed: 0, city: "Lyon", country: "FR", age: "4 min ago" },
  });
});

it("every fact is in text and record, each within 150 tokens, for every vehicle", async () => {
  const { call } = await serve(cannedFleet());
  for (const { assetId, assetName, driverName, city } of cannedFleet()) {
    const { text, structured } = await call("locate_vehicle", { query: assetId });
    expect(structured).toMatchObject({
      result: "found",
      matchedBy: "id",
      vehicle: { assetId, age: expect.stringMatching(/ago|just now/) },
    });
    for (const fact of [assetName, driverName, ...(text.includes("private journey") ? [] : [city]), "Found by id"])
      expect(text).toContain(fact);
    expect(Math.max(text.length, JSON.stringify(structured).length) / 4).toBeLessThanOrEqual(150);
  }
});

it.each(["truck", "truck 500"])("a question stays within 150 tokens, too: %s", async (query) => {
  const { text, record } = await ask(query, cannedFleet());
  expect(record.result).not.toBe("found");
  expect(text.length / 4).toBeLessThanOrEqual(150);
  // The record says what to do next too: some hosts show nothing else.
  expect(JSON.stringify(record).length / 4).toBeLessThanOrEqual(215);
  for (const { assetName, assetRegistration, driverName } of record.candidates)
    expect(text).toContain(`${assetName} (${assetRegistration}), driver ${driverName}`);
});

it.each<[string, boolean]>([
  ["truck 12", false],
  ["WDB96340310100012", true],
  ["VIN of truck 12", true],
  ["Fahrgestellnummer Truck 12", true],
])("%j: the VIN is shown if asked for", async (query, isShown) => {
  const { text, record } = await located({ ...TRUCK, assetVin: "WDB96340310100012" }, query);
  expect([text.includes(" VIN: WDB96340310100012."), record.vehicle.assetVin !== undefined]).toEqual([isShown, isShown]);
});

it("says that it was found by registration or another spelling, and that it is sold", async () => {
  const [found, respelt] = [await located(TRUCK, "KX21 ABC"), await located(TRUCK, "trukc 12")];
  expect([found.text, found.record.matchedBy]).toEqual([`${HEAD}: ${NOWHERE} ${TAIL} Found by registration.`, "registration"]);
  const note = 'Spelt differently from "trukc 12".';
  expect([respelt.text, respelt.record]).toEqual([`${HEAD}: ${NOWHERE} ${TAIL} ${note}`, expect.objectContaining({ respelt: true, note })]);
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
  expect(limits.map(([field]) => [field, vehicle[field].length])).toEqual(
    limits.map(([field, length]) => [field, Math.max(4, Math.round(length * share))]),
  );
});

it.each([
  ["just now", [0, 4.9, -300]],
  ["5 s ago", [5]],
  ["1 min ago", [60]],
  ["1 h ago", [3_600]],
  ["1 day ago", [86_400, 172_799]],
  ["in the future", [-301]],
])("a report is said to be from %j after %j s", async (words, ages) => {
  for (const seconds of ages) {
    const { record } = await located({ ...TRUCK, date: new Date(NOW - 1000 * seconds).toISOString() });
    expect(record.vehicle.age, String(seconds)).toBe(words);
  }
});

it.each<[date: string, FLEET_TIME_ZONE: string, text: string]>([
  ["2026-11-20 08:30:00", "UTC", "2026-11-20 08:30 in UTC, 4 min ago"],
  ["2026-11-20T08:30:00", "Europe/Berlin", "2026-11-20 09:30 in Europe/Berlin, 4 min ago"],
  ["2026-11-20T10:30:00.123+02:00", "Asia/Kolkata", "2026-11-20 14:00 in Asia/Kolkata, 3 min ago"],
  ["11/12/2026 08:30", "UTC", "time 11/12/2026 08:30."],
  ["2026-13-45T99:00:00Z", "UTC", "time 2026-13-45T99:00:00Z."],
])("the time %s is shown in %s: %s", async (date, FLEET_TIME_ZONE, text) => {
  // Not UTC, since a time without a zone would be right by chance there.
  vi.stubEnv("TZ", "America/New_York");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(new Date(NOW).getHours()).toBe(3);
  expect((await located({ ...TRUCK, date }, "truck 12", { FLEET_TIME_ZONE })).text).toContain(text);
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

it("no candidate fits the budget, so the registration is asked for", async () => {
  const small = { FLEET_MAX_RESULT_TOKENS: "200" };
  const long = "𒀀".repeat(60);
  const more = { assetName: `Truck 12 ${long}`, assetRegistration: long, driverName: long };
  const fleet = Array.from({ length: 9 }, (_, at): Position => ({ ...TRUCK, ...more, assetId: `${at}${long}` }));
  const { text, record } = await ask("truck 12", fleet, small);
  expect(text).toBe('9 vehicles match "truck 12". What is the registration? Ask the user, then call again with it as query.');
  expect(record).toMatchObject({ result: "ambiguous", field: "query", total: 9, candidates: [] });
  expect((await ask(`truck 13 ${long}`, fleet, small)).text).toMatch(/^No vehicle matches "truck 13 .+"\. What is the registration\? Ask/u);
  expect((await ask("truck ".repeat(660), cannedFleet())).size).toBeLessThanOrEqual(400);
});
