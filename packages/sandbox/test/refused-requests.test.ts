import { describe, expect, test } from "vitest";
import { tryRandomRequests } from "./random-requests.ts";
import { callSandbox } from "./sandbox-caller.ts";

const call = callSandbox({ maxBodyBytes: 2000 });
const { urls } = call;
const ERROR = { errorCode: expect.any(Number), errorMessage: expect.stringMatching(/./), offendingFields: expect.any(Array) };
const connect = await call.connect();
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

test("chosen S4: 500 random requests get no status of 500 or more", () => tryRandomRequests(500), 120_000);
