import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Script } from "../../tools/test/fleet-service.ts";
import { httpUnderTest, raw, rawCall, readyAt } from "./http-under-test.ts";
import { start } from "./spawned-bin.ts";

const silent = { listLivePositions: () => "silence" as const };

/** A service that responds when released. */
function gated(): { script: Script; open: () => void } {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { script: { listLivePositions: () => gate.then(() => ({ body: [] })) }, open: () => open() };
}

const located = rawCall("locate_vehicle", { query: "truck 12" });

const PING = { headers: located.headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) };

/** A raw connection, and everything received over it. */
async function connection(url: string): Promise<{ socket: Socket; expected: () => string; closed: Promise<unknown> }> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
  onTestFinished(() => void socket.destroy());
  let expected = "";
  socket.on("data", (chunk) => {
    expected += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  return { socket, expected: () => expected, closed };
}

const bytesOf = ({ headers, body }: typeof PING) =>
  [
    "POST /mcp HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    `Accept: ${headers.accept}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");

const refusedWith = (status: number, expected: RegExp) => ({
  status,
  headers: expect.objectContaining({ "retry-after": "1", connection: "close" }),
  text: expect.stringMatching(expected),
});

describe("a process limits what it serves at a time", () => {
  it("requests: one too many is asked to retry, and is served once there is room", async () => {
    const { http, service } = await httpUnderTest(silent, {}, { requests: 2 });
    const waiting = [raw(http.url, located), raw(http.url, located)].map((response) => response.catch(() => {}));
    await expect.poll(() => service.received.length).toBe(1);
    await expect.poll(async () => (await raw(http.url, PING)).status).toBe(503);
    const refused = await raw(http.url, PING);
    expect(refused).toEqual(refusedWith(503, /Already serving 2 requests; try again later/));
    expect(JSON.parse(refused.text)).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 }, id: null });
    await http.close();
    await Promise.all(waiting);
  });

  it("requests that are cut off or slow to arrive do not count", async () => {
    const { http } = await httpUnderTest({}, {}, { requests: 2 });
    const { port } = new URL(http.url);
    const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    for (let count = 0; count < 6; count++) {
      const socket = connect(Number(port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      await once(socket, "connect");
      await new Promise((resolve) => socket.write(head, resolve));
      // Every other one stays connected but sends nothing more.
      if (count % 2 === 0) socket.destroy();
    }
    expect((await raw(http.url, rawCall("locate_vehicle", { nope: 1 }))).status).toBe(200);
  });

  it("a call of an older revision counts until it ends, even if its caller has disconnected", async () => {
    const { script, open } = gated();
    const { http, service } = await httpUnderTest(script, {}, { requests: 1 });
    const { socket } = await connection(http.url);
    socket.write(bytesOf(located));
    await expect.poll(() => service.received.length).toBe(1);
    socket.destroy();
    await pause(100);
    expect((await raw(http.url, PING)).status).toBe(503);
    open();
    await expect.poll(async () => (await raw(http.url, PING)).status).toBe(200);
  });

  it("connections: one too many gets a 503, and many more are closed", async () => {
    const { http } = await httpUnderTest({}, {}, { connections: 2 });
    const idle = [await connection(http.url), await connection(http.url)];
    expect(await raw(http.url, PING)).toEqual(refusedWith(503, /All 2 connections are in use/));
    const more = await Promise.all(Array.from({ length: 80 }, () => connection(http.url)));
    await Promise.race(more.map(({ closed }) => closed));
    for (const { socket } of [...idle, ...more]) socket.destroy();
    await expect.poll(async () => (await raw(http.url, PING).catch(() => undefined))?.status).toBe(200);
  });

  it("concurrent requests on one connection", async () => {
    const { script, open } = gated();
    const { http, service } = await httpUnderTest(script, {}, { requestsPerConnection: 2 });
    const { socket, expected, closed } = await connection(http.url);
    socket.write(bytesOf(located) + bytesOf(PING) + bytesOf(PING));
    await expect.poll(() => service.received.length).toBe(1);
    await pause(200);
    open();
    await closed;
    expect(expected().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 429"]);
    expect(expected()).toMatch(/retry-after: 1/);
    expect(expected()).toMatch(/Concurrent requests per connection are limited to 2/);
  });

  it.each<[string, string]>([
    ["headers", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"],
    ["body", bytesOf(PING).slice(0, -5)],
  ])("the time that %s may take", async (_, bytes) => {
    const { http } = await httpUnderTest({}, {}, { headersMs: 200, requestMs: 400 });
    const { socket, expected, closed } = await connection(http.url);
    const startedAt = performance.now();
    socket.write(bytes);
    await closed;
    // Otherwise the default of five seconds would apply.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(expected()).toMatch(/^HTTP\/1.1 408 [\s\S]*did not arrive in time/);
  });
});

describe("responses that nobody reads", () => {
  const SOCKETS = 100;
  const REQUESTS = 20;

  it.skipIf(process.platform !== "linux")(`do not use up memory: ${SOCKETS} connections x ${REQUESTS} requests`, async () => {
    const { child } = start(["http", "--port", "0", "--sandbox"], { FLEET_MAX_RESULT_TOKENS: "100000" });
    const url = await readyAt(child);
    const memory = (field: string) =>
      Math.round(Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024);
    await raw(url, rawCall("list_live_positions", { limit: 500 }));
    const idle = memory("VmRSS");
    const bytes = bytesOf(rawCall("list_live_positions", { limit: 500 })).repeat(REQUESTS);
    for (let count = 0; count < SOCKETS; count++) {
      const { socket } = await connection(url);
      socket.pause();
      socket.write(bytes);
    }
    await pause(1_500);
    const startedAt = performance.now();
    await expect.poll(async () => (await raw(url, PING).catch(() => undefined))?.status, { timeout: 40_000, interval: 100 }).toBe(200);
    const probed = Math.round(performance.now() - startedAt);
    await pause(1_000);
    const peak = memory("VmHWM");
    console.log(
      `${SOCKETS} connections x ${REQUESTS} unread responses: ${idle} MiB before, ${peak} MiB at most, a probe served after ${probed} ms`,
    );
    expect(peak - idle).toBeLessThan(120);
    expect(probed).toBeLessThan(30_000);
  });
});
