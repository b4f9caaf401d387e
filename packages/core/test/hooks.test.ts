import { describe, expect, it } from "vitest";
import type { FleetClientOptions, RequestEvent, ResponseEvent, RetryEvent } from "../src/index.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { holdTimeouts, silence, unfinished } from "./recording-server.ts";

type Seen = ["request", RequestEvent] | ["response", ResponseEvent] | ["retry", RetryEvent];

function listening(): { seen: Seen[]; hooks: Partial<FleetClientOptions> } {
  const seen: Seen[] = [];
  return {
    seen,
    hooks: {
      onRequest: (event) => seen.push(["request", event]),
      onResponse: (event) => seen.push(["response", event]),
      onRetry: (event) => seen.push(["retry", event]),
    },
  };
}

const duration = expect.any(Number);

describe("hooks are called", () => {
  it("for each attempt of a call, in order", async () => {
    const { seen, hooks } = listening();
    const { fleet } = await fleetUnderTest({ api: [{ status: 503, body: "busy" }, { body: { id: "g1" } }], retries: 1, ...hooks });
    await fleet.updateGroup({ id: "g1" });
    const about = { operation: "updateGroup", call: 1 };
    expect(seen).toEqual([
      ["request", { ...about, attempt: 1, requestBytes: 11 }],
      ["response", { ...about, attempt: 1, requestBytes: 11, status: 503, duration, responseBytes: 4 }],
      ["retry", { ...about, attempt: 1, code: "upstream", status: 503, delay: 0 }],
      ["request", { ...about, attempt: 2, requestBytes: 11 }],
      ["response", { ...about, attempt: 2, requestBytes: 11, status: 200, duration, responseBytes: 11 }],
    ]);
  });

  it("for token requests, and for the attempt after a token expired early", async () => {
    const { seen, hooks } = listening();
    const { fleet } = await fleetUnderTest({
      api: [{ body: [] }, { status: 401 }, { body: [] }],
      auth: [tokenAnswer("canary-T1"), tokenAnswer("canary-T2")],
      ...hooks,
    });
    await fleet.listTireEvents();
    await fleet.listTireEvents();
    const kinds = seen.map(([what, { operation, attempt }]) => `${what} ${operation} ${attempt}`);
    const token = ["request requestAccessToken 1", "response requestAccessToken 1"];
    const first = ["request listTireEvents 1", "response listTireEvents 1"];
    const again = ["retry listTireEvents 1", ...token, "request listTireEvents 2", "response listTireEvents 2"];
    expect(kinds).toEqual([...token, ...first, ...first, ...again]);
    expect(seen.filter(([what]) => what === "retry").map(([, event]) => event)).toEqual([
      { operation: "listTireEvents", call: 3, attempt: 1, code: "unauthorized", status: 401, delay: 0 },
    ]);
  });

  it.each(unfinished)("for a request without a response: $what", async ({ answer, code }) => {
    holdTimeouts();
    const { seen, hooks } = listening();
    const { fleet } = await fleetUnderTest({ api: [answer], ...hooks });
    await failure(fleet.listLivePositions());
    const about = { operation: "listLivePositions", call: 1, attempt: 1, requestBytes: 0 };
    expect(seen).toEqual([
      ["request", about],
      ["response", { ...about, failure: code, duration, responseBytes: 0 }],
    ]);
  });

  it("for a request that the caller aborts, and not after it", async () => {
    const { seen, hooks } = listening();
    const { fleet, api } = await fleetUnderTest({ api: [silence], retries: 3, ...hooks });
    const controller = new AbortController();
    const call = failure(fleet.listLivePositions({}, { signal: controller.signal }));
    await api.arrived(1);
    controller.abort();
    await call;
    expect(seen.map(([what]) => what)).toEqual(["request", "response"]);
    expect(seen[1]?.[1]).toMatchObject({ failure: "aborted" });
  });
});

const defect = () => {
  throw new Error("a hook's own defect");
};
it.each<[string, () => unknown]>([
  ["throws", defect],
  ["rejects", async () => defect()],
  // biome-ignore lint/suspicious/noThenProperty: this is the defect under test
  ["returns an object that throws when read", () => Object.defineProperty({}, "then", { get: defect })],
])("a hook that %s never fails the call", async (_, fail) => {
  const hooks = Object.fromEntries(["onRequest", "onResponse", "onRetry", "onDrift"].map((name) => [name, fail]));
  const { fleet } = await fleetUnderTest({ api: [{ status: 500 }, { body: { job: { jobId: "j1", odd: 1 } } }], retries: 1, ...hooks });
  expect(await fleet.createJob({ address: "a" })).toMatchObject({ job: { jobId: "j1", odd: 1 } });
});

describe("a result with its metadata", () => {
  it("has the result of the plain call, and details of the call", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 201, body: '[{"assetName":"Łódź"}]' }] });
    const { data, metadata } = await fleet.listLivePositions.withMetadata();
    expect(data).toEqual([{ assetName: "Łódź" }]);
    const about = { operation: "listLivePositions", status: 201, attempts: 1, requestBytes: 0, responseBytes: 25 };
    expect(metadata).toEqual({ ...about, duration });
    expect(metadata.duration).toBeGreaterThan(0);
  });

  it("counts the request whose token had expired, but no token request", async () => {
    const { fleet } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1"), tokenAnswer("canary-T2")],
      api: [{ body: [] }, { status: 401 }, { body: [] }],
    });
    expect((await fleet.listTireEvents.withMetadata()).metadata.attempts).toBe(1);
    expect((await fleet.listTireEvents.withMetadata()).metadata.attempts).toBe(2);
  });
});
