import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createFleetClient, type FleetClient, type FleetClientOptions, type RetryEvent } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, endlessBody, holdTimeouts, recordingServer, silence, unfinished } from "./recording-server.ts";

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
type Call = (fleet: FleetClient) => Promise<unknown>;
const get: Call = (fleet) => fleet.listLivePositions();
const post: Call = (fleet) => fleet.queryTachoActivity(span);
const put: Call = (fleet) => fleet.updateGroup({ id: "g1" });

describe("a read or an update", () => {
  const passing = [
    ...unfinished,
    { what: "429", answer: { status: 429 }, code: "rateLimited" },
    { what: "500", answer: { status: 500 }, code: "upstream" },
    { what: "502 with HTML", answer: { status: 502, body: "<html>" }, code: "upstream" },
  ];
  it.each([
    ...passing.map((row) => ({ ...row, how: "a GET", call: get, good: [] as unknown })),
    ...["a reset", "500"].flatMap((wanted) => {
      const row = passing.find(({ what }) => what === wanted) as (typeof passing)[number];
      return [
        { ...row, how: "a read by POST", call: post, good: { count: 0, data: [] } },
        { ...row, how: "an update", call: put, good: { id: "g1" } },
      ];
    }),
  ])("by $how is retried after $what, up to the number of retries; then the error is $code", async ({ answer, code, call, good }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer, answer, { body: good }], retries: 2 });
    expect(await call(fleet)).toEqual(good);
    const [first, ...more] = api.requests.map(({ method, url, body }) => ({ method, url, body }));
    expect(more).toEqual([first, first]);
    api.script(answer);
    expect(await failure(call(fleet))).toMatchObject({ code, errors: [] });
    expect(api.requests).toHaveLength(6);
  });

  it.each<[what: string, answer: Answer]>([
    ...[302, 400, 401, 403, 404, 409, 418, 422].map((status): [string, Answer] => [String(status), { status }]),
    ["200 with HTML", { body: "<html>" }],
    ["200 with nothing", { body: "" }],
  ])("is not retried after %s", async (_, answer) => {
    for (const call of [get, put]) {
      const { fleet, api } = await fleetUnderTest({ api: [answer, { body: [] }], retries: 2 });
      await failure(call(fleet));
      onlyRequest(api);
    }
  });
});

describe("the number of retries", () => {
  it("is 2 by default", async () => {
    const api = await recordingServer({ status: 500 });
    const fleet = createFleetClient({
      customerId: "c42",
      credentials: { clientId: "id", clientSecret: "secret" },
      servers: { base: api.origin },
      random: () => 0,
    });
    await failure(fleet.listLivePositions());
    expect(api.requests).toHaveLength(3);
  });

  it("applies to the token request, which calls do not retry again", async () => {
    const { fleet, auth } = await fleetUnderTest({ auth: [{ status: 500 }], retries: 1 });
    await failure(fleet.listTireEvents());
    expect(auth.requests).toHaveLength(2);
    auth.script({ status: 503 }, tokenAnswer("canary-T1"));
    expect(await fleet.listTireEvents()).toEqual([]);
    expect(auth.requests).toHaveLength(4);
  });
});

it.each([
  ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map((retries) => ({ retries })),
  ...[0, -1, Number.NaN].flatMap((time) => [{ timeout: time }, { totalTimeout: time }]),
])("the options %j are rejected before anything is sent", async (options) => {
  const { fleet, api } = await fleetUnderTest();
  const message = expect.stringContaining(String(Object.keys(options)[0]));
  expect(await failure(fleet.listLivePositions({}, options))).toMatchObject({ code: "input", message });
  expect(api.requests).toEqual([]);
  await expect(fleetUnderTest(options)).rejects.toMatchObject({ code: "config", message });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("%i is not followed, neither to another origin nor within its own", async (status) => {
    const other = await recordingServer({ body: [] });
    const { fleet, api, auth } = await fleetUnderTest({ api: [{ status, headers: { location: `${other.origin}/elsewhere` } }] });
    const creation = await failure(fleet.createJob({ address: "a" }));
    // A server may do the work before it sends a redirect.
    expect(creation).toMatchObject({ code: "unknownOutcome", status, message: expect.stringContaining("redirect") });
    for (const call of [get, put, (): Promise<unknown> => fleet.listJobs()]) {
      expect(await failure(call(fleet))).toMatchObject({ code: "contract", status, message: expect.stringContaining("redirect") });
    }
    api.script({ status, headers: { location: "/elsewhere" } });
    expect((await failure(get(fleet))).code).toBe("contract");
    expect([other.requests.length, auth.requests.length, api.requests.length]).toEqual([0, 1, 5]);
  });

  it("of the token request is not followed", async () => {
    const other = await recordingServer({ body: { accessToken: "canary-T1" } });
    const { fleet, api } = await fleetUnderTest({ auth: [{ status: 307, headers: { location: other.origin } }] });
    expect(await failure(fleet.listJobs())).toMatchObject({ code: "contract", operation: "requestAccessToken", status: 307 });
    expect([...other.requests, ...api.requests]).toEqual([]);
  });

  it("that a browser reports as status 0 is not followed, either", async () => {
    const { fleet } = await fleetUnderTest({ fetch: async () => Response.error() });
    expect(await failure(get(fleet))).toMatchObject({ code: "contract", message: expect.stringContaining("redirect") });
  });

  it("is distinguished from 304", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 304 }] });
    const error = await failure(get(fleet));
    expect(error).toMatchObject({ code: "contract", status: 304, message: expect.stringMatching(/HTTP 304 Not Modified/) });
    expect(`${error.message} ${error.advice}`).not.toContain("redirect");
  });
});

describe("a request without a response", () => {
  it.each(unfinished)("has no status, and is the token service's own if it is a token's: $what", async ({ answer, code }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer], auth: [answer] });
    const error = await failure(get(fleet));
    expect([error.operation, error.status]).toEqual(["listLivePositions", undefined]);
    expect(await failure(fleet.listTireEvents())).toMatchObject({ code, operation: "requestAccessToken" });
    onlyRequest(api);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])("a timeout of %d does not fire immediately", async (timeout) => {
    const { fleet } = await fleetUnderTest({ timeout });
    expect(await fleet.listTireEvents()).toEqual([]);
  });

  it.each<{ what: string; fetch: typeof globalThis.fetch }>([
    { what: "never responds", fetch: () => new Promise(() => {}) },
    { what: "never ends the body", fetch: async () => new Response(new ReadableStream()) },
  ])("a custom fetch that $what and ignores the signal: timeout, or aborted", async ({ fetch }) => {
    const { fleet } = await fleetUnderTest({ fetch });
    expect((await failure(fleet.listLivePositions({}, { timeout: 50 }))).code).toBe("timeout");
    expect((await failure(fleet.listLivePositions({}, { signal: AbortSignal.timeout(20) }))).code).toBe("aborted");
  });
});

describe("a caller that aborts the call", () => {
  it("before it starts: nothing is sent", async () => {
    const { fleet, api, auth } = await fleetUnderTest();
    const signal = AbortSignal.abort();
    const calls = [
      fleet.listLivePositions({}, { signal }),
      fleet.listTireEvents({}, { signal }),
      fleet.createJob({ address: "a" }, { signal }),
    ];
    for (const call of calls) expect(await failure(call)).toMatchObject({ code: "aborted", changed: "no" });
    expect([...api.requests, ...auth.requests]).toEqual([]);
  });

  it.each([
    { what: "before the headers", answer: silence },
    { what: "within the body", answer: endlessBody },
  ])("$what: aborted", async ({ answer }) => {
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    const controller = new AbortController();
    const call = failure(fleet.listLivePositions({}, { signal: controller.signal }));
    await api.arrived(1);
    controller.abort(new Error("canary"));
    const error = await call;
    expect(error).toMatchObject({ code: "aborted", operation: "listLivePositions" });
    expect(error.message).not.toContain("canary");
  });
});

/** The delays that a call would make, each cut short. */
async function pauses(answer: Answer, options: Partial<FleetClientOptions>): Promise<number[]> {
  const controller = new AbortController();
  const events: RetryEvent[] = [];
  const onRetry = (event: RetryEvent) => {
    events.push(event);
    // Long delays are skipped.
    if (event.delay >= 1_000) controller.abort();
  };
  const { fleet } = await fleetUnderTest({ api: [answer], onRetry, ...options });
  await failure(fleet.listLivePositions({}, { signal: controller.signal }));
  return events.map(({ delay }) => delay);
}

describe("the retry delay", () => {
  it("is random up to a limit, which doubles from half a second to eight", async () => {
    const one = 1 / 500;
    expect(await pauses({ status: 500 }, { retries: 7, random: () => one })).toEqual([1, 2, 4, 8, 16, 16, 16]);
    expect(await pauses({ status: 500 }, { retries: 3, random: () => 0 })).toEqual([0, 0, 0]);
  });

  // A date without a zone is UTC, wherever the client runs.
  beforeAll(() => vi.stubEnv("TZ", "America/New_York"));
  afterAll(() => vi.unstubAllEnvs());
  const date = "Sat, 21 Nov 2026 10:00:00 GMT";
  const later = "Sat, 21 Nov 2026 10:00:07 GMT";
  const withoutDate = (retryAfter: string): Answer => {
    return (response) => {
      response.sendDate = false;
      response.writeHead(429, { "retry-after": retryAfter }).end();
    };
  };
  it.each<[what: string, answer: Answer, delay: number]>([
    ["a date, by the service's clock", { status: 429, headers: { "retry-after": later, date } }, 7_000],
    ["a date, by our clock if the service sends none", withoutDate(later), 7_000],
    ["a date in another format", withoutDate("Saturday, 21-Nov-26 10:00:07 GMT"), 7_000],
    ["a date without a zone", withoutDate("Sat Nov 21 10:00:07 2026"), 7_000],
    ["a date with an offset", withoutDate("Sat, 21 Nov 2026 11:00:07 +0100"), 7_000],
    ["a date in the past", { status: 429, headers: { "retry-after": date, date: later } }, 250],
    ...["7", "0", "soon", "-5", "7, 8", "", "1e3", "Infinity", "1e999", "0x10", "1.2.3", "2026-11-21"].map(
      (value): [string, Answer, number] => [value, { status: 429, headers: { "retry-after": value } }, value === "7" ? 7_000 : 250],
    ),
  ])("is at least Retry-After: %s", async (_, answer, delay) => {
    const options = { retries: 1, random: () => 0.5, now: () => Date.parse(date), totalTimeout: 1e9 };
    expect(await pauses(answer, options)).toEqual([delay]);
  });
});

describe("the total time of a call", () => {
  it.each<[what: string, retryAfter: string, time: object, waits: number]>([
    ["two days, of which the error says one", "172800", { totalTimeout: 1e12 }, 86_400_000],
    ["a date far in the future", "Fri, 31 Dec 9999 23:59:59 GMT", { totalTimeout: 1e12 }, 86_400_000],
    ["more than the total time", "60", { totalTimeout: 50_000 }, 60_000],
    ["more than three times the timeout, the default", "30", { timeout: 10_000 }, 30_000],
  ])("fails it at once if Retry-After is %s", async (_, value, time, retryAfter) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503, headers: { "retry-after": value } }], retries: 5 });
    // A client that waited would exceed the test's timeout.
    const error = await failure(fleet.listLivePositions({}, time));
    expect(error).toMatchObject({ code: "upstream", status: 503, retryAfter });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ retryAfter });
    onlyRequest(api);
  });

  it("limits attempts that are each in time", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [silence], timeout: 60, totalTimeout: 150, retries: 1_000 });
    expect((await failure(fleet.listLivePositions())).code).toBe("timeout");
    expect(api.requests.length).toBeGreaterThan(1);
    expect(api.requests.length).toBeLessThan(5);
  });
});

describe("a caller that aborts the call while it waits", () => {
  const patient: Answer = { status: 503, headers: { "retry-after": "50" } };

  it("for a retry ends it immediately, and leaves no timer", async () => {
    const controller = new AbortController();
    const { fleet, api } = await fleetUnderTest({ api: [patient], retries: 3, onRetry: () => setTimeout(() => controller.abort(), 20) });
    await failure(fleet.listLivePositions({}, { retries: 0 }));
    const before = timers();
    expect(await failure(fleet.listLivePositions({}, { signal: controller.signal }))).toMatchObject({
      code: "aborted",
      operation: "listLivePositions",
    });
    expect(api.requests).toHaveLength(2);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
