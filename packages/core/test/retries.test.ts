import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createFleetClient, type FleetClient, type FleetClientOptions, type RetryEvent } from "../src/index.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, endlessBody, holdTimeouts, recordingServer, reset, silence, truncatedBody } from "./recording-server.ts";

const passing: { what: string; answer: Answer; code: string }[] = [
  { what: "a reset", answer: reset, code: "network" },
  { what: "a truncated body", answer: truncatedBody, code: "network" },
  { what: "no headers in time", answer: silence, code: "timeout" },
  { what: "no end of the body in time", answer: endlessBody, code: "timeout" },
  { what: "408", answer: { status: 408 }, code: "timeout" },
  { what: "429", answer: { status: 429 }, code: "rateLimited" },
  { what: "500", answer: { status: 500 }, code: "upstream" },
  { what: "502 with HTML", answer: { status: 502, body: "<html>" }, code: "upstream" },
  { what: "503", answer: { status: 503 }, code: "upstream" },
];

const lasting: { what: string; answer: Answer }[] = [
  ...[302, 400, 401, 403, 404, 409, 418, 422].map((status) => ({ what: String(status), answer: { status } })),
  { what: "200 with HTML", answer: { body: "<html>" } },
  { what: "200 with nothing", answer: { body: "" } },
];

const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const repeatable: { what: string; call: (fleet: FleetClient) => Promise<unknown>; good: Answer }[] = [
  { what: "a GET", call: (fleet) => fleet.listLivePositions(), good: { body: [] } },
  {
    what: "a read by POST",
    call: (fleet) => fleet.queryTachoActivity(span),
    good: { body: { count: 0, data: [] } },
  },
  { what: "an update", call: (fleet) => fleet.updateGroup({ id: "g1" }), good: { body: { id: "g1" } } },
];

describe.each(repeatable)("$what", ({ call, good }) => {
  it.each(passing)("is retried after $what", async ({ answer }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer, answer, good], retries: 2 });
    expect(await call(fleet)).toEqual((good as { body: unknown }).body);
    const [first, ...more] = api.requests.map(({ method, url, body }) => ({ method, url, body }));
    expect(more).toEqual([first, first]);
  });

  it.each(lasting)("is not retried after $what", async ({ answer }) => {
    const { fleet, api } = await fleetUnderTest({ api: [answer, good], retries: 2 });
    await failure(call(fleet));
    expect(api.requests).toHaveLength(1);
  });
});

describe("the number of retries", () => {
  it.each(passing)("limits the attempts, and the last failure is thrown: $what", async ({ answer, code }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer], retries: 2 });
    expect(await failure(fleet.listLivePositions())).toMatchObject({ code, operation: "listLivePositions" });
    expect(api.requests).toHaveLength(3);
  });

  it("is the call's, if set", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 500 }], retries: 2 });
    await failure(fleet.listLivePositions({}, { retries: 0 }));
    expect(api.requests).toHaveLength(1);
    await failure(fleet.listLivePositions({}, { retries: 4 }));
    expect(api.requests).toHaveLength(6);
  });

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

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("is rejected as %d, before anything is sent", async (retries) => {
    const { fleet, api } = await fleetUnderTest();
    const error = await failure(fleet.listLivePositions({}, { retries }));
    expect(error).toMatchObject({ code: "input", message: expect.stringContaining("retries must be a whole number") });
    expect(api.requests).toEqual([]);
    await expect(fleetUnderTest({ retries })).rejects.toMatchObject({ code: "config", message: expect.stringContaining("retries") });
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

  it("is random by default", async () => {
    const [first = -1] = await pauses({ status: 500 }, { retries: 1, random: undefined });
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(500);
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
  it.each<{ what: string; answer: Answer; delay: number }>([
    { what: "seconds", answer: { status: 429, headers: { "retry-after": "7" } }, delay: 7_000 },
    { what: "seconds, of a 503", answer: { status: 503, headers: { "retry-after": "7" } }, delay: 7_000 },
    { what: "a date, by the service's clock", answer: { status: 429, headers: { "retry-after": later, date } }, delay: 7_000 },
    { what: "a date, by our clock if the service sends none", answer: withoutDate(later), delay: 7_000 },
    { what: "a date in another format", answer: withoutDate("Saturday, 21-Nov-26 10:00:07 GMT"), delay: 7_000 },
    { what: "a date without a zone", answer: withoutDate("Sat Nov 21 10:00:07 2026"), delay: 7_000 },
    { what: "a date with an offset", answer: withoutDate("Sat, 21 Nov 2026 11:00:07 +0100"), delay: 7_000 },
    { what: "a date in the past", answer: { status: 429, headers: { "retry-after": date, date: later } }, delay: 250 },
    { what: "zero", answer: { status: 429, headers: { "retry-after": "0" } }, delay: 250 },
    { what: "less than the backoff", answer: { status: 429, headers: { "retry-after": "0.1" } }, delay: 250 },
    ...["soon", "-5", "7, 8", "", "1e3", "NaN", "Infinity", "1e999", "0x10", "1.2.3", "2026-11-21", "26"].map((value) => ({
      what: `what cannot be read: "${value}"`,
      answer: { status: 429, headers: { "retry-after": value } },
      delay: value === "26" ? 26_000 : 250,
    })),
  ])("is at least Retry-After: $what", async ({ answer, delay }) => {
    const options = { retries: 1, random: () => 0.5, now: () => Date.parse(date), totalTimeout: 1e9 };
    expect(await pauses(answer, options)).toEqual([delay]);
  });
});

describe("a Retry-After of more than a minute", () => {
  it.each<{ what: string; value: string; retryAfter: number }>([
    { what: "61 seconds", value: "61", retryAfter: 61_000 },
    { what: "half an hour", value: "1800", retryAfter: 1_800_000 },
    { what: "two days: the error says one", value: "172800", retryAfter: 86_400_000 },
    { what: "more than a timer can hold", value: "2147484", retryAfter: 86_400_000 },
    { what: "a number that overflows", value: "9".repeat(400), retryAfter: 86_400_000 },
    { what: "a date far in the future", value: "Fri, 31 Dec 9999 23:59:59 GMT", retryAfter: 86_400_000 },
  ])("fails the call, whatever time is left: $what", async ({ value, retryAfter }) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503, headers: { "retry-after": value } }], retries: 5 });
    // A client that waited would exceed the test's timeout.
    const error = await failure(fleet.listLivePositions({}, { totalTimeout: 1e12 }));
    expect(error).toMatchObject({ code: "upstream", status: 503, retryAfter });
    expect(api.requests).toHaveLength(1);
  });
});

describe("the total time of a call", () => {
  it("fails it immediately if Retry-After exceeds it, and the error has the delay", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 429, headers: { "retry-after": "60" } }], retries: 5 });
    const error = await failure(fleet.listLivePositions({}, { totalTimeout: 50_000 }));
    expect(error).toMatchObject({ code: "rateLimited", status: 429, retryAfter: 60_000 });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ retryAfter: 60_000 });
    expect(api.requests).toHaveLength(1);
  });

  it("is three times the timeout by default", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503, headers: { "retry-after": "30" } }], retries: 5, timeout: 10_000 });
    expect((await failure(fleet.listLivePositions())).retryAfter).toBe(30_000);
    expect(api.requests).toHaveLength(1);
  });

  it("limits attempts that are each in time", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [silence], timeout: 300, totalTimeout: 750, retries: 1_000 });
    expect((await failure(fleet.listLivePositions())).code).toBe("timeout");
    expect(api.requests.length).toBeGreaterThan(1);
    expect(api.requests.length).toBeLessThan(5);
  });

  it.each([0, -1, Number.NaN])("is rejected as %d, before anything is sent", async (totalTimeout) => {
    const { fleet, api } = await fleetUnderTest();
    expect(await failure(fleet.listLivePositions({}, { totalTimeout }))).toMatchObject({ code: "input" });
    expect(api.requests).toEqual([]);
  });
});

describe("a caller that aborts the call while it waits", () => {
  const patient: Answer = { status: 503, headers: { "retry-after": "50" } };

  it("for a retry ends it immediately, and leaves no timer", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
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

  it("just before the delay starts ends it, too", async () => {
    const controller = new AbortController();
    const { fleet, api } = await fleetUnderTest({ api: [patient], retries: 3, onRetry: () => controller.abort() });
    expect((await failure(fleet.listLivePositions({}, { signal: controller.signal }))).code).toBe("aborted");
    expect(api.requests).toHaveLength(1);
  });
});
