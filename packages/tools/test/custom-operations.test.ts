import { defineOperation, type FieldMetadata, fieldMetadata, Identifier, type Operation } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { catalogue, createFleetTools, type FleetTools, type FleetToolsConfig } from "../src/index.ts";
import { type Script, servedFleet } from "./served-fleet.ts";

const DRIVER = "Zoe Zebra-Quist";
const ADDRESS = "Quai Perrache 10";

const Text = z.string();
const withField = (schema: z.ZodType, metadata: FieldMetadata) => schema.register(fieldMetadata, metadata).optional();
const Trip = z.object({
  tripId: Text.optional(),
  driverName: withField(z.string(), { holds: "person" }),
  startDateTime: withField(z.string().meta({ format: "date-time" }), { holds: "instant" }),
  distance: withField(z.number(), { holds: { min: 0, max: 5_000 }, unit: "km" }),
  endAddress: withField(z.string(), { holds: "place", withheld: true }),
  // Has no metadata, so it may hold anything.
  note: z.string().optional(),
  privacy: withField(z.boolean(), { holds: "flag", guard: true }),
});

const common = { source: "our own notes", servers: ["base"] as const, auth: ["basic"] as const, effect: "read" as const };

/** A paginated list with a path parameter, a period and a guard. */
const listTrips: Operation = defineOperation({
  ...common,
  ...{ name: "listTrips", summary: "List the trips of a vehicle", method: "GET" },
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
  params: { vehicleId: Identifier },
  query: {
    ...{ startDate: Text.optional(), endDate: Text.optional(), pageIndex: z.int().min(0).optional() },
    pageSize: z.int().min(1).max(50).optional(),
    purpose: z.enum(["business", "private"]).optional().describe("Only trips of this purpose"),
  },
  output: z.object({ items: z.array(Trip), totalItems: z.int().optional(), totalPages: z.int().optional() }),
  paging: { kind: "page", index: "pageIndex", size: "pageSize", items: "items", totalItems: "totalItems", totalPages: "totalPages" },
  tool: {
    ...{ title: "List trips", description: "Trips of a vehicle.", toolset: "positions" },
    names: { vehicleId: "vehicle" },
    period: ["startDate", "endDate"],
    rows: { path: "items", noun: ["trip", "trips"], columns: ["tripId", "startDateTime", "distance", "endAddress"] },
  },
}) as Operation;

const compareVehicles: Operation = defineOperation({
  ...common,
  ...{ name: "compareVehicles", summary: "Compare two vehicles", method: "POST", contentType: "application/json" },
  path: "/public/v1/customer/{customerId}/compare",
  body: {
    ...{ oneVehicleId: Identifier, otherVehicleId: Identifier.optional(), driverIds: z.array(Identifier).optional() },
    ...{ from: Text, until: Text },
  },
  output: z.array(z.object({ field: Text.optional(), difference: Text.optional() })),
  tool: {
    ...{ title: "Compare vehicles", description: "What two vehicles differ in.", toolset: "trips" },
    hints: { oneVehicleId: "The first one", from: "When" },
    names: { oneVehicleId: "vehicle", otherVehicleId: "vehicle", driverIds: "driver" },
    period: ["from", "until"],
    rows: { path: "", noun: ["difference", "differences"], columns: ["field", "difference"] },
  },
}) as Operation;

const readTrip: Operation = defineOperation({
  ...common,
  ...{ name: "readTrip", summary: "Read a vehicle's latest trip", method: "GET" },
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trip",
  params: { vehicleId: Identifier },
  output: Trip,
  tool: { title: "Read trip", description: "The latest trip of a vehicle.", toolset: "trips", names: { vehicleId: "vehicle" } },
}) as Operation;

const FLEET = [
  { assetId: "v12", assetName: "Truck 12", assetRegistration: "KX21 ABC", driverId: "p1", driverName: "Anna Keller" },
  { assetId: "v7", assetName: "Van 7", driverName: "Cora Ohneid" },
  { assetName: "Lorry 8", assetRegistration: "LR08 RRY" },
];

const trips = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ tripId: `t${at}`, startDateTime: "2026-11-20T08:30:00Z", distance: at, endAddress: "Lyon" }));

/** Tools for the operations above, with these trips. */
const served = (all: readonly object[] = trips(1), env: Record<string, string> = {}, config: Partial<FleetToolsConfig> = {}) => {
  const script: Script = {
    listLivePositions: () => ({ body: FLEET }),
    listTrips: ({ url }) => {
      const [size, index] = ["pageSize", "pageIndex"].map((name) => Number(url.searchParams.get(name))) as [number, number];
      const items = all.slice(index * size, (index + 1) * size);
      return { body: { items, totalItems: all.length, totalPages: Math.ceil(all.length / size) } };
    },
    compareVehicles: () => ({ body: [] }),
  };
  return servedFleet({ script, env, config, options: { operations: [listTrips, compareVehicles] } });
};

const argumentsOf = ({ byName }: FleetTools, tool: string) =>
  byName.get(tool)?.inputJsonSchema as { properties: Record<string, { description: string }>; required: string[] };

describe("a custom operation becomes a tool", () => {
  it("after those of its toolset, subject to FLEET_TOOLS and FLEET_TOOLSETS like any other", async () => {
    const { tools, another } = await served();
    const names = tools.tools.map(({ name }) => name);
    const standard = catalogue.map(({ name }) => name);
    const at = names.indexOf("list_trips");
    expect(names).toEqual([...standard.slice(0, at), "list_trips", ...standard.slice(at), "compare_vehicles"]);
    expect(another({ tools: ["list_trips"] }).tools.map(({ name }) => name)).toEqual(["list_trips"]);
    expect(another({ toolsets: ["positions"] }).tools.at(-1)?.name).toBe("list_trips");
  });

  it("that takes names instead of ids, a period instead of instants, and a cursor instead of pages", async () => {
    const { tools } = await served();
    const { properties, required } = argumentsOf(tools, "list_trips");
    expect(Object.keys(properties)).toEqual(["vehicle", "period", "purpose", "where", "sort", "count", "limit", "cursor", "fields"]);
    expect(required).toEqual(["vehicle"]);
    expect(properties["purpose"]).toEqual({ type: "string", enum: ["business", "private"], description: "Only trips of this purpose" });
  });

  it("that resolves them for the service, and says how they were read", async () => {
    const { text, service } = await served();
    expect((await text("list_trips", { vehicle: "truck 12", period: "2026-11-20", purpose: "business" })).split("\n")).toEqual([
      "1 of 1 trip. Only Truck 12 (KX21 ABC). Period 2026-11-20 in UTC: 2026-11-20 00:00 to 2026-11-21 00:00. Times in UTC, now 2026-11-20 08:34. Units: distance km.",
      "tripId | startDateTime | distance | endAddress",
      "t0 | 4 min ago | 0 | Lyon",
    ]);
    const [request] = service.of("listTrips");
    expect(request?.url.pathname).toContain("/vehicle/v12/trips");
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      ...{ startDate: "2026-11-20T00:00:00.000Z", endDate: "2026-11-21T00:00:00.000Z" },
      ...{ purpose: "business", pageSize: "50", pageIndex: "0" },
    });
  });

  it("that requires the name or the id, and sends no request without an id", async () => {
    const { text, failure, question, service } = await served();
    await text("list_trips", { vehicleId: "v7" });
    expect(await failure("list_trips")).toMatch(/^input: list_trips: vehicle: is required\. /);
    expect(await question("list_trips", { vehicle: "12 7" })).toMatch(/Truck 12|Van 7/);
    expect(service.of("listTrips")).toHaveLength(1);
  });

  it("that refuses a made-up cursor with a larger page", async () => {
    const { record, failure, service } = await served(trips(3));
    const { next } = await record("list_trips", { vehicle: "truck 12", limit: 1 });
    const place = JSON.parse(Buffer.from(String(next), "base64url").toString()) as (string | number)[];
    const cursor = Buffer.from(JSON.stringify([...place.slice(0, -6), 501, ...place.slice(-2)])).toString("base64url");
    expect(await failure("list_trips", { vehicle: "truck 12", cursor })).toContain("cursor: was not issued by this tool");
    expect(service.of("listTrips")).toHaveLength(1);
  });

  it("that is masked: no whereabouts on private journeys, no driver's name in any field", async () => {
    const all = [
      { tripId: "t0", driverName: DRIVER },
      { tripId: "t1", driverName: DRIVER, note: DRIVER, endAddress: ADDRESS, privacy: true },
    ];
    const withheld = "Whereabouts on private journeys are withheld.";
    const args = { vehicleId: "v7" };
    const { call } = await served(all, {}, { driverNames: "hide" });
    const result = await call("list_trips", { ...args, fields: "driverName, note, endAddress" });
    expect(JSON.stringify(result), "see packages/tools/src/fleet/masked-client.ts").not.toMatch(new RegExp(`${DRIVER}|${ADDRESS}`));
    expect(result.text).toContain(withheld);
    expect((await call("list_trips", { ...args, limit: 1 })).text).not.toContain(withheld);
    expect(await (await served(all, { FLEET_PRIVACY: "off" })).text("list_trips", args)).not.toContain(withheld);
  });
});

it("an operation that is no list shows its record with a field per line", async () => {
  const script: Script = { listLivePositions: () => ({ body: FLEET }), readTrip: () => ({ body: { tripId: "t1", distance: 3 } }) };
  const { text, failure } = await servedFleet({ script, options: { operations: [readTrip] } });
  expect(await text("read_trip", { vehicleId: "v7" })).toBe("Read a vehicle's latest trip. Units: distance km.\ntripId: t1\ndistance: 3");
  expect(await failure("read_trip", { vehicle: "lorry 8" })).toContain("so its record cannot be requested");
});

describe("several names", () => {
  it("are named after their fields if there are two of a kind, and are required if the fields are", async () => {
    const { tools } = await served();
    const { properties, required } = argumentsOf(tools, "compare_vehicles");
    const described = Object.entries(properties).map(([name, { description }]) => `${name}: ${description}`);
    expect(described.slice(0, -6)).toEqual([
      ...["oneVehicle: The first one", "otherVehicle: Name, registration or id", "driver: Name or id", "period: When"],
    ]);
    expect(required).toEqual(["oneVehicle", "period"]);
  });

  it("become ids, as a list if the field takes one", async () => {
    const { text, service } = await served();
    const args = { oneVehicle: "truck 12", otherVehicle: "van 7", driver: "anna", period: "2026-11-20T06:00Z/2026-11-20T07:00Z" };
    expect(await text("compare_vehicles", args)).toBe(
      "0 of 0 differences. Only Truck 12 (KX21 ABC). Only Van 7 (v7). Only Anna Keller (p1). Period as given in UTC: 2026-11-20 06:00 to 2026-11-20 07:00.",
    );
    expect(service.of("compareVehicles")[0]?.body).toEqual({
      ...{ oneVehicleId: "v12", otherVehicleId: "v7", driverIds: ["p1"] },
      ...{ from: "2026-11-20T06:00:00.000Z", until: "2026-11-20T07:00:00.000Z" },
    });
  });

  it("are all named if missing; those without an id cause no request", async () => {
    const { failure, service } = await served();
    expect(await failure("compare_vehicles")).toMatch(/^input: compare_vehicles: oneVehicle: is required; period: is required\. /);
    expect(await failure("compare_vehicles", { oneVehicleId: "v12", period: "today", driver: "cora" })).toMatch(
      /^input: driver: the live positions have no id for “Cora Ohneid”, so their differences cannot be requested\. Next: Tell the user, or leave driver out and look for their differences in the full list/,
    );
    expect(service.of("compareVehicles")).toEqual([]);
  });
});

describe("an operation that cannot become a tool is refused:", () => {
  const { tool: _, ...bare } = listTrips;
  it.each<[Operation, string]>([
    [bare as Operation, "listTrips is not offered as a tool"],
    [{ ...listTrips, effect: "update" }, "listTrips writes"],
    [{ ...listTrips, name: "listJobs" }, "two tools are named list_jobs"],
    [{ ...listTrips, query: { ...listTrips.query, limit: z.int().optional() } }, "listTrips: two arguments of its tool are named limit"],
  ])("%#", (operation, message) => {
    const config = { customerId: "c42", credentials: { clientId: "a", clientSecret: "b" }, servers: { base: "http://127.0.0.1:9" } };
    expect(() => createFleetTools(config as never, { operations: [operation] })).toThrow(`operations: ${message}`);
  });
});
