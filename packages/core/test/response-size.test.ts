import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { FleetClient } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { DEFAULT_LIMIT } from "./large-fleet.ts";
import type { Answer } from "./recording-server.ts";

const LIMIT = 100_000;
const json = { "content-type": "application/json" };

/** Declares the length of its body and sends only the start. */
const declared =
  (length: number, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { ...json, "content-length": String(length) }).write("[");
  };

/** An endless body that counts the bytes sent and notices when its connection is closed. */
function endless(status = 200) {
  const sent = { bytes: 0, closed: false };
  const answer = async (response: ServerResponse) => {
    const closed = once(response, "close").then(() => {
      sent.closed = true;
    });
    response.writeHead(status, json);
    while (!sent.closed) {
      sent.bytes += 16_384;
      if (!response.write(" ".repeat(16_384))) await Promise.race([once(response, "drain"), closed]);
    }
  };
  return { answer, sent };
}

const list = (length: number) => `[${" ".repeat(length - 2)}]`;

describe("a response larger than maxResponseBytes", () => {
  it.each<[string, Answer]>([
    ["by its content-length", declared(LIMIT + 1)],
    ["without end", endless().answer],
    [
      "only once it is decompressed",
      (response) => void response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(gzipSync(list(50 * LIMIT))),
    ],
  ])("is tooLarge, %s, and not retried", async (_, answer) => {
    const { fleet, api } = await fleetUnderTest({ api: [answer], maxResponseBytes: LIMIT, retries: 2, timeout: 5_000 });
    const error = await failure(fleet.listLivePositions());
    expect(error).toMatchObject({ code: "tooLarge", status: 200, operation: "listLivePositions" });
    expect(error.message).toContain(`exceeds maxResponseBytes (${LIMIT})`);
    expect(error.advice).toMatch(/record by record with iterate\(\).*maxResponseBytes/);
    expect(api.requests).toHaveLength(1);
  });

  it("is dropped at the limit, and its connection closed", async () => {
    const { answer, sent } = endless();
    const { fleet } = await fleetUnderTest({ api: [answer], maxResponseBytes: LIMIT });
    await failure(fleet.listLivePositions());
    await expect.poll(() => sent.closed).toBe(true);
    // Beyond the limit only what the sockets buffer.
    expect(sent.bytes).toBeLessThan(10_000_000);
  });

  it.each<[string, (fleet: FleetClient) => Promise<unknown>, object]>([
    ["a page", (fleet) => fleet.listVehicleFaults(), { code: "tooLarge", advice: expect.stringContaining("smaller pages") }],
    [
      "a list that may be anything",
      (fleet) => fleet.listJobs(),
      { code: "tooLarge", advice: expect.stringContaining("Request less data") },
    ],
    [
      "a created job",
      (fleet) => fleet.createJob({ address: "a" }),
      { code: "unknownOutcome", status: 200, jobNumber: expect.stringMatching(/^FW-/), advice: expect.stringContaining("Check whether") },
    ],
  ])("can be %s", async (_, call, expected) => {
    for (const answer of [declared(LIMIT + 1), endless().answer]) {
      const { fleet, api } = await fleetUnderTest({ api: [answer], maxResponseBytes: LIMIT, retries: 2 });
      expect(await failure(call(fleet))).toMatchObject(expected);
      expect(api.requests).toHaveLength(1);
    }
  });

  it.each([declared(LIMIT + 1, 503), endless(503).answer])("keeps the error of its status, without the service's text", async (answer) => {
    const { fleet } = await fleetUnderTest({ api: [answer], maxResponseBytes: LIMIT });
    expect(await failure(fleet.listLivePositions())).toMatchObject({ code: "upstream", status: 503, errors: [] });
  });
});

describe("maxResponseBytes", () => {
  it("accepts a response of exactly that size", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: list(LIMIT) }], maxResponseBytes: LIMIT });
    expect(await fleet.listLivePositions()).toEqual([]);
  });

  it("does not limit a list read record by record", async () => {
    const body = Array.from({ length: 5_000 }, (_, at) => ({ assetId: `v${at}` }));
    const { fleet } = await fleetUnderTest({ api: [{ body }], maxResponseBytes: 1_000 });
    let count = 0;
    for await (const { assetId } of fleet.listLivePositions.iterate()) expect(assetId).toBe(`v${count++}`);
    expect(count).toBe(5_000);
  });

  it("is 256 MB by default", async () => {
    const { fleet } = await fleetUnderTest({ api: [declared(DEFAULT_LIMIT), declared(DEFAULT_LIMIT + 1)], timeout: 100 });
    expect((await failure(fleet.listLivePositions())).code).toBe("timeout");
    expect((await failure(fleet.listLivePositions())).code).toBe("tooLarge");
  });
});
