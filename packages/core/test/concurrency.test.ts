import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFleetClient } from "../src/index.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, holdTimeouts, type RecordedRequest, recordingServer, unfinished } from "./recording-server.ts";

/** A server that responds after a delay and counts concurrent sockets and requests. */
async function countingServer() {
  const most = { sockets: 0, requests: 0 };
  const [sockets, open] = [new Set<unknown>(), new Set<unknown>()];
  const { origin } = await recordingServer(async (response) => {
    if (!sockets.has(response.socket)) response.socket?.once("close", () => sockets.delete(response.socket));
    sockets.add(response.socket);
    open.add(response);
    most.sockets = Math.max(most.sockets, sockets.size);
    most.requests = Math.max(most.requests, open.size);
    await delay(2);
    open.delete(response);
    response.end("[]");
  });
  return { origin, most };
}

const many = Array.from({ length: 120 }, (_, at) => at);

describe("hundreds of calls at once", () => {
  it.each([{ maxConcurrency: 3 }, {}])("stay within the limit of sockets and requests: %j", async (options) => {
    const { origin, most } = await countingServer();
    const fleet = createFleetClient({
      customerId: "c42",
      credentials: { clientId: "id", clientSecret: "secret" },
      servers: { base: origin },
      ...options,
    });
    const answers = await Promise.all(many.map(() => fleet.listLivePositions()));
    expect(answers).toHaveLength(many.length);
    const limit = options.maxConcurrency ?? 50;
    expect(most.sockets).toBeLessThanOrEqual(limit);
    expect(most.requests).toBeLessThanOrEqual(limit);
    expect(most.requests).toBeGreaterThan(1);
  });

  it("share one token request, which needs no slot, even if there is only one", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ maxConcurrency: 1 });
    await Promise.all(many.slice(0, 100).map(() => fleet.listTireEvents()));
    expect([api.requests.length, auth.requests.length]).toEqual([100, 1]);
  });
});

const callOf = ({ url }: RecordedRequest) => new URL(url, "http://a").searchParams.get("call");
const ok: Answer = { body: [] };

describe("calls that wait for a slot", () => {
  it("get it in order of arrival", async () => {
    const { fleet, api } = await fleetUnderTest({ maxConcurrency: 1 });
    const calls = Array.from({ length: 20 }, (_, at) => String(at));
    await Promise.all(calls.map((call) => fleet.listTireEvents({ query: { call } })));
    expect(api.requests.map(callOf)).toEqual(calls);
  });

  it("let a retry go first, but do not wait for its delay", async () => {
    const slow: Answer = (response) => {
      setTimeout(() => response.end("[]"), 30);
    };
    const { fleet, api } = await fleetUnderTest({ maxConcurrency: 1, api: [{ status: 503 }, slow, ok], retries: 1 });
    await Promise.all(["a", "b", "c", "d"].map((call) => fleet.listTireEvents({ query: { call } })));
    expect(api.requests.map(callOf)).toEqual(["a", "b", "a", "c", "d"]);
  });

  it("can give up: nothing is sent, and the others move up", async () => {
    let answer: () => void = () => {};
    const first: Answer = (response) => {
      answer = () => response.end("[]");
    };
    const { fleet, api } = await fleetUnderTest({ maxConcurrency: 1, api: [first, ok] });
    const controller = new AbortController();
    const calls = ["a", "b", "c"].map((call) =>
      fleet.listTireEvents({ query: { call } }, call === "b" ? { signal: controller.signal } : {}),
    );
    const impatient = failure(calls[1] ?? Promise.resolve());
    await api.arrived(1);
    controller.abort();
    expect(await impatient).toMatchObject({ code: "aborted", operation: "listTireEvents" });
    answer();
    await Promise.all([calls[0], calls[2]]);
    expect(api.requests.map(callOf)).toEqual(["a", "c"]);
  });

  it("may wait longer than their timeout, which starts with the slot", async () => {
    const slow: Answer = (response) => {
      setTimeout(() => response.end("[]"), 60);
    };
    const { fleet } = await fleetUnderTest({ maxConcurrency: 1, api: [slow], timeout: 150, totalTimeout: 150 });
    expect(await Promise.all([1, 2, 3, 4].map(() => fleet.listLivePositions()))).toHaveLength(4);
  });

  it.each([...unfinished, { what: "an error", answer: { status: 500 } }, { what: "a redirect", answer: { status: 302 } }])(
    "get one after a call that ended with $what",
    async ({ answer }) => {
      holdTimeouts();
      const { fleet } = await fleetUnderTest({ maxConcurrency: 1, api: [answer, ok] });
      const calls = [fleet.listTireEvents(), fleet.listTireEvents()];
      await failure(calls[0] as Promise<unknown>);
      expect(await calls[1]).toEqual([]);
    },
  );

  it("get a new token if theirs expired in the meantime", async () => {
    let now = 0;
    const later: Answer = (response) => {
      now += 3_600_000;
      response.end("[]");
    };
    const { fleet, api } = await fleetUnderTest({
      maxConcurrency: 1,
      api: [later, ok],
      auth: [tokenAnswer("canary-T1"), tokenAnswer("canary-T2")],
      now: () => now,
    });
    await Promise.all([fleet.listTireEvents(), fleet.listTireEvents()]);
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer canary-T1", "Bearer canary-T2"]);
  });
});
