import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Creation, defineOperation, Identifier, type Operation, type RequestEvent } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";
import { reset } from "./recording-server.ts";

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
  ...base,
  name: "bookService",
  method: "POST",
  path: "/v1/bookings",
  auth: ["bearer"],
  body: { garage: z.string(), bookingRef: z.string().optional() },
  output: z.object({ booking: z.object({ ref: z.string().optional() }).optional() }),
  effect: "create",
  idempotencyKey: { field: "bookingRef", outputPath: "booking.ref", generate: () => "REF-1" },
}) as Operation<{ garage: string; bookingRef?: string }, Creation<{ booking?: { ref?: string } }>>;

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

  it("is retried according to its effect, calls hooks and returns metadata", async () => {
    const told: RequestEvent[] = [];
    const { fleet } = await fleetUnderTest({
      api: [{ status: 503 }, reset, { body: [] }],
      retries: 2,
      onRequest: (event) => told.push(event),
    });
    const { data, metadata } = await fleet.request.withMetadata(listTrips, { vehicleId: "v1", day: "d" }, { timeout: 5_000 });
    expect(data).toEqual([]);
    expect(metadata).toMatchObject({ operation: "listTrips", status: 200, attempts: 3 });
    expect(told.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      ["listTrips", 1],
      ["listTrips", 2],
      ["listTrips", 3],
    ]);
  });

  const drifted = expect.arrayContaining([expect.objectContaining({ kind: "wrong type" })]);
  it.each<{ what: string; output: z.ZodType; body: unknown; gives: unknown; drift?: unknown }>([
    { what: "a rule, which only inputs must follow", output: z.object({ a: z.string().min(5) }), body: { a: "x" }, gives: { a: "x" } },
    { what: "another literal", output: z.object({ a: z.literal("x").optional() }), body: { a: "y" }, gives: {}, drift: drifted },
    { what: "a record", output: z.record(z.string(), z.number()), body: { a: 1 }, gives: { a: 1 } },
    { what: "a union", output: z.object({ a: z.union([z.string(), z.number()]) }), body: { a: "hi" }, gives: { a: "hi" } },
    { what: "another union", output: z.object({ a: z.union([z.string(), z.number()]) }), body: { a: true }, gives: {}, drift: drifted },
    { what: "a tuple", output: z.tuple([z.string(), z.number()]), body: ["a", 1], gives: ["a", 1] },
    { what: "an allowed null", output: z.object({ a: z.number().nullable() }), body: { a: null }, gives: {} },
    { what: "null in a list", output: z.array(z.number().nullable()), body: [1, null, "x"], gives: [1, null], drift: drifted },
    { what: "anything", output: z.object({ a: z.any() }), body: { a: [1] }, gives: { a: [1] } },
    { what: "a rule that throws", output: z.array(z.tuple([z.string().refine(() => fail())])), body: [["a"]], gives: [], drift: drifted },
    {
      what: "a recursive shape",
      output: Tree,
      body: { name: "a", in: [{ in: [{ name: "c" }] }] },
      gives: { name: "a", in: [{ in: [{ name: "c" }] }] },
    },
  ])("returns an output of any form: $what", async ({ output, body, gives, drift: expected }) => {
    const { fleet, drift } = await fleetUnderTest({ api: [{ body }] });
    expect(await fleet.request(defineOperation({ ...readAnything, output }), {})).toEqual(gives);
    expect(drift.flatMap((report) => report.drift)).toEqual(expected ?? []);
  });

  it.each<{ what: string; output: z.ZodType }>([
    { what: "a transform", output: z.object({ a: z.string().transform(Number) }) },
    { what: "a default", output: z.array(z.object({ a: z.string().default("x") })) },
    { what: "a catch value", output: z.object({ a: z.string().catch("x") }) },
  ])("is not sent if its output changes the response: $what", async ({ output }) => {
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
    expect((await failure(fleet.request({ ...bookService, idempotencyKey }, { garage: "north" }))).code).toBe("config");
    expect(api.requests).toEqual([]);
  });

  it("rejects a field that JSON cannot represent", async () => {
    const { fleet, api } = await fleetUnderTest();
    const odd = defineOperation({ ...readAnything, method: "POST", body: { note: z.unknown() }, output: z.void() });
    expect((await failure(fleet.request(odd, { note: 5n }))).message).toBe(
      "readAnything: note: must be JSON-serializable (given: a bigint)",
    );
    expect(api.requests).toEqual([]);
  });

  it.each([{ status: 204 }, { body: "" }, { body: "<html>" }])("without an output ignores the body: %j", async (answer) => {
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    expect(await fleet.request(endTrip, { tripId: "t/1" })).toBeUndefined();
    expect([onlyRequest(api).method, onlyRequest(api).url]).toEqual(["DELETE", "/v1/trips/t%2F1"]);
  });
});
