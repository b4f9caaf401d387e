import { describe, expect, it } from "vitest";
import { fleetOf, type Position } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";

type Args = Record<string, unknown>;

const [SOUTH, NORTH] = [
  { assetGroupId: "g1", assetGroupName: "South" },
  { assetGroupId: "g2", assetGroupName: "North" },
];
const LYON = { city: "Lyon", locationId: "l1", locationName: "Lyon Depot" };

/** One degree of latitude is 111.2 km. */
const FLEET = [
  {
    ...{ assetId: "v1", assetName: "Truck 1", assetType: "TRUCK", latitude: 45, longitude: 4, speed: 60, eventType: "driving" },
    ...{ activeFaultCodes: ["P1"], date: "2026-11-20T08:30:00", driverName: "Ana Ruiz", driverId: "p1", ...SOUTH, ...LYON },
  },
  { assetId: "v2", assetName: "Van 2", assetType: "VAN", latitude: 46, longitude: 4, activeFaultCodes: [], city: "Dijon", ...NORTH },
  { assetId: "v3", assetName: "Van 3", assetType: "VAN", latitude: 44.5, longitude: 4, speed: 0, city: "Lyon", ...SOUTH },
  { assetId: "v4", assetName: "Car 4", assetType: "CAR", latitude: 44.5, longitude: 4, privacy: true, locationName: "Home" },
  { assetId: "v5", assetName: "Car 5", assetType: "CAR", ...NORTH },
] as Position[];

const serve = (fleet: readonly Position[] = FLEET, env: Record<string, string> = {}) =>
  servedFleet({ script: { listLivePositions: () => ({ body: fleet }) }, env: { FLEET_MAX_RESULT_TOKENS: "3000", ...env } });

const namesOf = (items: readonly Position[]) => items.map(({ assetName }) => assetName).join(", ");

async function near(args: Args, fleet?: readonly Position[], env?: Record<string, string>) {
  const { record } = await serve(fleet, env);
  const { items, note = "", total, next } = await record("find_nearest_vehicles", args);
  return { items, note, total, next, names: namesOf(items) };
}

it("shows distance, direction and the condition of each vehicle, in text and record", async () => {
  const { record, text } = await serve();
  const shown = { eventType: "driving", driverName: "Ana Ruiz", city: "Lyon", activeFaultCodes: "P1", age: "4 min ago" };
  expect((await record("find_nearest_vehicles", { to: "45, 4" })).items).toMatchObject([
    { assetName: "Truck 1", km: 0, direction: "N", ...shown },
    { assetName: "Van 3", km: 55.6, direction: "S", city: "Lyon" },
    { assetName: "Van 2", km: 111.2, direction: "N", city: "Dijon" },
  ]);
  const words = (await text("find_nearest_vehicles", { to: "45, 4" })).split(/[\n|]/).map((word) => word.trim());
  expect(words).toEqual(expect.arrayContaining(["direction", "km", "4 min ago", "111.2", "N"]));
});

const FROM = "Nearest first: straight-line km and direction from";
const HIDDEN = "Left out, whereabouts unknown: 1 on private journeys";
const LEFT_OUT = `${HIDDEN}, 1 without a valid position.`;
const MOVING = "moving (driving or over 5 km/h, reported in the last 10 min)";

it.each<[Args, string, string]>([
  [{ to: "truck 1" }, "Van 3, Van 2", `Truck 1 (v1). ${LEFT_OUT}`],
  [{ to: "45, 4", withinKm: 100 }, "Truck 1, Van 3", `45, 4; only within 100 km. ${LEFT_OUT}`],
  [{ to: "45, 4", group: "north" }, "Van 2", "45, 4; only North (g2). Left out, whereabouts unknown: 1 without a valid position."],
  [
    { to: "45, 4", type: "boat", moving: true },
    "",
    `45, 4; only type boat, ${MOVING}. The fleet has 0 of this type; types: VAN 2, CAR 2, TRUCK 1; energy: none.`,
  ],
])("%j finds %j", async (args, names, note) => {
  const found = await near(args);
  expect(found.names).toBe(names);
  expect(found.note.replace("More: repeat this call with next as cursor. ", "")).toBe(`${FROM} ${note}`);
});

it.each<[what: string, from: string, to: [number, number], km: number, bearing: number]>([
  ["Paris to Sydney", "48.857, 2.352", [-33.869, 151.209], 16_960.5, 69],
  ["across the date line", "0, 179.5", [0, -179.5], 111.2, 90],
  ["from pole to pole", "90, 0", [-90, 0], 20_015.1, 180],
])("%s: from %s to %j", async (_, to, [latitude, longitude], km, bearingDegrees) => {
  const { items } = await near({ to, fields: ["km", "bearingDegrees"] }, [{ assetId: "v1", latitude, longitude }]);
  expect(items).toEqual([{ km, bearingDegrees }]);
});

describe("private journeys", () => {
  it("are left out, with their location, unless privacy is off", async () => {
    const { failure, question } = await serve();
    expect((await near({ to: "44.5, 4" })).names).toBe("Van 3, Truck 1, Van 2");
    expect(await failure("find_nearest_vehicles", { to: "car 4" })).toContain("private journey");
    expect(await question("find_nearest_vehicles", { to: "home" })).toMatch(/^No vehicle, driver, location or town matches "home"/);
    const shown = await near({ to: "44.5, 4", limit: 2 }, FLEET, { FLEET_PRIVACY: "off" });
    expect([shown.names, shown.note]).toEqual(["Van 3, Car 4", expect.stringContaining("unknown: 1 without a valid position.")]);
  });
});

it.each<[Args, string]>([[{}, "input: find_nearest_vehicles: to: is required"]])("%j is rejected", async (args, message) =>
  expect(await (await serve()).failure("find_nearest_vehicles", args)).toContain(message),
);

it.each<[Args, RegExp]>([
  [{ to: "van" }, /^2 vehicles, drivers, locations and towns match "van"\. Which one: Van 2 \(v2\); Van 3 \(v3\)\?/],
  [{ to: "crane 4" }, /^No vehicle, driver, location or town matches "crane 4"\. Did you mean .*\? Ask .* as to\.$/],
  [{ to: "car 9" }, /matches "car 9"\. Car 9 \(v9\) is sold\. Did you mean/],
])("%j is a question", async (args, question) => {
  const { service, question: asked } = await serve();
  const sold = { assetId: "v9", assetName: "Car 9", status: "SOLD" };
  service.script.listLivePositions = ({ url }) => ({
    body: url.searchParams.get("showAllVehicleStatus") === "true" ? [...FLEET, sold] : FLEET,
  });
  expect(await asked("find_nearest_vehicles", args)).toMatch(question);
});

it.each<[what: string, fleet: Position[], args: Args, count: number]>([
  ["continues from the same point, even if the vehicle there has moved", fleetOf(40), { to: "truck 7", limit: 7 }, 39],
  [
    "lists each at one place once",
    ["A", "B", "C"].map((assetName) => ({ assetName, latitude: 45, longitude: 5 })),
    { to: "45, 5", limit: 1 },
    3,
  ],
])("the next page %s", async (_, fleet, args, count) => {
  const { record, service } = await serve(fleet);
  const moved = fleet.map((position) => (position.assetName === "Truck 7" ? { ...position, latitude: -30 } : position));
  const seen: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const { items, next } = await record("find_nearest_vehicles", { ...args, ...(cursor && { cursor }) });
    seen.push(...items.map(({ assetName }: Position) => assetName));
    service.script.listLivePositions = () => ({ body: moved });
    cursor = next;
  }
  expect([seen.length, new Set(seen).size]).toEqual([count, count]);
});

describe("a type of vehicle", () => {
  const TYPES: Position[] = [
    { assetType: "TRUCK", energyType: "ICE", fuelType: ["DIESEL"] },
    { assetType: "TRUCK", energyType: "EV" },
    { assetType: "Van", energyType: "ev" },
    { assetType: "VAN", energyType: "ICE", fuelType: ["PETROL", "lpg"] },
    { assetType: "CAR", energyType: "PHEV", fuelType: ["petrol"] },
    { assetType: "SEMI_TRAILER" },
    { energyType: "LNG" },
    { assetType: "CAR", energyType: "HEV" },
    { assetType: "CAR", energyType: "FECV" },
    {},
  ].map((kind, at) => ({ assetId: `v${at}`, assetName: String(at), latitude: 50 + at, longitude: 10, ...kind })) as Position[];

  it.each([["gas", "6"]])("%j is that of %j", async (type, names) => expect((await near({ to: "50, 10", type }, TYPES)).names).toBe(names));

  it("that no vehicle has: the result names at most eight that exist", async () => {
    expect((await near({ to: "50, 10", type: "bus" }, TYPES)).note).toContain(
      "0 of this type; types: CAR 3, TRUCK 2, Van 1, VAN 1, SEMI_TRAILER 1; energy: ICE 2, EV 1, ev 1, PHEV 1, LNG 1, HEV 1, FECV 1.",
    );
    const many = [..."abcdefghi"].map((assetType) => ({ assetId: assetType, assetType, latitude: 1, longitude: 2 })) as Position[];
    expect((await near({ to: "50, 10", type: "bus" }, many)).note).toContain("h 1; energy: none.");
  });
});
