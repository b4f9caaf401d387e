import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { StoredToken, TokenStore } from "../src/index.ts";
import { fastClock } from "./fast-clock.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, type RecordedRequest, recordingServer } from "./recording-server.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");
const ok: Answer = { body: [] };
const bearers = (requests: RecordedRequest[]) => requests.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));

function memory(first?: StoredToken) {
  const kept: StoredToken[] = first ? [first] : [];
  const store: TokenStore = { get: async () => kept.at(-1), set: async (token) => void kept.push(token) };
  return { kept, store };
}

describe("a token store", () => {
  it("shares one token between clients, and is read once by concurrent calls", async () => {
    const { kept, store: shared } = memory();
    let asked = 0;
    const get = async () => {
      asked += 1;
      return shared.get();
    };
    const store: TokenStore = { ...shared, get };
    const one = await fleetUnderTest({ tokenStore: store, now: () => NOW });
    const other = await fleetUnderTest({ tokenStore: store, now: () => NOW, auth: [tokenAnswer("canary-T2")] });
    await one.fleet.listTireEvents();
    await Promise.all(Array.from({ length: 20 }, () => other.fleet.listTireEvents()));
    expect([other.auth.requests.length, asked]).toEqual([0, 2]);
    expect(new Set(bearers(other.api.requests))).toEqual(new Set(["canary-T1"]));
    expect(kept).toEqual([{ accessToken: "canary-T1", usableUntil: NOW + 3_540_000 }]);
  });

  it("keeps a token of unknown lifetime without an expiry", async () => {
    const { kept, store } = memory();
    const { fleet } = await fleetUnderTest({ tokenStore: store, auth: [tokenAnswer("canary-T1", { expires_in: 0 })] });
    await fleet.listTireEvents();
    expect(kept).toEqual([{ accessToken: "canary-T1" }]);
  });

  it("with an expired token is ignored, and gets the next one", async () => {
    const { kept, store } = memory({ accessToken: "S1", usableUntil: NOW });
    const { fleet, api } = await fleetUnderTest({ tokenStore: store, now: () => NOW });
    await fleet.listTireEvents();
    expect(bearers(api.requests)).toEqual(["canary-T1"]);
    expect(kept.at(-1)).toMatchObject({ accessToken: "canary-T1" });
  });

  const rejected: Answer = { status: 401 };
  it.each<[what: string, next: string | undefined, answers: Answer[], used: string[], end: string]>([
    ["is ignored", undefined, [ok, rejected, ok], ["S1", "S1", "canary-T1"], "done"],
    ["provides the one that another process stored since", "S2", [ok, rejected, ok], ["S1", "S1", "S2"], "done"],
    ["is ignored in the end if that is rejected, too", "S2", [ok, rejected], ["S1", "S1", "S2", "canary-T1"], "unauthorized"],
  ])("whose token is rejected %s", async (_, next, answers, used, end) => {
    const { kept, store } = memory({ accessToken: "S1" });
    const { fleet, api, auth } = await fleetUnderTest({ tokenStore: store, api: answers });
    await fleet.listTireEvents();
    if (next) kept.push({ accessToken: next });
    const ending = fleet.listTireEvents().then(
      () => "done",
      ({ code }) => code,
    );
    expect([await ending, bearers(api.requests)]).toEqual([end, used]);
    expect(auth.requests).toHaveLength(used.filter((token) => token.startsWith("canary")).length);
  });

  it("keeps processes from invalidating each other's tokens, if the service accepts only the latest", async () => {
    let last = 0;
    const service = await recordingServer((response, { url, headers }) => {
      if (url.includes("accessToken")) return void response.end(JSON.stringify({ accessToken: `canary-T${++last}`, expires_in: 3600 }));
      response.writeHead(headers.authorization === `Bearer canary-T${last}` ? 200 : 401).end("[]");
    });
    const { store } = memory();
    const servers = { base: service.origin, auth: service.origin };
    const [one, other] = await Promise.all([1, 2].map(() => fleetUnderTest({ tokenStore: store, servers })));
    for (let call = 0; call < 10; call++) await Promise.all([one?.fleet.listTireEvents(), other?.fleet.listTireEvents()]);
    expect(last).toBeLessThan(6);
  });

  it.each<unknown>([
    ...[null, "S1", [], {}, { accessToken: 5 }, { accessToken: "" }, { accessToken: "S1\r\nx-evil: 1" }],
    ...["2026", Number.NaN].map((usableUntil) => ({ accessToken: "S1", usableUntil })),
  ])("that returns %j is ignored", async (value) => {
    const { fleet, api } = await fleetUnderTest({ tokenStore: { get: () => value as StoredToken, set: () => {} } });
    await fleet.listTireEvents();
    expect(bearers(api.requests)).toEqual(["canary-T1"]);
  });

  const fail = () => {
    throw new Error("the store's own defect");
  };
  const never = () => new Promise<never>(() => {});
  it.each<{ what: string; store: TokenStore }>([
    { what: "throws", store: { get: fail, set: fail } },
    { what: "rejects", store: { get: async () => fail(), set: async () => fail() } },
    { what: "never responds", store: { get: never, set: never } },
  ])("that $what breaks no call", async ({ store }) => {
    fastClock(20);
    const { fleet, api } = await fleetUnderTest({ tokenStore: store });
    expect(await fleet.listTireEvents()).toEqual([]);
    expect(await fleet.listTireEvents()).toEqual([]);
    expect(bearers(api.requests)).toEqual(["canary-T1", "canary-T1"]);
  });

  it("never reveals its token", async () => {
    const { store } = memory({ accessToken: "canary-token" });
    const { fleet } = await fleetUnderTest({ tokenStore: store, api: [{ status: 400, body: [{ errorMessage: "canary-token" }] }] });
    const error = await failure(fleet.listTireEvents());
    expect(error.message).toContain("[redacted]");
    expect(inspect([error, fleet], { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true })).not.toContain("canary");
  });
});

describe("a wrong clock", () => {
  it.each([
    { what: "back", shift: -86_400_000, requests: 1 },
    { what: "forward", shift: 86_400_000, requests: 2 },
  ])("that jumps $what costs one token request at most", async ({ shift, requests }) => {
    let now = NOW;
    const { fleet, auth } = await fleetUnderTest({ now: () => now, auth: [tokenAnswer("canary-T1"), tokenAnswer("canary-T2")] });
    await fleet.listTireEvents();
    now += shift;
    expect(await fleet.listTireEvents()).toEqual([]);
    expect(auth.requests).toHaveLength(requests);
  });

  it("that makes an expired token look valid costs one retry", async () => {
    const { store } = memory({ accessToken: "S1", usableUntil: NOW });
    const { fleet, api } = await fleetUnderTest({ tokenStore: store, now: () => 0, api: [{ status: 401 }, ok] });
    expect(await fleet.listTireEvents()).toEqual([]);
    expect(bearers(api.requests)).toEqual(["S1", "canary-T1"]);
  });
});
