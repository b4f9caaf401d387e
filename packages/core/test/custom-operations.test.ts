import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, Identifier } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const base = { summary: "For a test", source: "our own notes", servers: ["base"], auth: ["basic"] } as const;

const listTrips = defineOperation({
  ...base,
  name: "listTrips",
  method: "GET",
  path: "/v1/customer/{customerId}/vehicle/{vehicleId}/trips/{day}",
  params: { vehicleId: Identifier, day: z.string() },
  query: { tags: z.array(z.string()).optional(), limit: z.int().positive().optional() },
  output: z.array(z.object({ km: z.number().optional() })),
  effect: "read",
});

const bookService = defineOperation({
  ...{ ...base, name: "bookService", method: "POST", path: "/v1/bookings", effect: "create" },
  body: { garage: z.string(), bookingRef: z.string().optional() },
  output: z.object({ booking: z.object({ ref: z.string().optional() }).optional() }),
} as const);

const endTrip = defineOperation({
  ...base,
  name: "endTrip",
  method: "DELETE",
  path: "/v1/trips/{tripId}",
  params: { tripId: z.string() },
  output: z.void(),
  effect: "update",
});

const readAnything = { ...base, name: "readAnything", method: "GET", path: "/v1/anything", effect: "read" } as const;

const Tree = z.object({
  name: z.string().optional(),
  get in() {
    return z.array(Tree).optional();
  },
});

function fail(): never {
  throw new Error("canary of the caller's own code");
}

describe("a custom operation", () => {
  it("is sent as defined: path, query, credentials", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: [{ km: 3 }] }] });
    expect(await fleet.request(listTrips, { vehicleId: "v1", day: "2026/11", tags: ["a", "b"], limit: 5 })).toEqual([{ km: 3 }]);
    const { method, url, headers } = onlyRequest(api);
    expect([method, url]).toEqual(["GET", "/v1/customer/c42/vehicle/v1/trips/2026%2F11?tags=a,b&limit=5"]);
    expect(headers.authorization).toMatch(/^Basic /);
  });

  it.each([
    { input: { vehicleId: "../v1", day: "d" }, field: "vehicleId" },
    { input: { vehicleId: "v1", day: ".." }, field: "day" },
    { input: { vehicleId: "v1", day: "d", limit: 0 }, field: "limit" },
    { input: { vehicleId: "v1", day: "d", limti: 1 }, field: "limti" },
  ])("rejects $input and sends nothing", async ({ input, field }) => {
    const { fleet, api } = await fleetUnderTest();
    const error = await failure(fleet.request(listTrips, input as never));
    expect(error).toMatchObject({ code: "input", operation: "listTrips" });
    expect(error.errors.flatMap(({ offendingFields }) => offendingFields)).toContain(field);
    expect(api.requests).toEqual([]);
  });

  const [either, tree] = [z.object({ a: z.union([z.string(), z.number()]) }), { name: "a", in: [{ in: [{ name: "c" }] }] }];
  const throwing = z.array(z.tuple([z.string().refine(() => fail())]));
  it.each<[what: string, output: z.ZodType, body: unknown, gives?: unknown]>([
    ["a rule, which only inputs must follow", z.object({ a: z.string().min(5) }), { a: "x" }],
    ["a record", z.record(z.string(), z.number()), { a: 1 }],
    ["a union", either, { a: "hi" }],
    ["a tuple", z.tuple([z.string(), z.number()]), ["a", 1]],
    ["anything", z.object({ a: z.any() }), { a: [1] }],
    ["a rule that throws", throwing, [["a"]], []],
    ["a recursive shape", Tree, tree],
  ])("returns an output of any form: %s", async (_, output, body, gives) => {
    const { fleet, drift } = await fleetUnderTest({ api: [{ body }] });
    expect(await fleet.request(defineOperation({ ...readAnything, output }), {})).toEqual(gives ?? body);
    expect(drift.flatMap((report) => report.drift.map(({ kind }) => kind))).toEqual(gives ? ["wrong type"] : []);
  });

  it.each<[what: string, output: z.ZodType]>([
    ["a transform", z.object({ a: z.string().transform(Number) })],
    ["a default", z.array(z.object({ a: z.string().default("x") }))],
  ])("is not sent if its output changes the response: %s", async (_, output) => {
    const { fleet, api } = await fleetUnderTest();
    expect((await failure(fleet.request(defineOperation({ ...readAnything, output }), {}))).code).toBe("config");
    expect(api.requests).toEqual([]);
  });

  it("whose refusal check throws counts neither as done nor as refused", async () => {
    const output = z.object({ a: z.string().optional() });
    const refusing = defineOperation({ ...readAnything, output, refusal: () => fail() });
    const { fleet } = await fleetUnderTest({ api: [{ body: {} }] });
    expect((await failure(fleet.request(refusing, {}))).code).toBe("contract");
    expect((await failure(fleet.request({ ...refusing, effect: "create" }, {}))).code).toBe("unknownOutcome");
  });

  it("is not sent if generating its key throws", async () => {
    const idempotencyKey = { field: "bookingRef", outputPath: "booking.ref", generate: () => fail() };
    const { fleet, api } = await fleetUnderTest();
    expect((await failure(fleet.request({ ...bookService, idempotencyKey } as never, { garage: "north" }))).code).toBe("config");
    expect(api.requests).toEqual([]);
  });

  it.each([undefined, "listTrips", {}])("cannot be %j", async (operation) => {
    const { fleet } = await fleetUnderTest();
    expect((await failure(fleet.request(operation as never, {}))).code).toBe("input");
  });

  it.each([{ status: 204 }, { body: "" }, { body: "<html>" }])("without an output ignores the body: %j", async (answer) => {
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    expect(await fleet.request(endTrip, { tripId: "t/1" })).toBeUndefined();
    expect([onlyRequest(api).method, onlyRequest(api).url]).toEqual(["DELETE", "/v1/trips/t%2F1"]);
  });
});
