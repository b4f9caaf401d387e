import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import { NOW, servedFleet } from "./served-fleet.ts";

const CALL = 1_500;
/** A call times out after 0.15 s. */
const FASTER = 10;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const records: Record<string, object> = {
  positions: { assetId: "v1", assetName: "Truck 1", date: new Date(NOW).toISOString() },
  jobs: { jobId: "j1", jobNumber: "FW-1", jobTitle: "Collect 4 pallets" },
};

/** Sends a record every 50 ms; without an end, or for so many milliseconds. */
async function trickle(response: ServerResponse, record: object, duration = Number.POSITIVE_INFINITY) {
  response.writeHead(200, { "content-type": "application/json" }).write(`[${JSON.stringify(record)}`);
  for (let passed = 0; passed < duration && !response.destroyed; passed += 50) {
    await pause(50);
    response.write(`,${JSON.stringify(record)}`);
  }
  response.end("]");
}

type First = (response: ServerResponse, record: object) => unknown;

const send: First = (response, record) => response.setHeader("content-type", "application/json").end(JSON.stringify([record]));

/** Tools whose calls time out soon, for a service whose responses to the first requests for a list are written by `first`, in turn. */
async function underTest(...first: First[]) {
  fastClock(FASTER);
  let requests = 0;
  const server = createServer((request, response) => {
    if (request.method === "POST") return response.end(JSON.stringify({ accessToken: "issued", token_type: "bearer", expires_in: 3600 }));
    const record = records[request.url?.includes("/tracking/live") ? "positions" : "jobs"] as object;
    return (first[requests++] ?? send)(response, record);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { FLEET_BASE_URL: origin, FLEET_API_HOST: origin, FLEET_AUTH_URL: origin, FLEET_SNAPSHOT_SECONDS: "5" };
  const { tools } = await servedFleet({ env, options: { callTimeout: CALL } });
  return { tools, requests: () => requests };
}

const silent = () => undefined;

it.each<[name: string, args: Record<string, unknown>, what: string, first: First]>([
  ["locate_vehicle", { query: "truck 1" }, "trickles", trickle],
  ["locate_vehicle", { query: "truck 1" }, "is not sent", silent],
  ["list_jobs", {}, "trickles", trickle],
])("%s %j, while its list %s: a question in between is answered once the service is well, and so is the next", async (...row) => {
  const [name, args, , first] = row;
  const { tools } = await underTest(first);
  const early = tools.call(name, args);
  await pause(CALL / 2);
  const later = tools.call(name, args);
  expect((await early).text).toMatch(/^timeout:/);
  expect(await later).toMatchObject({ ok: true });
  expect(await tools.call(name, args)).toMatchObject({ ok: true });
});

it.each([
  ["locate_vehicle", { query: "truck 1" }],
  ["list_jobs", {}],
])("many questions of %s start one new read in its place, even while the service stays slow", async (name, args) => {
  const { tools, requests } = await underTest(...Array.from({ length: 30 }, () => silent));
  const calls = [];
  for (let count = 0; count < 8; count++) {
    calls.push(tools.call(name, args));
    await pause(CALL / 16);
  }
  expect((await Promise.all(calls)).filter(({ ok }) => ok)).toEqual([]);
  expect(requests()).toBe(2);
});

describe("a list of positions that takes longer than a call", () => {
  const slow = (response: ServerResponse, record: object) => trickle(response, record, CALL * 1.4);

  it("answers the next question when it is complete, and the request that is no longer needed ends", async () => {
    let isOpen = true;
    const { tools } = await underTest(slow, (response) => void response.on("close", () => (isOpen = false)));
    expect((await tools.call("locate_vehicle", { query: "truck 1" })).text).toMatch(/^timeout:/);
    expect(await tools.call("locate_vehicle", { query: "truck 1" })).toMatchObject({ ok: true });
    await expect.poll(() => isOpen).toBe(false);
  });

  it("answers every question if it comes from each request", async () => {
    const { tools } = await underTest(...Array.from({ length: 9 }, () => slow));
    const results = [];
    for (let count = 0; count < 3; count++) results.push((await tools.call("locate_vehicle", { query: "truck 1" })).ok);
    expect(results).toEqual([false, true, true]);
  });
});
