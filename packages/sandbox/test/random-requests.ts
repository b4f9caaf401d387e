import { operations } from "@fleetwire/core";
import fc from "fast-check";
import { expect } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const call = callSandbox({ maxBodyBytes: 2000 });
const { urls } = call;
const ERROR = { errorCode: expect.any(Number), errorMessage: expect.stringMatching(/./), offendingFields: expect.any(Array) };
const connect = await call.connect();
const bearer = await call.bearer();

const targets = Object.values({ ...urls, token: `${call.sandbox.env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken` });
const headers = fc.constantFrom(call.basic, bearer, connect, {}, { ...call.basic, ...connect });
const mediaType = fc.constantFrom("application/json", "application/json;charset=UTF-8", "application/x-www-form-urlencoded", "text/plain");
const fieldNames = Object.values(operations).flatMap(({ query, body }) => [...Object.keys(query), ...Object.keys(body ?? {})]);
const field = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fieldNames) }, { weight: 1, arbitrary: fc.string({ maxLength: 8 }) });
const plausible = fc.constantFrom(
  "2026-11-16T00:00:00",
  "2026-11-19T00:00:00",
  "ASC",
  call.customer,
  "Truck 12",
  "Lyon",
  "true",
  "null",
  "",
  3,
  -1,
  1e21,
);
const value = fc.oneof(plausible, fc.jsonValue({ maxDepth: 2 }), fc.array(plausible, { maxLength: 3 }));
const json = fc.dictionary(field, value, { maxKeys: 8 }).map((fields) => JSON.stringify(fields));
const text = fc.oneof({ weight: 5, arbitrary: json }, { weight: 1, arbitrary: fc.string({ maxLength: 60 }) });
const query = fc.dictionary(field, fc.oneof(fc.string({ maxLength: 12 }), plausible.map(String)), { maxKeys: 4 });

/** Sends random requests. For any input, the sandbox neither crashes nor breaks its error shape. */
export async function tryRandomRequests(numRuns: number): Promise<void> {
  const request = fc.record({
    url: fc.constantFrom(...targets),
    method: fc.constantFrom("GET", "POST", "PUT"),
    headers,
    mediaType,
    text,
    query,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ url, method, headers: credentials, mediaType: type, text: payload, query: search }) => {
      const sending = { headers: { ...credentials, "Content-Type": type }, query: search, ...(method !== "GET" && { text: payload }) };
      const { status, body } = await call.send(method, url, sending);
      expect(status).toBeLessThan(500);
      if (status >= 400) expect([body].flat()[0]).toEqual(ERROR);
    }),
    { numRuns },
  );
}
