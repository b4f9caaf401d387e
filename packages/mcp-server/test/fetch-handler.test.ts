import { createFleetClient, type FleetClient, FleetError } from "@fleetwire/core";
import { createFetchHandler, type FetchHandlerOptions, OAuthError, OAuthErrorCode, serverConfigFromEnv } from "@fleetwire/mcp-server/fetch";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type FleetService, fleetService } from "../../tools/test/served-fleet.ts";
import { BOTH, bearer, PUBLIC_URL } from "./callers-under-test.ts";
import { older, rawCall } from "./http-under-test.ts";
import { connectedHost, environmentOf, structuredOf } from "./server-under-test.ts";

const config = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));
const HOLDER = { clientId: "host", scopes: BOTH.scopes, expiresAt: 9e12, tenants: ["north"] };
const truckOf = (name: string) => ({ body: [{ assetId: "v12", assetName: name, date: "2026-11-20T08:30:00Z" }] });

/** A handler whose callers are named by their tokens. */
function underTest(options: Partial<FetchHandlerOptions> = {}) {
  const callers = async (token: string) => ({ ...HOLDER, id: token });
  const handler = createFetchHandler({ callers, fleets: config, hosts: ["fleet.example.com"], version: "1.2.3", ...options });
  onTestFinished(() => handler.close());
  const send = (caller: string, { headers, body } = older("ping"), url = PUBLIC_URL) => {
    const all = { "content-type": "application/json", ...headers, ...bearer(caller) };
    return handler.fetch(new Request(url, { method: "POST", headers: all, body }));
  };
  const get = (path: string) => handler.fetch(new Request(new URL(path, PUBLIC_URL)));
  return { handler, send, get, ready: async () => (await get("/readyz")).json() };
}

/** A handler for one customer, and the customer's service. */
async function withService(script: FleetService["script"], more: Partial<FetchHandlerOptions> = {}) {
  const service = await fleetService(script);
  const fleets = serverConfigFromEnv({ ...environmentOf(service.origin), FLEET_SEAL_KEY: Buffer.alloc(32, 1).toString("base64") });
  return { service, ...underTest({ fleets, ...more }) };
}

afterEach(() => void vi.useRealTimers());

describe("the handler for servers that follow the Fetch standard", () => {
  const created = { createJob: ({ body }: { body: object }) => ({ body: { job: { ...body, jobId: "j1" } } }) };
  const CREATE = rawCall("create_job", { address: "Quai Perrache 10, Lyon", jobNumber: "FW-1" });
  const LOCATE = rawCall("locate_vehicle", { query: "truck 12" });

  it.each(["auto", "legacy"] as const)("serves a host that negotiates %s", async (mode) => {
    const { handler } = await withService({ listLivePositions: () => truckOf("Truck 12") });
    const client = await connectedHost(PUBLIC_URL, { mode, token: "anna", fetch: (url, init) => handler.fetch(new Request(url, init)) });
    const located = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    expect(structuredOf(located)).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
  });

  it("is not ready once it is closed, and refuses calls", async () => {
    const { handler, send, get } = await withService({ listLivePositions: () => truckOf("Truck 12") });
    const ready = async () => (await get("/readyz")).text();
    expect(await ready()).toBe('{"ready":true,"fleet":true,"problems":[]}');
    await handler.close();
    expect(await ready()).toBe('{"ready":false,"problems":["shutting down"]}');
    const refused = await send("anna", LOCATE);
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("The server is shutting down")]);
  });

  it("needs to know its hosts if a function verifies the tokens, rejects another, and has no metrics", async () => {
    const options = { callers: async () => ({ ...HOLDER, id: "x" }), fleets: config, version: "1.2.3" };
    expect(() => createFetchHandler(options)).toThrow("createFetchHandler: without hosts");
    const { send, get } = underTest();
    expect((await send("anna", LOCATE, "https://other.example.com/mcp")).status).toBe(403);
    expect([(await get("/metrics")).status, (await get("/healthz")).status]).toEqual([404, 200]);
  });

  it("creates a customer's client when it is first called, and coordinates its writes with other processes", async () => {
    const held: string[] = [];
    const add = async (key: string) => held.push(key) > 0;
    const writeStore = { get: async () => undefined, add, extend: async () => true, remove: async () => {} };
    let clients = 0;
    const createClient: FetchHandlerOptions["createClient"] = (own) => {
      clients++;
      return createFleetClient(own);
    };
    const { send } = await withService(created, { writeStore, createClient });
    expect(clients).toBe(0);
    for (let count = 0; count < 2; count++) await (await send("anna", CREATE)).text();
    expect([clients, held.length > 0]).toEqual([1, true]);
  });
});

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

  it("allows a minute's requests at once, then one each few seconds, to each caller", async () => {
    const { send } = underTest({ limits: { callerRate: 20 } });
    const anna = () => send("anna");
    expect(await servedOf(25, anna)).toBe(20);
    const refused = await anna();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await refused.text()).toContain("You may send 20 requests a minute; try again in 3 s");
    expect((await send("ben")).status).toBe(200);
    vi.advanceTimersByTime(6_000);
    expect(await servedOf(5, anna)).toBe(2);
    vi.advanceTimersByTime(3_600_000);
    expect(await servedOf(25, anna)).toBe(20);
    // Also if the caller asks more often.
    const served = await servedOf(60, () => {
      vi.advanceTimersByTime(990);
      return anna();
    });
    expect(Math.abs(served - 20)).toBeLessThanOrEqual(1);
  });
});

describe("the holder of a token", () => {
  const fleets = ["north", "south"].map((name) => ({ name, callers: [name, `${name}-2`], config }));
  it.each<[what: string, holder: object, status: number, text: RegExp]>([
    ["of a tenant is served", {}, 200, /"result"/],
    ["of a tenant, by two of its names, is served", { tenants: ["north", "north-2", "unknown"] }, 200, /"result"/],
    ["of no tenant is refused", { tenants: ["west"] }, 403, /No fleet is configured for this caller/],
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
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, status === 503 ? "1" : null]);
    expect(await response.text()).not.toContain("canary");
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
    [["odd"], true, []],
    [["auth"], false, ["unauthorized"]],
    [["auth", "up"], true, ["unauthorized"]],
    [["broken", "hanging", "up"], true, ["internal", "timeout"]],
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
