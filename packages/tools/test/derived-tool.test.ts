import { defineOperation, fieldMetadata, Identifier, type Operation, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { derivedTool } from "../src/query/derived-tool.ts";
import { writeTool } from "../src/writes/operation-write.ts";
import { type Asked, cannedService, rowsOf, toolsOver } from "./canned-service.ts";

const Text = z.string();
const Km = z.number().register(fieldMetadata, { holds: { min: 0, max: 5_000 }, unit: "km" });
const Instant = z.string().meta({ format: "date-time" }).register(fieldMetadata, { holds: "instant" });
const Address = z.string().register(fieldMetadata, { holds: "place", withheld: true });

const Trip = z.object({
  tripId: Text.optional(),
  vehicleName: Text.optional(),
  startDateTime: Instant.optional(),
  endDateTime: Instant.optional(),
  distance: Km.optional(),
  endAddress: Address.optional(),
  privacy: z.boolean().register(fieldMetadata, { holds: "flag", guard: true }).optional(),
});

/** A paginated list with a path parameter, a period and a guard: a custom operation that the tools know nothing about. */
const listTrips: Operation = defineOperation({
  name: "listTrips",
  summary: "List the trips of a vehicle",
  source: "our own notes",
  method: "GET",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips",
  servers: ["base"],
  auth: ["basic"],
  params: { vehicleId: Identifier },
  query: {
    startDate: Text.optional(),
    endDate: Text.optional(),
    purpose: z.enum(["business", "private"]).optional().describe("Only trips of this purpose"),
    pageIndex: z.int().min(0).optional(),
    pageSize: z.int().min(1).max(50).optional(),
  },
  output: z.object({ items: z.array(Trip), pagination: z.object({ totalItems: z.int().optional(), totalPages: z.int().optional() }) }),
  effect: "read",
  paging: {
    kind: "page",
    index: "pageIndex",
    size: "pageSize",
    items: "items",
    totalItems: "pagination.totalItems",
    totalPages: "pagination.totalPages",
  },
  tool: {
    title: "List trips",
    description: "Trips of a vehicle.",
    toolset: "trips",
    names: { vehicleId: "vehicle" },
    period: ["startDate", "endDate"],
    rows: { path: "items", noun: ["trip", "trips"], columns: ["tripId", "startDateTime", "distance", "endAddress"] },
  },
}) as Operation;

const FLEET = [
  { assetId: "v12", assetName: "Truck 12", assetRegistration: "KX21 ABC" },
  { assetName: "Lorry 8", assetRegistration: "LR08 RRY" },
];

const trips = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ tripId: `t${at}`, startDateTime: "2026-11-20T08:30:00Z", distance: at, endAddress: "Lyon" }));

const livePositions: Operation = operations.listLivePositions;

/** A service with these trips. */
function served(all: readonly Record<string, unknown>[]) {
  const respond = ({ operation, fields }: Asked) => {
    if (operation === "listLivePositions") return FLEET;
    if (operation !== "listTrips") return undefined;
    const [size, index] = [Number(fields["pageSize"]), Number(fields["pageIndex"])];
    const pagination = { totalItems: all.length, totalPages: Math.ceil(all.length / size) };
    return { items: all.slice(index * size, (index + 1) * size), pagination };
  };
  return cannedService(respond, [listTrips, livePositions]);
}

const tool = derivedTool(listTrips);

describe("the tool of an operation", () => {
  it("lists its arguments: names instead of ids, a period instead of instants, a cursor instead of pages", () => {
    const { properties, required } = tool.inputSchema as { properties: Record<string, { description: string }>; required: string[] };
    expect(Object.keys(properties)).toEqual(["vehicle", "period", "purpose", "limit", "cursor", "fields"]);
    expect(required).toEqual(["vehicle"]);
    expect(properties["vehicle"]?.description).toBe("Name, registration or id");
    expect(properties["purpose"]).toEqual({ type: "string", enum: ["business", "private"], description: "Only trips of this purpose" });
    expect(tool).toMatchObject({ name: "list_trips", aliases: ["listTrips"], title: "List trips", effect: "read" });
  });

  it("resolves names and periods for the service, and says how they were read", async () => {
    const service = await served(trips(1));
    const { text } = await toolsOver(service).call(tool, { vehicle: "truck 12", period: "2026-11-20", purpose: "business" });
    expect(service.asked.at(-1)).toEqual({
      operation: "listTrips",
      fields: {
        vehicleId: "v12",
        startDate: "2026-11-20T00:00:00.000Z",
        endDate: "2026-11-21T00:00:00.000Z",
        purpose: "business",
        pageSize: "20",
        pageIndex: "0",
      },
    });
    expect(text.split("\n")).toEqual([
      "1 of 1 trip. Only Truck 12 (KX21 ABC). Period 2026-11-20 in UTC: 2026-11-20 00:00 to 2026-11-21 00:00. Times in UTC, now 2026-11-20 08:34. Units: distance km.",
      "tripId | startDateTime | distance | endAddress",
      "t0 | 4 min ago | 0 | Lyon",
    ]);
  });

  it("requires the name or the id", async () => {
    const service = await served(trips(1));
    const { call, failure } = toolsOver(service);
    await call(tool, { vehicleId: "v7" });
    expect(service.asked.map(({ operation, fields }) => [operation, fields["vehicleId"]])).toEqual([["listTrips", "v7"]]);
    expect(await failure(tool, {})).toMatch(/^input: list_trips: vehicle: is required\. /);
    expect(await failure(tool, { vehicle: "lorry 8" })).toMatch(
      /^input: vehicle: the live positions have no id for “Lorry 8 \(LR08 RRY\)”, so its trips cannot be requested\. Next: Tell the user\.?$/,
    );
    expect((await call(tool, { vehicle: "truck" })).text).toMatch(/Truck 12/);
    expect(service.asked.filter(({ operation }) => operation === "listTrips")).toHaveLength(2);
  });

  it("requests no larger page than the operation allows, and reaches the end", async () => {
    const service = await served(trips(120));
    const { call } = toolsOver(service, { FLEET_MAX_RESULT_TOKENS: "20000" });
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const { structured } = await call(tool, { vehicle: "truck 12", limit: 500, ...(cursor !== undefined && { cursor }) });
      seen.push(...rowsOf(structured).map(({ tripId }) => tripId));
      cursor = structured["next"];
    } while (cursor !== undefined);
    expect(seen).toEqual(trips(120).map(({ tripId }) => tripId));
    expect(service.asked.flatMap(({ fields }) => fields["pageSize"] ?? [])).toEqual(["50", "50", "50"]);
  });

  it("withholds whereabouts on private journeys, and says so", async () => {
    const withheld = "Whereabouts on private journeys are withheld.";
    const all = [{ tripId: "t1" }, { tripId: "t2", endAddress: "Quai Perrache 10", privacy: true }];
    const { call } = toolsOver(await served(all));
    const { text, structured } = await call(tool, { vehicleId: "v7" });
    expect(text).toContain(withheld);
    expect(`${text} ${JSON.stringify(structured)}`).not.toContain("Quai Perrache");
    expect((await call(tool, { vehicleId: "v7", limit: 1 })).text).not.toContain(withheld);
    expect((await toolsOver(await served(all), { FLEET_PRIVACY: "off" }).call(tool, { vehicleId: "v7" })).text).not.toContain(withheld);
  });

  it("adds the age of an instant and the other explanations to fields that were requested", async () => {
    const { structured } = await toolsOver(await served(trips(1))).call(tool, { vehicleId: "v7", fields: "tripId, startDateTime" });
    expect(rowsOf(structured)).toEqual([{ tripId: "t0", startDateTime: "2026-11-20T08:30:00Z", startAge: "4 min ago" }]);
  });
});

describe("inputs in words", () => {
  const compareVehicles = defineOperation({
    name: "compareVehicles",
    summary: "Compare two vehicles",
    source: "our own notes",
    method: "POST",
    path: "/public/v1/customer/{customerId}/compare",
    servers: ["base"],
    auth: ["basic"],
    contentType: "application/json",
    body: {
      oneVehicleId: Identifier,
      otherVehicleId: Identifier.optional(),
      driverIds: z.array(Identifier).optional(),
      from: Text,
      until: Text,
    },
    output: z.array(z.object({ field: Text.optional(), difference: Text.optional() })),
    effect: "read",
    tool: {
      title: "Compare vehicles",
      description: "What two vehicles differ in.",
      toolset: "trips",
      hints: { oneVehicleId: "The first one", from: "When" },
      names: { oneVehicleId: "vehicle", otherVehicleId: "vehicle", driverIds: "driver" },
      period: ["from", "until"],
      rows: { path: "", noun: ["difference", "differences"], columns: ["field", "difference"] },
    },
  }) as Operation;
  const compare = derivedTool(compareVehicles);
  const fleet = [
    { ...FLEET[0], driverId: "p1", driverName: "Anna Keller" },
    { assetId: "v7", assetName: "Van 7", driverName: "Cora Ohneid" },
  ];
  const served = () => cannedService(({ operation }) => (operation === "listLivePositions" ? fleet : []), [compareVehicles, livePositions]);

  it("are named after their fields if there are two of a kind, and are required if the fields are", () => {
    const { properties, required } = compare.inputSchema as { properties: Record<string, { description: string }>; required: string[] };
    const text = Object.entries(properties).map(([name, { description }]) => `${name}: ${description}`);
    expect(text.slice(0, -3)).toEqual([
      "oneVehicle: The first one",
      "otherVehicle: Name, registration or id",
      "driver: Name or id",
      "period: When",
    ]);
    expect(required).toEqual(["oneVehicle", "period"]);
  });

  it("become ids, as a list if the field takes one", async () => {
    const service = await served();
    const args = { oneVehicle: "truck 12", otherVehicle: "van 7", driver: "anna", period: "2026-11-20T06:00Z/2026-11-20T07:00Z" };
    const { text } = await toolsOver(service).call(compare, args);
    expect(service.asked.at(-1)?.fields).toEqual({
      oneVehicleId: "v12",
      otherVehicleId: "v7",
      driverIds: ["p1"],
      from: "2026-11-20T06:00:00.000Z",
      until: "2026-11-20T07:00:00.000Z",
    });
    expect(text).toBe(
      "0 of 0 differences. Only Truck 12 (KX21 ABC). Only Van 7 (v7). Only Anna Keller (p1). Period as given in UTC: 2026-11-20 06:00 to 2026-11-20 07:00.",
    );
  });

  it("are all named if missing; entities without an id cause no request", async () => {
    const service = await served();
    const { failure } = toolsOver(service);
    expect(await failure(compare, {})).toMatch(/^input: compare_vehicles: oneVehicle: is required; period: is required\. /);
    expect(await failure(compare, { oneVehicleId: "v12", period: "today", driver: "cora" })).toMatch(
      /^input: driver: the live positions have no id for “Cora Ohneid”, so their differences cannot be requested\. Next: Tell the user, or leave driver out and look for their differences in the full list/,
    );
    expect(service.asked.map(({ operation }) => operation)).toEqual(["listLivePositions"]);
  });
});

describe("the tool of an operation that returns one record", () => {
  const readTrip: Operation = defineOperation({
    name: "readTrip",
    summary: "Read a vehicle's latest trip",
    source: "our own notes",
    method: "GET",
    path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trip",
    servers: ["base"],
    auth: ["basic"],
    params: { vehicleId: Identifier },
    output: Trip,
    effect: "read",
    tool: { title: "Read trip", description: "The latest trip of a vehicle.", toolset: "trips", names: { vehicleId: "vehicle" } },
  }) as Operation;

  it("names what cannot be requested", async () => {
    const service = await cannedService(() => FLEET, [livePositions, readTrip]);
    expect(await toolsOver(service).failure(derivedTool(readTrip), { vehicle: "lorry 8" })).toContain("so its record cannot be requested");
  });

  it("shows one field per line", async () => {
    const service = await cannedService(() => ({ tripId: "t1", distance: 3 }), [readTrip]);
    const { text, structured } = await toolsOver(service).call(derivedTool(readTrip), { vehicleId: "v7" });
    expect(text.split("\n")).toEqual(["Read a vehicle's latest trip. Units: distance km.", "tripId: t1", "distance: 3"]);
    expect(structured["record"]).toEqual({ tripId: "t1", distance: 3 });
  });

  it("ends with the notes of its own", async () => {
    const service = await cannedService(() => ({ tripId: "t1" }), [readTrip]);
    const { text } = await toolsOver(service).call(derivedTool(readTrip, { notes: ["Private trips are left out."] }), { vehicleId: "v7" });
    expect(text.split("\n")[0]).toBe("Read a vehicle's latest trip. Private trips are left out.");
  });
});

describe("a cursor made up by a model", () => {
  it("requests no larger page than a limit could (list-pagination.ts)", async () => {
    const service = await served(trips(3));
    const { call, failure } = toolsOver(service);
    const { structured } = await call(tool, { vehicle: "truck 12", limit: 1 });
    const place = JSON.parse(Buffer.from(String(structured["next"]), "base64url").toString()) as (string | number)[];
    const forged = [...place.slice(0, -3), 501, ...place.slice(-2)];
    const { length } = service.asked;
    const cursor = Buffer.from(JSON.stringify(forged)).toString("base64url");
    expect(await failure(tool, { vehicle: "truck 12", cursor })).toContain("cursor: was not issued by this tool");
    expect(service.asked).toHaveLength(length);
  });
});

describe("an operation that cannot become a tool", () => {
  it("is rejected by name", () => {
    const { tool: _, ...bare } = listTrips;
    expect(() => derivedTool(bare)).toThrow(new TypeError("listTrips is not offered as a tool"));
    expect(() => derivedTool({ ...listTrips, effect: "update" })).toThrow(new TypeError("listTrips writes"));
    expect(() => writeTool(listTrips, {} as never)).toThrow(new TypeError("listTrips only reads"));
    const taken = { ...listTrips, query: { ...listTrips.query, limit: z.int().optional() } };
    expect(() => derivedTool(taken)).toThrow(new TypeError("listTrips: two arguments of its tool are named limit"));
  });
});
