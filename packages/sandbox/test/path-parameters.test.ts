import { defineOperation, Identifier, pathOf } from "@fleetwire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { createApp, type Endpoint } from "../src/app.ts";
import { credentialsOf, tokenIssuer } from "../src/service/credentials.ts";
import { createCustomer } from "../src/service/customers.ts";
import type { Handler } from "../src/service/handler.ts";
import { jsonResponse } from "../src/service/refusal.ts";
import { FRIDAY } from "./sandbox-caller.ts";

const all = { summary: "For a test", source: "our own notes", method: "GET", servers: ["base"], auth: ["basic"], effect: "read" } as const;
const PATH = "/public/v1/customer/{customerId}/vehicle/{vehicleId}/trips/{page}";
const params = { vehicleId: Identifier, page: z.int().min(0) };
const listTrips = defineOperation({ ...all, name: "listTrips", path: PATH, params, output: z.unknown() });
const ofAll = { path: PATH.replace("{vehicleId}", "all"), params: { page: z.string() } };
const listAllTrips = defineOperation({ ...all, ...ofAll, name: "listAllTrips", output: z.unknown() });
const endTrips = { ...listTrips, name: "endTrips", method: "DELETE" as const };
const handleTrips: Handler<{ vehicleId: string; page: number }> = ({ path }) =>
  jsonResponse([path("vehicleId") satisfies string, path("page") satisfies number]);

const limits = { maxJobs: 1, maxStoredBytes: 1 };
const customer = createCustomer(1, 0, 1, "replace", limits);
const { clientId, clientSecret } = credentialsOf(1, 0);
const authenticator = { credentials: [{ clientId, clientSecret }], tokens: tokenIssuer(1, 60) };
const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };

function callApp(...endpoints: Endpoint[]) {
  const service = { customers: [customer], authenticator, clock: () => FRIDAY, maxBodyBytes: 1, limits, seed: 1, faults: () => [] };
  const app = createApp(service as unknown as Parameters<typeof createApp>[0], endpoints);
  return async (path: string, method = "GET") => {
    const response = await app(new Request(`http://sandbox/core${path}`, { method, headers }));
    return { status: response.status, body: await response.json(), allow: response.headers.get("allow") };
  };
}

const call = callApp(
  { operation: listTrips, handler: handleTrips },
  { operation: listAllTrips, handler: () => jsonResponse("all") },
  { operation: endTrips, handler: () => jsonResponse("ended") },
);
const at = (vehicleId: unknown, page: unknown = 0) => pathOf(listTrips, { customerId: customer.id, vehicleId, page });

test.each<[string, string, object, method?: string]>([
  ["reaches its handler with the contract's type", at("v1001", 7), { status: 200, body: ["v1001", 7] }],
  ["stays a string if that is its type", at("1001"), { body: ["1001", 0] }],
  ["stays a string even if it looks like a boolean", at("true"), { body: ["true", 0] }],
  ["is refused with a comma", at("v,1"), { status: 400, body: { offendingFields: ["vehicleId"] } }],
  ["is refused with a slash", at("v/1"), { status: 400, body: { offendingFields: ["vehicleId"] } }],
  ["is refused if no number", at("v1001", "first"), { status: 400, body: { offendingFields: ["page"] } }],
  ["is refused if too small", at("v1001", "-1"), { status: 400, body: { offendingFields: ["page"] } }],
  ["is refused if a number only at first", at("v1001", "007x"), { status: 400, body: { offendingFields: ["page"] } }],
  ["must name the customer of the credentials", at("v1").replace(customer.id, "nobody"), { status: 403 }],
  ["does not match another operation's literal segment", at("all"), { body: "all" }],
  ["leaves the operation to the method", at("v1"), { body: "ended" }, "DELETE"],
  ["leaves the methods to the operations", at("v1"), { status: 405, allow: "GET, DELETE" }, "PUT"],
])("a path placeholder %s", async (_, path, expected, method) => {
  expect(await call(path, method)).toMatchObject(expected);
});

test("a path placeholder that the operation does not have is a bug in its handler", async () => {
  const odd = callApp({ operation: listTrips, handler: ({ path }) => jsonResponse((path as (name: string) => unknown)("tripId")) });
  expect((await odd(at("v1"))).status).toBe(500);
  // @ts-expect-error the input has no such field
  const misspelt: Handler<{ vehicleId: string }> = ({ path }) => jsonResponse(path("vehicleID"));
  expect(misspelt).toBeTypeOf("function");
});
