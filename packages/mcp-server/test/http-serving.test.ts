import { describe, expect, it } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import { fleetService, type Script } from "../../tools/test/fleet-service.ts";
import { bearer, served, tokensFile } from "./callers-under-test.ts";
import { raw, rawCall } from "./http-under-test.ts";
import { environmentOf } from "./server-under-test.ts";

const PUBLIC_URL = "https://fleet.example.com/mcp";
const BOTH = ["fleet:read", "fleet:write"] as const;
const POSITIONS: Script = { listLivePositions: () => ({ body: [] }) };

async function underTest(env: Record<string, string> = {}, limits: Parameters<typeof served>[1] = {}, script: Script = POSITIONS) {
  const service = await fleetService(script);
  const { file, tokens } = tokensFile({ dispatch: { scopes: BOTH }, night: { scopes: BOTH } });
  const callers = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, FLEET_PUBLIC_URL: PUBLIC_URL };
  const server = await served({ ...environmentOf(service.origin), ...callers, ...env }, limits);
  const get = (path: string, headers: Record<string, string> = {}) => raw(new URL(path, server.http.url).href, { method: "GET", headers });
  return { ...server, service, tokens, get };
}

describe("probes", () => {
  it("/healthz needs no token and no known host, as its callers use an address", async () => {
    const { get } = await underTest();
    expect(await get("/healthz", { host: "10.1.2.3:4020" })).toMatchObject({ status: 200, text: '{"ok":true}' });
  });

  it("/readyz tries the credentials once for many checks", async () => {
    const { get, service } = await underTest();
    for (let count = 0; count < 5; count++)
      expect(await get("/readyz")).toMatchObject({ status: 200, text: '{"ready":true,"fleet":true,"problems":[]}' });
    expect(service.of("listLivePositions")).toHaveLength(1);
  });

  it.each<[string, Script, string]>([
    ["rejects the credentials", { listLivePositions: () => ({ status: 401 }) }, "unauthorized"],
    ["is down", { listLivePositions: () => "reset" }, "network"],
    ["fails", { listLivePositions: () => ({ status: 500 }) }, "upstream"],
  ])("/readyz stays 200, and says what is wrong, if the service %s", async (_, script, code) => {
    const { get } = await underTest({}, {}, script);
    await get("/readyz");
    // A request that is repeated takes longer than a probe waits.
    await expect.poll(async () => JSON.parse((await get("/readyz")).text).fleet, { timeout: 10_000 }).toBe(false);
    const { status, text } = await get("/readyz");
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 200,
      body: { ready: true, fleet: false, problems: [expect.stringMatching(new RegExp(code, "i"))] },
    });
  });
});

describe("/metrics", () => {
  it("counts calls and requests, without customers or callers", async () => {
    const { call, get, tokens, list } = await underTest();
    await call("list_live_positions", {}, tokens.dispatch);
    await list("canary-wrong");
    await expect.poll(async () => (await get("/metrics")).text).toMatch(/^fleetwire_http_request_seconds_count\{status="401"\} 1$/m);
    expect((await get("/metrics")).text).toMatch(/^fleetwire_http_refused_total\{status="401"\} 1$/m);
    const { text, headers } = await get("/metrics");
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(text).toMatch(/^fleetwire_tool_call_seconds_count\{tool="list_live_positions",outcome="ok"\} 1$/m);
    expect(text).toMatch(/^fleetwire_requests_in_flight 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).not.toMatch(/c42|dispatch/);
  });

  it("show whether the fleet service can be reached, which requests it gets, and how old the view is", async () => {
    const failing = { isOn: false };
    const { call, get, tokens, log } = await underTest(
      { FLEET_SNAPSHOT_SECONDS: "0.05" },
      {},
      { listLivePositions: () => (failing.isOn ? { status: 503 } : { body: [{ assetId: "v12", assetName: "Truck 12" }] }) },
    );
    const metrics = async () => (await get("/metrics")).text;
    const before = await metrics();
    expect(before).not.toMatch(/^fleetwire_(fleet_up|view_age_seconds) /m);
    expect(before).toMatch(/^fleetwire_fleets_failing 0$/m);
    expect(before).toMatch(/^fleetwire_fleet_request_seconds_count\{operation="requestAccessToken",status="4xx"\} 0$/m);
    const asked = () => call("locate_vehicle", { query: "truck 12" }, tokens.dispatch);
    await asked();
    const fresh = await metrics();
    expect(fresh).toMatch(/^fleetwire_fleet_up 1$/m);
    expect(fresh).toMatch(/^fleetwire_view_age_seconds [0-9.e-]+$/m);
    expect(fresh).toMatch(/^fleetwire_fleet_request_seconds_count\{operation="listLivePositions",status="2xx"\} \d+$/m);
    failing.isOn = true;
    await expect.poll(async () => (await asked()) && log.at(-1)?.["outcome"], { timeout: 30_000, interval: 20 }).toBe("stale");
    expect(log.at(-1)).toMatchObject({ level: 40, tool: "locate_vehicle", outcome: "stale" });
    const stale = await metrics();
    expect(stale).toMatch(/^fleetwire_fleet_up 0$/m);
    expect(stale).toMatch(/^fleetwire_fleets_failing 1$/m);
    expect(stale).toMatch(/^fleetwire_fleet_request_seconds_count\{operation="listLivePositions",status="5xx"\} \d+$/m);
    expect(stale).toMatch(/^fleetwire_tool_call_seconds_count\{tool="locate_vehicle",outcome="stale"\} \d+$/m);
    expect(stale).not.toMatch(/c42|dispatch/);
  });

  it("are not served to web pages elsewhere if callers are not authenticated", async () => {
    const { http } = await served(environmentOf("http://127.0.0.1:9"));
    const get = async (host: string) => (await raw(new URL("/metrics", http.url).href, { method: "GET", headers: { host } })).status;
    expect([await get("localhost:4020"), await get("rebound.example.com")]).toEqual([200, 403]);
  });

  it("are served under any name if callers are authenticated, since scrapers know addresses", async () => {
    const { get } = await underTest();
    expect((await get("/metrics", { host: "10.1.2.3:4020" })).status).toBe(200);
  });

  it.each([
    ["host", "wrong.example.com", "Invalid Host: the server does not have this name"],
    ["origin", "https://wrong.example.com", "Invalid Origin: only listed web pages (FLEET_ALLOWED_ORIGINS) may send requests"],
  ])("count requests with a wrong %s, which the log has too", async (header, value, problem) => {
    const { get, log } = await underTest();
    expect((await get("/mcp", { [header]: value })).status).toBe(403);
    await expect.poll(() => log.filter(({ msg }) => msg === "request")).toMatchObject([{ status: 403, problem }]);
    expect((await get("/metrics")).text).toMatch(/^fleetwire_http_refused_total\{status="403"\} 1$/m);
    expect(JSON.stringify(log)).not.toContain("wrong.example.com");
  });

  it("are not served through a trusted proxy", async () => {
    const { get } = await underTest({ FLEET_TRUSTED_PROXIES: "127.0.0.0/8" });
    expect((await get("/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(404);
    expect((await get("/metrics")).status).toBe(200);
  });
});

describe("the log", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";

  it("has one line for a request, and says who sent a write", async () => {
    const { log, call, tokens } = await underTest(
      { FLEET_TRUSTED_PROXIES: "127.0.0.1" },
      {},
      { ...POSITIONS, createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) },
    );
    await call("list_live_positions", { where: "city=canary-city" }, tokens.dispatch);
    await expect.poll(() => log.length).toBe(1);
    expect(log[0]).toMatchObject({ level: 30, customer: "c42", caller: "dispatch", method: "tools/call", tool: "list_live_positions" });
    expect(log[0]).toMatchObject({ outcome: "ok", status: 200, address: "127.0.0.1", msg: "request" });
    expect(log[0]).toMatchObject({
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      ms: expect.any(Number),
      tokens: expect.any(Number),
    });
    await call("create_job", { address: "canary-street", notes: "canary-note", vehicleId: "" }, tokens.night);
    await expect.poll(() => log.length).toBe(4);
    const [sending, sent, request] = log.slice(1);
    const who = { caller: "night", customer: "c42", tool: "create_job", requestId: request?.["requestId"] };
    expect(sending).toMatchObject({ ...who, msg: "sending", fields: { address: "(withheld)", notes: "(withheld)" } });
    expect(sent).toMatchObject({ ...who, msg: "sent", outcome: "created", jobNumber: sending?.["jobNumber"] });
    expect(JSON.stringify(log)).not.toContain("canary-");
  });

  it("has the caller's request id and trace, unless they could be anything else", async () => {
    const { log, http, tokens } = await underTest({ FLEET_TRUSTED_PROXIES: "127.0.0.1" });
    const { body } = rawCall("list_live_positions");
    const send = (headers: Record<string, string>) =>
      raw(http.url, { headers: { ...rawCall("").headers, ...bearer(tokens.dispatch), ...headers }, body });
    const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
    const { headers } = await send({ "x-request-id": "req-7", traceparent, "x-forwarded-for": "203.0.113.9" });
    expect(headers["x-request-id"]).toBe("req-7");
    await send({ "x-request-id": "a b", traceparent: "canary-trace", "x-forwarded-for": "canary-address" });
    await expect.poll(() => log.length).toBe(2);
    expect(log[0]).toMatchObject({ requestId: "req-7", trace: TRACE, address: "203.0.113.9" });
    expect(log[1]).toMatchObject({ requestId: expect.stringMatching(/^[\da-f-]{36}$/), address: "127.0.0.1" });
    expect(log[1]).not.toHaveProperty("trace");
  });

  it.each([
    ["a-request_1.b", "tools/list", true, "tools/list"],
    ["a".repeat(64), "a".repeat(48), true, "a".repeat(48)],
    ["a".repeat(65), "a".repeat(49), false, "other"],
    ["a b", "tools list", false, "other"],
  ])("has the request id %j and the method %j unless they are long or odd", async (id, method, isKept, shown) => {
    const { log, http, tokens } = await underTest();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method });
    await raw(http.url, { headers: { ...rawCall("").headers, ...bearer(tokens.dispatch), "x-request-id": id }, body });
    await expect.poll(() => log.find(({ msg }) => msg === "request")).toMatchObject({ method: shown });
    expect(log.some(({ requestId }) => requestId === id)).toBe(isKept);
  });

  it("warns of a call that failed, and says if its caller disconnected", async () => {
    fastClock(10);
    const { log, call, http, tokens, service } = await underTest(
      {},
      {},
      { listLivePositions: () => "silence", listJobs: () => ({ status: 401 }) },
    );
    await call("list_jobs", {}, tokens.dispatch);
    await expect
      .poll(() => log.find(({ tool }) => tool === "list_jobs"))
      .toMatchObject({ level: 40, outcome: "unauthorized", status: 200 });
    const leaving = new AbortController();
    const { headers, body } = rawCall("list_live_positions");
    const all = { ...headers, ...bearer(tokens.dispatch), "content-type": "application/json" };
    const sent = fetch(http.url, { method: "POST", headers: all, body, signal: leaving.signal }).catch(() => {});
    await expect.poll(() => service.of("listLivePositions").length).toBe(1);
    leaving.abort();
    await sent;
    await http.close();
    expect(log.find(({ disconnected }) => disconnected)).toMatchObject({ msg: "request" });
  });
});

describe("limits for one caller do not affect another", () => {
  it("requests in a minute", async () => {
    const { list, tokens } = await underTest({}, { callerRate: 3 });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await list(tokens.dispatch)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const { headers, text } = await list(tokens.dispatch);
    expect(text).toMatch(/You may send 3 requests a minute; try again in \d+ s/);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect((await list(tokens.night)).status).toBe(200);
  });

  it("requests at a time", async () => {
    fastClock(10);
    const { call, list, http, service, tokens } = await underTest({}, { requestsPerCaller: 2 }, { listLivePositions: () => "silence" });
    const waiting = [1, 2].map(() => call("list_live_positions", {}, tokens.dispatch).catch(() => {}));
    await expect.poll(() => service.received.length).toBeGreaterThan(0);
    await expect.poll(async () => (await list(tokens.dispatch)).status).toBe(429);
    expect((await list(tokens.dispatch)).text).toContain("You already have 2 requests in flight");
    expect((await list(tokens.night)).status).toBe(200);
    await http.close();
    await Promise.all(waiting);
  });
});

describe("the hosts and web pages that may call", () => {
  it.each<[string, Record<string, string>, number]>([
    ["the public host", { host: "fleet.example.com" }, 200],
    ["loopback", { host: "localhost:4020" }, 200],
    ["another host", { host: "other.example.com" }, 403],
    ["the machine's address", { host: "10.1.2.3" }, 403],
    ["a listed page", { origin: "https://claude.ai" }, 200],
    ["another page", { origin: "https://other.example.com" }, 403],
    ["a page on this machine", { origin: "http://localhost:6274" }, 403],
    ["a page whose origin starts like a listed one", { origin: "https://claude.ai.example.com" }, 403],
  ])("%s", async (_, headers, status) => {
    const { http, tokens } = await underTest({ FLEET_ALLOWED_ORIGINS: "https://claude.ai" });
    const { body, headers: own } = rawCall("list_live_positions");
    const response = await raw(http.url, { headers: { ...own, ...bearer(tokens.dispatch), ...headers }, body });
    expect(response.status).toBe(status);
    expect(response.headers["access-control-allow-origin"]).toBe(status === 200 ? headers["origin"] : undefined);
  });

  it("a listed page may ask beforehand, and read why it needs a token", async () => {
    const { http } = await underTest({ FLEET_ALLOWED_ORIGINS: "https://claude.ai" });
    const origin = { origin: "https://claude.ai" };
    const asked = { ...origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type" };
    const { status, headers } = await raw(http.url, { method: "OPTIONS", headers: asked });
    expect({ status, allowed: headers["access-control-allow-headers"], methods: headers["access-control-allow-methods"] }).toEqual({
      status: 204,
      allowed: "authorization,content-type",
      methods: "POST",
    });
    const refused = await raw(http.url, { headers: origin, body: "{}" });
    expect(refused).toMatchObject({ status: 401, headers: { "access-control-allow-origin": "https://claude.ai" } });
    expect(refused.headers["access-control-expose-headers"]).toContain("www-authenticate");
  });
});

describe("a caller's address behind proxies", () => {
  it.each<[proxies: string, forwarded: string | undefined, address: string]>([
    ["10.0.0.0/8", "198.51.100.1", "127.0.0.1"],
    ["127.0.0.0/8", undefined, "127.0.0.1"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["127.0.0.0/8, 10.0.0.0/8", "198.51.100.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"],
    ["127.0.0.0/8", "127.0.0.2", "127.0.0.1"],
    ["127.0.0.0/8", "198.51.100.1, <script>", "127.0.0.1"],
    ["127.0.0.0/8", "198.51.100.1:4711", "198.51.100.1"],
    ["127.0.0.0/8", "::FFFF:198.51.100.1", "198.51.100.1"],
    ["127.0.0.0/8", " [2001:db8::1]:4711, ,", "2001:db8::1"],
    ["127.0.0.1, 2001:db8::/32", "203.0.113.9, 2001:db8::2", "203.0.113.9"],
  ])("with the proxies %s and X-Forwarded-For %s: %s", async (proxies, forwarded, address) => {
    const { http, log, tokens } = await underTest({ FLEET_TRUSTED_PROXIES: proxies });
    const { headers, body } = rawCall("list_live_positions");
    await raw(http.url, { headers: { ...headers, ...bearer(tokens.dispatch), ...(forwarded && { "x-forwarded-for": forwarded }) }, body });
    await expect.poll(() => log[0]).toMatchObject({ address });
  });
});
