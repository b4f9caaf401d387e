import { describe, expect, it } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import type { Script } from "../../tools/test/served-fleet.ts";
import { bearer, served, tokenServer } from "./callers-under-test.ts";
import { older, raw, rawCall } from "./http-under-test.ts";
import { environmentOf, gate } from "./server-under-test.ts";

const LIST = rawCall("list_live_positions");
const withHeaders = (headers: Record<string, string>, request = LIST) => ({ ...request, headers: { ...request.headers, ...headers } });
const SILENT: Script = { listLivePositions: () => "silence" };

describe("probes", () => {
  it("/healthz needs no token and no known host, and /readyz tries the credentials once for many checks", async () => {
    const { get, service } = await tokenServer();
    expect(await get("/healthz", { host: "10.1.2.3:4020" })).toMatchObject({ status: 200, text: '{"ok":true}' });
    for (let count = 0; count < 5; count++)
      expect(await get("/readyz")).toMatchObject({ status: 200, text: '{"ready":true,"fleet":true,"problems":[]}' });
    expect(service.of("listLivePositions")).toHaveLength(1);
  });
});

describe("/metrics", () => {
  it("counts calls and requests, without customers or callers", async () => {
    const { call, get, tokens, list } = await tokenServer();
    await call("list_live_positions", {}, tokens.dispatch);
    await list("canary-wrong");
    await expect.poll(async () => (await get("/metrics")).text).toMatch(/^fleetwire_http_request_seconds_count\{status="401"\} 1$/m);
    const { text, headers } = await get("/metrics");
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    for (const line of [
      /^fleetwire_http_refused_total\{status="401"\} 1$/m,
      /^fleetwire_tool_call_seconds_count\{tool="list_live_positions",outcome="ok"\} 1$/m,
      /^fleetwire_requests_in_flight 0$/m,
      /^process_resident_memory_bytes \d+$/m,
    ])
      expect(text).toMatch(line);
    expect(text).not.toMatch(/c42|dispatch/);
  });

  it("show whether the fleet service can be reached, which requests it gets, and how old the view is", async () => {
    const failing = { isOn: false };
    const { call, get, tokens, log } = await tokenServer({
      env: { FLEET_SNAPSHOT_SECONDS: "0.05" },
      script: { listLivePositions: () => (failing.isOn ? { status: 503 } : { body: [{ assetId: "v12", assetName: "Truck 12" }] }) },
    });
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
    await expect.poll(async () => (await asked()) && log.at(-1)?.["outcome"], { interval: 20 }).toBe("stale");
    expect(log.at(-1)).toMatchObject({ level: 40, tool: "locate_vehicle", outcome: "stale" });
    const stale = await metrics();
    expect(stale).toMatch(/^fleetwire_fleet_up 0$/m);
    expect(stale).toMatch(/^fleetwire_fleets_failing 1$/m);
    expect(stale).toMatch(/^fleetwire_fleet_request_seconds_count\{operation="listLivePositions",status="5xx"\} \d+$/m);
    expect(stale).toMatch(/^fleetwire_tool_call_seconds_count\{tool="locate_vehicle",outcome="stale"\} \d+$/m);
    expect(stale).not.toMatch(/c42|dispatch/);
  });

  it("are served under any name if callers are authenticated, since scrapers know addresses, but not to web pages otherwise", async () => {
    const { get } = await served(environmentOf("http://127.0.0.1:9"));
    const status = async (read: typeof get, host: string) => (await read("/metrics", { host })).status;
    expect([await status(get, "localhost:4020"), await status(get, "rebound.example.com")]).toEqual([200, 403]);
    expect(await status((await tokenServer()).get, "10.1.2.3:4020")).toBe(200);
  });

  it("are not served through a trusted proxy", async () => {
    const { get } = await tokenServer({ env: { FLEET_TRUSTED_PROXIES: "127.0.0.0/8" } });
    expect((await get("/metrics", { "x-forwarded-for": "203.0.113.9" })).status).toBe(404);
    expect((await get("/metrics")).status).toBe(200);
  });

  it.each([
    ["host", "wrong.example.com", "Invalid Host: the server does not have this name"],
    ["origin", "https://wrong.example.com", "Invalid Origin: only listed web pages (FLEET_ALLOWED_ORIGINS) may send requests"],
  ])("count requests with a wrong %s, which the log has too", async (header, value, problem) => {
    const { get, log } = await tokenServer();
    expect((await get("/mcp", { [header]: value })).status).toBe(403);
    await expect.poll(() => log.filter(({ msg }) => msg === "request")).toMatchObject([{ status: 403, problem }]);
    expect((await get("/metrics")).text).toMatch(/^fleetwire_http_refused_total\{status="403"\} 1$/m);
    expect(JSON.stringify(log)).not.toContain("wrong.example.com");
  });
});

describe("the log", () => {
  const ID = expect.stringMatching(/^[\da-f-]{36}$/);

  it("has one line for a request, and says who sent a write", async () => {
    const script: Script = { createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) };
    const { log, call, tokens } = await tokenServer({ script });
    await call("list_live_positions", { where: "city=canary-city" }, tokens.dispatch);
    await expect.poll(() => log.length).toBe(1);
    const common = { level: 30, customer: "c42", requestId: ID };
    const measured = { ms: expect.any(Number), tokens: expect.any(Number), outcome: "ok", status: 200, address: "127.0.0.1" };
    const what = { caller: "dispatch", method: "tools/call", tool: "list_live_positions", msg: "request" };
    expect(log[0]).toMatchObject({ ...common, ...measured, ...what });
    await call("create_job", { address: "canary-street", notes: "canary-note", vehicleId: "" }, tokens.night);
    await expect.poll(() => log.length).toBe(4);
    const [sending, sent, request] = log.slice(1);
    const who = { caller: "night", customer: "c42", tool: "create_job", requestId: request?.["requestId"] };
    expect(sending).toMatchObject({ ...who, msg: "sending", fields: { address: "(withheld)", notes: "(withheld)" } });
    expect(sent).toMatchObject({ ...who, msg: "sent", outcome: "created", jobNumber: sending?.["jobNumber"] });
    expect(JSON.stringify(log)).not.toContain("canary-");
  });

  it.each([
    ["a".repeat(64), "a".repeat(48), true, "a".repeat(48)],
    ["a".repeat(65), "a".repeat(49), false, "other"],
  ])("has the request id %j and the method %j unless they are long or odd", async (id, method, isKept, shown) => {
    const { log, send, tokens } = await tokenServer();
    const { headers } = await send(withHeaders({ "x-request-id": id }, older(method)), tokens.dispatch);
    const requestId = isKept ? id : ID;
    expect(headers["x-request-id"]).toEqual(requestId);
    await expect.poll(() => log.find(({ msg }) => msg === "request")).toMatchObject({ method: shown, requestId });
  });

  it("warns of a call that failed, and says if its caller disconnected", async () => {
    fastClock(10);
    const { log, call, http, tokens, service } = await tokenServer({ script: { ...SILENT, listJobs: () => ({ status: 401 }) } });
    await call("list_jobs", {}, tokens.dispatch);
    const failed = () => log.find(({ tool }) => tool === "list_jobs");
    await expect.poll(failed).toMatchObject({ level: 40, outcome: "unauthorized", status: 200 });
    const leaving = new AbortController();
    const headers = { ...LIST.headers, ...bearer(tokens.dispatch), "content-type": "application/json" };
    const sent = fetch(http.url, { method: "POST", headers, body: LIST.body, signal: leaving.signal }).catch(() => {});
    await expect.poll(() => service.of("listLivePositions").length).toBe(1);
    leaving.abort();
    await sent;
    await http.close();
    expect(log.find(({ disconnected }) => disconnected)).toMatchObject({ msg: "request" });
  });
});

it("requests of one caller at a time are limited until they end, which does not affect another", async () => {
  const { opened, open } = gate();
  const script: Script = { listLivePositions: () => opened.then(() => ({ body: [] })) };
  const { call, list, service, tokens } = await tokenServer({ limits: { requestsPerCaller: 2 }, script });
  const waiting = [1, 2].map(() => call("list_live_positions", {}, tokens.dispatch));
  await expect.poll(() => service.received.length).toBeGreaterThan(0);
  await expect.poll(async () => (await list(tokens.dispatch)).status).toBe(429);
  expect((await list(tokens.dispatch)).text).toContain("You already have 2 requests in flight");
  expect((await list(tokens.night)).status).toBe(200);
  open();
  await Promise.all(waiting);
  expect((await list(tokens.dispatch)).status).toBe(200);
});

describe("the hosts and web pages that may call", () => {
  const env = { FLEET_ALLOWED_ORIGINS: "https://claude.ai" };
  const origin = { origin: "https://claude.ai" };

  it("are listed", async () => {
    const { send, tokens } = await tokenServer({ env });
    for (const [headers, expected] of [
      [{ host: "fleet.example.com" }, 200],
      [{ host: "localhost:4020" }, 200],
      [{ host: "other.example.com" }, 403],
      [origin, 200],
      [{ origin: "https://other.example.com" }, 403],
      [{ origin: "https://claude.ai.example.com" }, 403],
    ] as [{ host?: string; origin?: string }, number][]) {
      const { status, headers: received } = await send(withHeaders(headers as Record<string, string>), tokens.dispatch);
      const allowed = expected === 200 ? headers.origin : undefined;
      expect([headers, status, received["access-control-allow-origin"]]).toEqual([headers, expected, allowed]);
    }
  });

  it("a listed page may ask beforehand, and read why it needs a token", async () => {
    const { http } = await tokenServer({ env });
    const asked = { ...origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type" };
    const { status, headers } = await raw(http.url, { method: "OPTIONS", headers: asked });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      "access-control-allow-headers": "authorization,content-type",
      "access-control-allow-methods": "POST",
    });
    const refused = await raw(http.url, { headers: origin, body: "{}" });
    expect(refused).toMatchObject({ status: 401, headers: { "access-control-allow-origin": "https://claude.ai" } });
    expect(refused.headers["access-control-expose-headers"]).toContain("www-authenticate");
  });
});

it.each<[proxies: string, forwarded: string | undefined, address: string]>([
  ["10.0.0.0/8", "198.51.100.1", "127.0.0.1"],
  ["127.0.0.0/8, 10.0.0.0/8", "198.51.100.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"],
  ["127.0.0.0/8", "127.0.0.2", "127.0.0.1"],
  ["127.0.0.0/8", "198.51.100.1, <script>", "127.0.0.1"],
  ["127.0.0.0/8", "198.51.100.1:4711", "198.51.100.1"],
  ["127.0.0.0/8", " [2001:db8::1]:4711, ,", "2001:db8::1"],
  ["127.0.0.1, 2001:db8::/32", "203.0.113.9, 2001:db8::2", "203.0.113.9"],
])("with the proxies %s and X-Forwarded-For %s, a caller's address is %s", async (proxies, forwarded, address) => {
  const { send, log, tokens } = await tokenServer({ env: { FLEET_TRUSTED_PROXIES: proxies } });
  await send(withHeaders(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }), tokens.dispatch);
  await expect.poll(() => log[0]).toMatchObject({ address });
});
