import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { type Answer, DEAD_ORIGIN, endlessBody, holdTimeouts, recordingServer, reset, silence, truncatedBody } from "./recording-server.ts";

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("%i to another origin is not followed", async (status) => {
    const other = await recordingServer({ body: [] });
    const { fleet, auth } = await fleetUnderTest({ api: [{ status, headers: { location: `${other.origin}/elsewhere` } }] });
    const errors = await Promise.all([
      failure(fleet.listLivePositions()),
      failure(fleet.listTireEvents()),
      failure(fleet.listJobs()),
      failure(fleet.updateGroup({ id: "g1" })),
    ]);
    const creation = await failure(fleet.createJob({ address: "a" }));
    // A server may do the work before it sends a redirect.
    expect(creation).toMatchObject({ code: "unknownOutcome", status, message: expect.stringContaining("redirect") });
    for (const error of errors) expect(error).toMatchObject({ code: "contract", status, message: expect.stringContaining("redirect") });
    expect(other.requests).toEqual([]);
    expect(auth.requests).toHaveLength(1);
  });

  it("of the token request is not followed", async () => {
    const other = await recordingServer({ body: { accessToken: "canary-T1" } });
    const { fleet, api } = await fleetUnderTest({ auth: [{ status: 307, headers: { location: other.origin } }] });
    expect(await failure(fleet.listJobs())).toMatchObject({ code: "contract", operation: "requestAccessToken", status: 307 });
    expect([...other.requests, ...api.requests]).toEqual([]);
  });

  it("that a browser reports as status 0 is not followed, either", async () => {
    const { fleet } = await fleetUnderTest({ fetch: async () => Response.error() });
    expect(await failure(fleet.listLivePositions())).toMatchObject({ code: "contract", message: expect.stringContaining("redirect") });
  });

  it("is distinguished from 304", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 304 }] });
    const error = await failure(fleet.listLivePositions());
    expect(error).toMatchObject({ code: "contract", status: 304, message: expect.stringMatching(/HTTP 304 Not Modified/) });
    expect(`${error.message} ${error.advice}`).not.toContain("redirect");
    expect((await failure(fleet.createJob({ address: "a" }))).code).toBe("unknownOutcome");
    expect(api.requests).toHaveLength(2);
  });

  it("within the same origin is not followed, either", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 302, headers: { location: "/elsewhere" } }] });
    expect((await failure(fleet.listLivePositions())).code).toBe("contract");
    expect(api.requests).toHaveLength(1);
  });
});

describe("an incomplete response", () => {
  const rows: { what: string; answer: Answer; code: string }[] = [
    { what: "no headers", answer: silence, code: "timeout" },
    { what: "headers but an endless body", answer: endlessBody, code: "timeout" },
    { what: "a reset", answer: reset, code: "network" },
    { what: "a truncated body", answer: truncatedBody, code: "network" },
  ];

  it.each(rows)("$what: $code", async ({ answer, code }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    const error = await failure(fleet.listLivePositions());
    expect(error).toMatchObject({ code, operation: "listLivePositions", errors: [] });
    expect(error.status).toBeUndefined();
    expect(api.requests).toHaveLength(1);
  });

  it.each(rows)("$what, from the token service: $code", async ({ answer, code }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ auth: [answer] });
    expect(await failure(fleet.listTireEvents())).toMatchObject({ code, operation: "requestAccessToken" });
    expect(api.requests).toEqual([]);
  });

  it("the client's timeout applies if a call has none", async () => {
    const { fleet } = await fleetUnderTest({ api: [silence], timeout: 200 });
    expect((await failure(fleet.listLivePositions())).code).toBe("timeout");
  });

  it.each([0, -1, Number.NaN])("a timeout of %d is rejected before anything is sent", async (timeout) => {
    const { fleet, api } = await fleetUnderTest();
    expect((await failure(fleet.listLivePositions({}, { timeout }))).code).toBe("input");
    expect(api.requests).toEqual([]);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31, Number.MAX_SAFE_INTEGER])("a timeout of %d does not fire immediately", async (timeout) => {
    const { fleet } = await fleetUnderTest({ timeout });
    expect(await fleet.listTireEvents()).toEqual([]);
  });

  it("connection refused: network", async () => {
    const base = DEAD_ORIGIN;
    const { fleet } = await fleetUnderTest({ servers: { base } });
    expect((await failure(fleet.listLivePositions())).code).toBe("network");
  });

  it.each<{ what: string; fetch: typeof globalThis.fetch }>([
    { what: "never responds", fetch: () => new Promise(() => {}) },
    { what: "never ends the body", fetch: async () => new Response(new ReadableStream()) },
  ])("a custom fetch that $what and ignores the signal: timeout, or aborted", async ({ fetch }) => {
    const { fleet } = await fleetUnderTest({ fetch });
    expect((await failure(fleet.listLivePositions({}, { timeout: 50 }))).code).toBe("timeout");
    const controller = new AbortController();
    const call = failure(fleet.listLivePositions({}, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    expect((await call).code).toBe("aborted");
  });

  it("an endless body: tooLarge, before it fills the memory", async () => {
    const piece = new Uint8Array(1024 * 1024);
    let pieces = 0;
    let cancelled = false;
    const endless = () =>
      new ReadableStream({
        pull: (controller) => {
          pieces += 1;
          controller.enqueue(piece);
        },
        cancel: () => {
          cancelled = true;
        },
      });
    const { fleet } = await fleetUnderTest({ fetch: async () => new Response(endless()), authSchemes: { createJob: "basic" } });
    expect((await failure(fleet.listLivePositions())).code).toBe("tooLarge");
    expect(pieces).toBeLessThan(300);
    expect(cancelled).toBe(true);
    expect((await failure(fleet.createJob({ address: "a" }))).code).toBe("unknownOutcome");
  });

  it("a custom fetch that throws: network, without its message", async () => {
    const { fleet } = await fleetUnderTest({
      fetch: () => {
        throw new TypeError("canary");
      },
    });
    const error = await failure(fleet.listLivePositions());
    expect(error.code).toBe("network");
    expect(error.message).not.toContain("canary");
  });
});

describe("a caller that aborts the call", () => {
  it("before it starts: nothing is sent", async () => {
    const { fleet, api, auth } = await fleetUnderTest();
    const signal = AbortSignal.abort();
    for (const call of [
      fleet.listLivePositions({}, { signal }),
      fleet.listTireEvents({}, { signal }),
      fleet.createJob({ address: "a" }, { signal }),
    ]) {
      expect((await failure(call)).code).toBe("aborted");
    }
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

  it("or not: no call leaves a timer that keeps the process alive", async () => {
    const { fleet } = await fleetUnderTest();
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    await fleet.listTireEvents();
    const before = timers();
    await Promise.all(Array.from({ length: 10 }, () => fleet.listTireEvents()));
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("after the response changes nothing", async () => {
    const { fleet } = await fleetUnderTest();
    const controller = new AbortController();
    expect(await fleet.listLivePositions({}, { signal: controller.signal })).toEqual([]);
    controller.abort();
    expect(await fleet.listLivePositions()).toEqual([]);
  });
});
