import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Script } from "../../tools/test/served-fleet.ts";
import { bytesOf, connection, httpUnderTest, older, raw, rawCall, readyAt } from "./http-under-test.ts";
import { gate } from "./server-under-test.ts";
import { memoryOf, start } from "./spawned-bin.ts";

/** A service that responds when released. */
function gated(): { script: Script; open: () => void } {
  const { opened, open } = gate();
  return { script: { listLivePositions: () => opened.then(() => ({ body: [] })) }, open };
}

const LOCATE = rawCall("locate_vehicle", { query: "truck 12" });
const PING = older("ping");
const pinged = async (url: string) => (await raw(url, PING).catch(() => undefined))?.status;

const refusedWith = (status: number, expected: RegExp) => ({
  status,
  headers: expect.objectContaining({ "retry-after": "1", connection: "close" }),
  text: expect.stringMatching(expected),
});

it("one request too many is asked to retry, and is served once there is room", async () => {
  const { script, open } = gated();
  const { http, service } = await httpUnderTest(script, {}, { requests: 2 });
  const waiting = [raw(http.url, LOCATE), raw(http.url, LOCATE)];
  await expect.poll(() => service.received.length).toBe(1);
  await expect.poll(() => pinged(http.url)).toBe(503);
  const refused = await raw(http.url, PING);
  expect(refused).toEqual(refusedWith(503, /Already serving 2 requests; try again later/));
  expect(JSON.parse(refused.text)).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 }, id: null });
  open();
  await Promise.all(waiting);
  expect(await pinged(http.url)).toBe(200);
});

it("requests that are cut off or slow to arrive do not count", async () => {
  const { http } = await httpUnderTest({}, {}, { requests: 2 });
  for (let count = 0; count < 6; count++) {
    const { socket } = await connection(http.url, bytesOf(PING).subarray(0, -5));
    // Every other one stays connected but sends nothing more.
    if (count % 2 === 0) socket.destroy();
  }
  expect(await pinged(http.url)).toBe(200);
});

it("a call of an older revision counts until it ends, even if its caller has disconnected", async () => {
  const { script, open } = gated();
  const { http, service } = await httpUnderTest(script, {}, { requests: 1 });
  const { socket } = await connection(http.url, bytesOf(LOCATE));
  await expect.poll(() => service.received.length).toBe(1);
  socket.destroy();
  await pause(100);
  expect(await pinged(http.url)).toBe(503);
  open();
  await expect.poll(() => pinged(http.url)).toBe(200);
});

it("one connection too many gets a 503, and many more are closed", async () => {
  const { http } = await httpUnderTest({}, {}, { connections: 2 });
  const idle = [await connection(http.url), await connection(http.url)];
  expect(await raw(http.url, PING)).toEqual(refusedWith(503, /All 2 connections are in use/));
  const more = await Promise.all(Array.from({ length: 80 }, () => connection(http.url)));
  await Promise.race(more.map(({ closed }) => closed));
  for (const { socket } of [...idle, ...more]) socket.destroy();
  await expect.poll(() => pinged(http.url)).toBe(200);
});

it("concurrent requests on one connection are limited", async () => {
  const { script, open } = gated();
  const { http, service } = await httpUnderTest(script);
  const { received, closed } = await connection(http.url, Buffer.concat([LOCATE, PING].map(bytesOf)));
  await expect.poll(() => service.received.length).toBe(1);
  await pause(100);
  open();
  await closed;
  expect(received().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 429"]);
  expect(received()).toMatch(/retry-after: 1[\s\S]*Concurrent requests per connection are limited to 1/);
});

it.each<[string, string | Buffer]>([
  ["headers", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"],
  ["body", bytesOf(PING).subarray(0, -5)],
])("the time that %s may take is limited", async (_, bytes) => {
  const { http } = await httpUnderTest({}, {}, { headersMs: 200, requestMs: 400 });
  const startedAt = performance.now();
  const { received, closed } = await connection(http.url, bytes);
  await closed;
  // Otherwise the default of five seconds would apply.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(received()).toMatch(/^HTTP\/1.1 408 [\s\S]*did not arrive in time/);
});

it.skipIf(process.platform !== "linux")(
  "responses that nobody reads do not use up memory: 40 connections with 20 requests each",
  async () => {
    const { child } = start(["http", "--port", "0", "--sandbox"], { FLEET_MAX_RESULT_TOKENS: "100000" });
    const url = await readyAt(child);
    const list = rawCall("list_live_positions", { limit: 500 });
    await raw(url, list);
    const idle = memoryOf(child.pid);
    for (let count = 0; count < 40; count++) (await connection(url, Buffer.concat(Array(20).fill(bytesOf(list))))).socket.pause();
    await pause(200);
    await expect.poll(() => pinged(url), { interval: 50 }).toBe(200);
    const peak = memoryOf(child.pid, "VmHWM");
    expect(peak - idle, `${idle} MiB before, ${peak} MiB at most`).toBeLessThan(100);
  },
);
