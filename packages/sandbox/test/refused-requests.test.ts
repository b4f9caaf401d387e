import { operations } from "@fleetwire/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const call = callSandbox({ maxBodyBytes: 2000 });
const { urls } = call;
const ERROR = { errorCode: expect.any(Number), errorMessage: expect.stringMatching(/./), offendingFields: expect.any(Array) };
const connect = await call.connect();
const bearer = await call.bearer();
const job = { ...connect, "Content-Type": "application/json" };

describe("chosen S4: an unreadable request gets a single ApiError", () => {
  const rows: [string, string, string, { headers?: Record<string, string>; text?: string }, number][] = [
    ["an unknown path", "GET", `${urls.live}x`, { headers: call.basic }, 404],
    ["the path of another server", "GET", urls.live.replace("/core/", "/tacho/"), { headers: call.basic }, 404],
    ["the root", "GET", new URL("/", urls.live).href, {}, 404],
    ["a wrong method", "DELETE", urls.live, { headers: call.basic }, 405],
    ["a wrong method without credentials", "GET", urls.job, {}, 405],
    ["no credentials", "GET", urls.live, {}, 401],
    ["a wrong content type", "POST", urls.job, { headers: { ...connect, "Content-Type": "text/plain" }, text: "{}" }, 415],
    [
      "a character set that is not UTF-8",
      "POST",
      urls.job,
      { headers: { ...connect, "Content-Type": "application/json; charset=latin1" }, text: "{}" },
      415,
    ],
    ["malformed JSON", "POST", urls.job, { headers: job, text: '{"address":' }, 400],
    ["an empty body", "POST", urls.job, { headers: job, text: "" }, 400],
    ["a list instead of an object", "POST", urls.job, { headers: job, text: "[]" }, 400],
    ["null instead of an object", "POST", urls.job, { headers: job, text: "null" }, 400],
    ["too large a body", "POST", urls.job, { headers: job, text: JSON.stringify({ notes: "n".repeat(3000) }) }, 413],
    ["an unknown customer", "GET", urls.live.replace(call.customer, "nobody"), { headers: call.basic }, 403],
    ["a customer in broken percent-encoding", "GET", urls.live.replace(call.customer, "%E0%A4%A"), { headers: call.basic }, 403],
  ];
  test.each(rows)("%s", async (_name, method, url, sending, status) => {
    const response = await call.send(method, url, sending);
    expect(response).toMatchObject({ status, body: ERROR });
    expect(JSON.stringify(response.body)).not.toMatch(/\\n +at |\.ts|node_modules/);
  });

  test("chosen S6: each kind of refusal has a unique errorCode that starts with the status", async () => {
    const kinds = rows.filter(([name]) =>
      ["an unknown path", "a wrong method", "no credentials", "a wrong content type", "malformed JSON", "too large a body"].includes(name),
    );
    const codes = new Set<number>();
    for (const [, method, url, sending, status] of kinds) {
      const { body } = await call.send(method, url, sending);
      expect(String(body.errorCode).startsWith(String(status))).toBe(true);
      codes.add(body.errorCode);
    }
    expect(codes.size).toBe(6);
  });

  test("a wrong method gets the allowed ones", async () => {
    expect((await call.send("POST", urls.live)).headers.get("allow")).toBe("GET");
  });
});

describe("for any input, the sandbox neither crashes nor breaks its error shape", () => {
  const targets = Object.values({ ...urls, token: `${call.sandbox.env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken` });
  const headers = fc.constantFrom(call.basic, bearer, connect, {}, { ...call.basic, ...connect });
  const mediaType = fc.constantFrom(
    "application/json",
    "application/json;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "text/plain",
  );
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

  test("chosen S4: 10,000 random requests get no status of 500 or more", async () => {
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
      { numRuns: 10_000 },
    );
  }, 110_000);
});
