import { defineOperation, Identifier, pathOf } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createApp, type Endpoint } from "../src/app.ts";
import { credentialsOf, tokenIssuer } from "../src/service/credentials.ts";
import { createCustomer } from "../src/service/customers.ts";
import type { Handler } from "../src/service/handler.ts";
import { jsonResponse } from "../src/service/refusal.ts";
import { FRIDAY } from "./sandbox-caller.ts";

const texts = { summary: "For a test", source: "our own notes", method: "GET", servers: ["base"], auth: ["basic"] } as const;

const listTrips = defineOperation({
  ...texts,
  name: "listTrips",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips/{page}",
  params: { vehicleId: Identifier, page: z.int().min(0) },
  output: z.unknown(),
  effect: "read",
});
const listAllTrips = defineOperation({
  ...texts,
  name: "listAllTrips",
  path: "/public/v1/customer/{customerId}/vehicle/all/trips/{page}",
  params: { page: z.string() },
  output: z.unknown(),
  effect: "read",
});
const endTrips = { ...listTrips, name: "endTrips", method: "DELETE" as const };

const handleTrips: Handler<{ vehicleId: string; page: number }> = ({ path }) => {
  const vehicleId: string = path("vehicleId");
  const page: number = path("page");
  return jsonResponse({ vehicleId, page });
};

const limits = { maxJobs: 1, maxStoredBytes: 1 };
const customer = createCustomer(1, 0, 1, "replace", limits);
const { clientId, clientSecret } = credentialsOf(1, 0);

function callApp(endpoints: readonly Endpoint[]) {
  const authenticator = { credentials: [{ clientId, clientSecret }], tokens: tokenIssuer(1, 60) };
  const service = {
    customers: [customer],
    authenticator,
    clock: () => FRIDAY,
    maxBodyBytes: 1,
    limits,
    duplicateJobs: "refuse",
    seed: 1,
    faults: () => [],
  };
  const app = createApp(service as Parameters<typeof createApp>[0], endpoints);
  return async (path: string, method = "GET") => {
    const request = new Request(`http://sandbox/core${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    });
    const response = await app(request);
    return { status: response.status, body: (await response.json()) as Record<string, unknown>, allow: response.headers.get("allow") };
  };
}

const call = callApp([
  { operation: listTrips, handler: handleTrips },
  { operation: listAllTrips, handler: () => jsonResponse("all") },
  { operation: endTrips, handler: () => jsonResponse("ended") },
]);
const at = (vehicleId: unknown, page: unknown = 0) => pathOf(listTrips, { customerId: customer.id, vehicleId, page });

describe("a path placeholder", () => {
  test("reaches its handler with the contract's type", async () => {
    expect((await call(at("v1001", 7))).body).toEqual({ vehicleId: "v1001", page: 7 });
  });

  test("stays a string if that is its type, whatever it looks like", async () => {
    expect((await call(at("1001"))).body).toEqual({ vehicleId: "1001", page: 0 });
    expect((await call(at("true"))).body).toEqual({ vehicleId: "true", page: 0 });
  });

  test.each([
    ["vehicleId", at("v,1")],
    ["vehicleId", at("v/1")],
    ["page", at("v1001", "first")],
    ["page", at("v1001", "-1")],
    ["page", at("v1001", "007x")],
  ])("is refused by name if invalid: %s in %s", async (name, path) => {
    const { status, body } = await call(path);
    expect([status, body["offendingFields"]]).toEqual([400, [name]]);
  });

  test("must name the customer of the credentials", async () => {
    expect((await call(pathOf(listTrips, { customerId: "nobody", vehicleId: "v1", page: 0 }))).status).toBe(403);
  });

  test("does not match another operation's literal segment, whatever the order of registration", async () => {
    expect((await call(at("all"))).body).toBe("all");
  });

  test("selects the operation by method, and lists the allowed methods otherwise", async () => {
    expect((await call(at("v1"), "DELETE")).body).toBe("ended");
    expect(await call(at("v1"), "PUT")).toMatchObject({ status: 405, allow: "GET, DELETE" });
  });

  test("that the operation does not have is a bug in its handler", async () => {
    const odd = callApp([{ operation: listTrips, handler: ({ path }) => jsonResponse((path as (name: string) => unknown)("tripId")) }]);
    expect((await odd(at("v1"))).status).toBe(500);
  });

  test("is typed by the operation's input", () => {
    // @ts-expect-error the input has no such field
    const misspelt: Handler<{ vehicleId: string }> = ({ path }) => jsonResponse(path("vehicleID"));
    expect(misspelt).toBeTypeOf("function");
  });
});
