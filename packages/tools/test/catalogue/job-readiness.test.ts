import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { faultPages, NOW, type Script, servedFleet, tachoRecords } from "../served-fleet.ts";

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();
const done = (activity: string, from: number, to: number) => ({ activity, startTime: ago(from), endTime: ago(to) });

/** Drivers with 9 hours and 1 hour left today; one with gaps, one with an unknown word, and one without activities. */
const ENTRIES = [
  { driverId: "fresh", driverKey: "K1", activities: [done("REST", 400, 0)] },
  { driverId: "tired", driverKey: "K2", activities: [done("REST", 400, 11), done("DRIVING", 11, 3), done("REST", 3, 0)] },
  { driverId: "gaps", driverKey: "K3", activities: [done("REST", 400, 10), done("DRIVING", 10, 5.5), done("REST", 1, 0)] },
  { driverId: "word", driverKey: "K4", activities: [done("LUNCH", 3, 2)] },
  { driverId: "none", driverKey: "K5", activities: [] },
];

/** A vehicle this many km north of the point. */
const vehicle = (assetId: string, km: number, more: LivePosition = {}): LivePosition => ({
  ...{ assetId, assetName: assetId, latitude: 51 + km / 111.195, longitude: 9, date: ago(0), activeFaultCodes: [] },
  ...more,
});

async function readyFor(driveHours: number, fleet: readonly LivePosition[], script: Script = {}, env: Record<string, string> = {}) {
  const { record, service } = await servedFleet({
    script: { listLivePositions: () => ({ body: fleet }), ...tachoRecords(ENTRIES), ...faultPages([]), ...script },
    env,
  });
  const rows: { assetName: string; why: string }[] = [];
  const notes: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page = await record("find_nearest_vehicles", { to: "51, 9", driveHours, limit: 5, ...(cursor && { cursor }) });
    rows.push(...page.items);
    notes.push(page.note);
    cursor = page.next;
  }
  const [note = ""] = notes;
  return { note, service, names: rows.map(({ assetName }) => assetName), whys: rows.map(({ why }) => why) };
}

it("a vehicle whose driver may not drive long enough is left out, and the result says what is uncertain", async () => {
  const { names, whys, note } = await readyFor(2, [
    vehicle("c", 30, { driverId: "gaps", fuelLevelPercentage: 50 }),
    vehicle("a", 10.4, { driverId: "tired", fuelLevelPercentage: 50 }),
    vehicle("b", 20, { driverId: "fresh", fuelLevelPercentage: 19.9, electricBatteryLevelPercent: 81 }),
    vehicle("d", 40, { driverId: "none" }),
    vehicle("e", 5, { fuelLevelPercentage: 19 }),
    vehicle("f", 50, { driverId: "word" }),
    vehicle("g", 60),
    vehicle("h", 419, { driverId: "fresh" }),
    vehicle("i", 421, { driverId: "fresh" }),
    // Where it was a day ago, it may not be.
    vehicle("j", 15, { driverId: "fresh", date: ago(25) }),
  ]);
  // Those who surely can come first.
  expect(names).toEqual(["b", "h", "j", "c", "d", "f", "g"]);
  expect(whys).toEqual([
    "20 km, 9:00 driving left, 20% fuel and 81% battery",
    "419 km, 9:00 driving left, level not reported",
    "15 km, 9:00 driving left, level not reported",
    "30 km, 0:00 to 4:30 driving left, 50% fuel",
    "40 km, driving time unknown, level not reported",
    "50 km, driving time unknown, level not reported",
    "60 km, no driver, level not reported",
  ]);
  expect(note).toContain("Those who surely can first, then nearest first");
  expect(note).toContain(
    "The way there counts, at 60 km/h. No red stop lamp is lit. Left out: 1 below 20% fuel or battery, 2 with too little driving left for the way and 2 h. Driving time is unknown for 3 of the 7.",
  );
});

it("only the nearest 40 are checked, and the result says so", async () => {
  const { names, note } = await readyFor(
    0,
    Array.from({ length: 41 }, (_, at) => vehicle(`v${at}`, 41 - at)),
  );
  expect([names.length, names[0]]).toEqual([40, "v40"]);
  expect(note).toContain("Checked: the nearest 40 of 41; narrow with in, group or type. Driving time is unknown for all 40.");
});

it("trailers are left out, and unknown types are not", async () => {
  const types = ["SEMI_TRAILER", "Anhänger", "TRUCK", undefined, "trailer"];
  const near = types.map((assetType, at) => vehicle(`v${at}`, at, { ...(assetType && { assetType }) }));
  const { names, note } = await readyFor(0, near);
  expect(names).toEqual(["v0", "v2", "v3"]);
  expect(note).toContain("Left out: 2 trailers; pass type for them.");
  expect((await readyFor(0, near.slice(0, 4))).note).toContain("Left out: 1 trailer; pass type for them.");
});

it.each<[why: string, script: Script, env: Record<string, string>]>([
  ["the tachographs cannot be read", { queryTachoActivity: () => ({ status: 403 }) }, {}],
  ["driver_hours is not offered", {}, { FLEET_TOOLS: "find_nearest_vehicles" }],
])("the result says that the driving time was not checked if %s", async (_, script, env) => {
  const { whys, note } = await readyFor(9, [vehicle("a", 1, { driverId: "tired" })], script, env);
  expect(whys).toEqual(["1 km, driving time unknown, level not reported"]);
  expect(note).toContain("Driving time was not checked.");
});

describe("a vehicle whose red stop lamp is lit is left out", () => {
  const faultsOf = (items: unknown): Script => ({
    listVehicleFaults: () => ({ body: { items, pagination: { totalItems: 1, totalPages: 1 } } }),
  });
  const near = [vehicle("a", 1, { activeFaultCodes: ["P1"] }), vehicle("b", 2, { activeFaultCodes: ["P1"] })];

  it.each<[fault: Record<string, unknown>, isLit: boolean]>([
    [{ lamps: ["AMBER_WARNING", "RED_STOP"], inProgress: true }, true],
    [{ lamps: ["STOP"], inProgress: true, endDate: "2026-11-20T08:00:00Z" }, true],
    [{ lamps: ["STOP"], endDate: "2026-11-20T08:00:00Z" }, false],
    [{ lamps: ["STOP"], inProgress: false }, false],
    [{ lamps: ["AMBER_WARNING"], inProgress: true }, false],
  ])("by the fault %j: %j", async ({ lamps, ...fault }, isLit) => {
    const items = [{ id: "a", assetName: "Truck\na", faults: [{ code: "P1", ...fault, details: { lamps } }] }];
    const { names, note } = await readyFor(0, near, faultsOf(items));
    expect(names).toEqual(isLit ? ["b"] : ["a", "b"]);
    expect(note.includes("Left out: 1 with the red stop lamp lit.")).toBe(isLit);
    const { text } = await servedFleet({ script: { listLivePositions: () => ({ body: near }), ...faultsOf(items) } });
    expect((await text("list_vehicle_faults", { fields: ["code"] })).includes("Red stop lamp: Truck a.")).toBe(isLit);
  });

  it("if the service leaves out its id, but not if it names none", async () => {
    const faults = [{ details: { lamps: ["STOP"] } }];
    expect((await readyFor(0, near.slice(0, 1), faultsOf([{ faults }]))).names).toEqual([]);
    expect((await readyFor(0, near, faultsOf(undefined))).names).toEqual(["a", "b"]);
  });

  it("and faults are read once of each vehicle that may have some and is not left out anyway", async () => {
    const faulty = { activeFaultCodes: ["P1"] };
    const unknown = { ...vehicle("c", 3), activeFaultCodes: undefined } as unknown as LivePosition;
    const fleet = [vehicle("a", 1), vehicle("b", 2, faulty), unknown, vehicle("d", 4, { ...faulty, fuelLevelPercentage: 5 })];
    const { service } = await readyFor(0, fleet);
    expect(new Set(service.of("listVehicleFaults").map(({ url }) => url.searchParams.get("vehicleId")))).toEqual(new Set(["b", "c"]));
    expect(service.of("listVehicleFaults")).toHaveLength(2);
  });
});

it.each<[what: string, args: Record<string, unknown>, names: string]>([
  ["none", {}, "v2, v3"],
  ["those of a group that has only these", { group: "Trailers" }, "v1"],
])("of the trailers, %s are near without a job", async (_, args, names) => {
  const fleet = ["TRAILER", "VAN", "VAN", "TRAILER"].map((assetType, at) =>
    vehicle(`v${at + 1}`, at + 1, { assetType, assetGroupName: at === 0 ? "Trailers" : "Vans", assetGroupId: `g${at}` }),
  );
  const { record } = await servedFleet({ script: { listLivePositions: () => ({ body: fleet }) } });
  const { items } = await record("find_nearest_vehicles", { to: "51, 9", ...args });
  expect(items.map(({ assetName }: { assetName: string }) => assetName).join(", ")).toBe(names);
});
