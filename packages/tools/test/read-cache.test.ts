import type { OperationName } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { cannedFleet } from "./canned-fleet.ts";
import { NOW, type Script, servedFleet, tachoRecords } from "./served-fleet.ts";

const script: Script = {
  listLivePositions: () => ({ body: cannedFleet() }),
  listJobs: () => ({ body: [{ jobNumber: "J1" }] }),
  updateGroup: () => ({ body: { id: "north" } }),
};

async function serve({ seconds = "5", responses = script } = {}) {
  let at = NOW;
  const fleet = await servedFleet({ script: responses, env: { FLEET_SNAPSHOT_SECONDS: seconds }, options: { now: () => at } });
  const pass = (ms: number) => {
    at += ms;
  };
  return { ...fleet, pass, reads: (operation: OperationName = "listLivePositions") => fleet.service.of(operation).length };
}

// One list of the whole fleet, an undocumented list, and a list read page by page.
describe.each<[string, Record<string, unknown>, OperationName, pages: number]>([
  ["list_live_positions", {}, "listLivePositions", 1],
  ["list_live_positions", { where: "status=SOLD" }, "listLivePositions", 1],
  ["list_jobs", {}, "listJobs", 1],
  // Three pages, and three of where those on private journeys were lately.
  ["summarize_driver_activity", { period: "yesterday" }, "queryTachoActivity", 6],
])("a read of %s", (tool, args, operation, pages) => {
  const entries = Array.from({ length: 450 }, (_, at) => ({ driverId: `p${at}`, driverKey: `D${at}`, activities: [] }));
  const responses = { ...script, ...tachoRecords(entries) };

  it("serves later questions for five seconds, and its age is stated", async () => {
    const { text, record, pass, reads } = await serve({ responses });
    expect(await text(tool, args)).not.toContain("Read");
    pass(4_999);
    expect(await text(tool, args)).toMatch(/\nRead 5 s ago\.$/);
    expect(await record(tool, args)).toMatchObject({ readSecondsAgo: 5 });
    expect(reads(operation)).toBe(pages);
    pass(1);
    expect(await text(tool, args)).not.toContain("Read");
    expect(reads(operation)).toBe(2 * pages);
  });

  it("is dropped by a write, and not kept if it fails", async () => {
    const { text, failure, reads, service } = await serve({ responses });
    await text(tool, args);
    await text("update_group", { id: "north", name: "North" });
    service.script = { ...service.script, [operation]: () => ({ status: 503 }) };
    expect(await failure(tool, args)).toMatch(/^upstream/);
    service.script = { ...service.script, ...responses };
    await text(tool, args);
    expect(reads(operation)).toBe(2 * pages + 1);
  });
});

it("nothing is kept with FLEET_SNAPSHOT_SECONDS=0, or for a different question", async () => {
  const uncached = await serve({ seconds: "0" });
  for (let count = 0; count < 2; count++) await uncached.text("locate_vehicle", { query: "truck 12" });
  const { text, reads } = await serve();
  for (const showAllVehicleStatus of [false, true]) await text("list_live_positions", { showAllVehicleStatus });
  expect([uncached.reads(), reads()]).toEqual([2, 2]);
});

it("a list whose stream breaks is read whole instead", async () => {
  const [first] = cannedFleet();
  const body = JSON.stringify([first]);
  let requests = 0;
  const broken = { headers: { "content-length": String(body.length + 1), connection: "close" } };
  const { record } = await serve({ responses: { listLivePositions: () => ({ body, ...(++requests === 1 && broken) }) } });
  expect((await record("list_live_positions", { showAllVehicleStatus: true })).items).toHaveLength(1);
  expect(requests).toBe(2);
});

describe("concurrent reads share one request", () => {
  it("if the question is the same", async () => {
    const { record, reads } = await serve({ seconds: "0" });
    const all = await Promise.all(["truck 12", "van 7", "KX21 ABC"].map((query) => record("locate_vehicle", { query })));
    expect(all.map(({ result }) => result)).toEqual(["found", "found", "found"]);
    await Promise.all([record("list_jobs"), record("list_jobs")]);
    expect([reads(), reads("listJobs")]).toEqual([1, 1]);
  });

  it.each<[string, Record<string, unknown>, OperationName]>([
    ["locate_vehicle", { query: "truck 12" }, "listLivePositions"],
    ["list_jobs", {}, "listJobs"],
  ])("which continues when one caller leaves, and is aborted when all have left: %s", async (tool, args, operation) => {
    const { tools, service } = await serve({ responses: { [operation]: () => "silence" } as Script });
    const [leaving, last] = [new AbortController(), new AbortController()];
    const waiting = [leaving, last].map(({ signal }) => tools.call(tool, args, { signal }));
    await expect.poll(() => service.of(operation).length).toBe(1);
    let isClosed = false;
    const closed = service.of(operation)[0]?.closed.then(() => {
      isClosed = true;
    });
    leaving.abort();
    expect(await waiting[0]).toMatchObject({ ok: false, structured: { error: { code: "aborted" } } });
    // Time in which the connection would have ended.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isClosed).toBe(false);
    last.abort();
    expect(await waiting[1]).toMatchObject({ ok: false });
    await closed;
    expect(service.of(operation)).toHaveLength(1);
  });
});
