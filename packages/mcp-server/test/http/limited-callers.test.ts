import { createFleetClient, type FleetClient, FleetError } from "@fleetwire/core";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFetchHandler, type FetchHandlerOptions, OAuthError, OAuthErrorCode, serverConfigFromEnv } from "../../src/fetch.ts";
import { rawCall } from "../http-under-test.ts";
import { environmentOf } from "../server-under-test.ts";

const config = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));
const HOLDER = { clientId: "host", scopes: ["fleet:read"], expiresAt: 9e12, tenants: ["north"] };

/** A handler whose callers are named by their tokens. */
function underTest(options: Partial<FetchHandlerOptions>) {
  const verify = async (token: string) => ({ ...HOLDER, id: token });
  const handler = createFetchHandler({ callers: verify, fleets: config, hosts: ["localhost"], version: "1.2.3", ...options });
  onTestFinished(() => handler.close());
  const send = (caller: string) => {
    const headers = { "content-type": "application/json", ...rawCall("").headers, authorization: `Bearer ${caller}` };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    return handler.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  };
  const ready = async () => (await handler.fetch(new Request("http://localhost/readyz"))).json();
  return { send, ready };
}

afterEach(() => void vi.useRealTimers());

describe("the rate of a caller", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  const servedOf = async (count: number, send: () => Promise<Response>) => {
    let served = 0;
    for (let at = 0; at < count; at++) {
      const response = await send();
      // A call holds its slot until its response has been read.
      await response.text();
      if (response.status === 200) served++;
    }
    return served;
  };

  it("allows a minute's requests at once, then one a second, to each caller", async () => {
    const { send } = underTest({ limits: { callerRate: 60 } });
    const anna = () => send("anna");
    expect(await servedOf(70, anna)).toBe(60);
    const refused = await anna();
    expect([refused.status, refused.headers.get("retry-after"), await refused.text()]).toEqual([
      429,
      "1",
      expect.stringContaining("You may send 60 requests a minute; try again in 1 s"),
    ]);
    expect((await send("ben")).status).toBe(200);
    vi.advanceTimersByTime(2_000);
    expect(await servedOf(5, anna)).toBe(2);
    vi.advanceTimersByTime(3_600_000);
    expect(await servedOf(70, anna)).toBe(60);
  });

  it.each([100, 990])("is served even if the caller asks every %d ms, which is too often", async (interval) => {
    const { send } = underTest({ limits: { callerRate: 60 } });
    await servedOf(60, () => send("anna"));
    const served = await servedOf(60_000 / interval, () => {
      vi.advanceTimersByTime(interval);
      return send("anna");
    });
    expect(Math.abs(served - 60)).toBeLessThanOrEqual(1);
  });
});

describe("the holder of a token", () => {
  const fleets = ["north", "south"].map((name) => ({ name, callers: [name, `${name}-2`], config }));
  it.each<[what: string, holder: object, status: number, text: RegExp]>([
    ["of a tenant is served", {}, 200, /"result"/],
    ["of a tenant, by two of its names, is served", { tenants: ["north", "north-2", "unknown"] }, 200, /"result"/],
    ["of no tenant is refused", { tenants: [] }, 403, /No fleet is configured for this caller/],
    ["of an unknown tenant is refused", { tenants: ["west"] }, 403, /No fleet is configured/],
    ["of two tenants is refused", { tenants: ["north", "south"] }, 403, /No fleet is configured/],
    ["without the scope is refused", { scopes: ["fleet:write"] }, 403, /insufficient_scope/],
    ["that has expired is refused", { expiresAt: 1 }, 401, /invalid_token/],
  ])("%s", async (_, holder, status, text) => {
    const { send } = underTest({ fleets, callers: async (id) => ({ ...HOLDER, id, ...holder }) });
    const response = await send("anna");
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(text)]);
  });

  it.each<[unknown, number, string | undefined]>([
    [new OAuthError(OAuthErrorCode.InvalidToken, "Unknown token"), 401, undefined],
    [new RangeError("canary-database"), 503, "RangeError"],
    ["canary-text", 503, "string"],
  ])("whose verification throws %s gets a %d, and the log only has the error's name", async (reason, status, error) => {
    const lines: unknown[] = [];
    const log = { error: (line: unknown) => lines.push(line), warn: () => {}, info: () => {} } as unknown as FetchHandlerOptions["log"];
    const { send } = underTest({ callers: () => Promise.reject(reason), ...(log && { log }) });
    const response = await send("anna");
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain("canary");
    expect(response.headers.get("retry-after")).toBe(status === 503 ? "1" : null);
    expect(lines).toEqual(error === undefined ? [] : [{ error }]);
  });
});

describe("/readyz", () => {
  const PROBES = {
    up: async () => [],
    odd: () => Promise.reject(new FleetError("contract", "no list")),
    auth: () => Promise.reject(new FleetError("unauthorized", "rejected")),
    broken: () => Promise.reject(new TypeError("canary")),
    hanging: () => new Promise<never>(() => {}),
  };
  type State = keyof typeof PROBES;

  /** A server with a customer for each service in such a state, and how often each was tried. */
  function fleetsIn(states: readonly State[]) {
    const tried = states.map(() => 0);
    const fleets = states.map((_, at) => ({ name: `${at}`, callers: [`${at}`], config: { ...config, customerId: `${at}` } }));
    const createClient = ({ customerId }: { customerId: string }): FleetClient => {
      const at = Number(customerId);
      const listLivePositions = () => {
        tried[at] = (tried[at] ?? 0) + 1;
        return PROBES[states[at] as State]();
      };
      return { ...createFleetClient(config), listLivePositions } as unknown as FleetClient;
    };
    return { ...underTest({ fleets, createClient }), tried };
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));

  it.each<[State[], boolean, string[]]>([
    [["up"], true, []],
    [["odd"], true, []],
    [["auth"], false, ["unauthorized"]],
    [["auth", "up"], true, ["unauthorized"]],
    [["broken", "hanging", "up"], true, ["internal", "timeout"]],
    [["auth", "auth", "auth", "up"], false, ["unauthorized", "unauthorized", "unauthorized"]],
  ])("with services %j: ready, fleet %s, problems %j", async (states, fleet, problems) => {
    const { ready: check } = fleetsIn(states);
    const first = check();
    await vi.advanceTimersByTimeAsync(500);
    // Nobody who probes waits for a service that hangs.
    expect(await first).toEqual(states.includes("hanging") ? { ready: true, problems: [] } : { ready: true, fleet, problems });
    await vi.advanceTimersByTimeAsync(4_500);
    expect(await check()).toEqual({ ready: true, fleet, problems });
  });

  it("tries a service at most every ten seconds, each time the next customer's if the last failed", async () => {
    const { ready, tried } = fleetsIn(["auth", "up", "up"]);
    await ready();
    await vi.advanceTimersByTimeAsync(9_999);
    await ready();
    expect(tried).toEqual([1, 1, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ready()).toEqual({ ready: true, fleet: true, problems: [] });
    expect(tried).toEqual([1, 2, 0]);
  });
});
