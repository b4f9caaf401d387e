import { describe, expect, it } from "vitest";
import { cannedFleet } from "../../tools/test/canned-fleet.ts";
import { type Script, tachoRecords } from "../../tools/test/fleet-service.ts";
import { NOW, serverUnderTest, structuredOf, textOf, tokens } from "./server-under-test.ts";

const script: Script = {
  listLivePositions: () => ({ body: cannedFleet() }),
  updateGroup: () => ({ body: { id: "north" } }),
};

async function serve({ seconds = "5", responses = script } = {}) {
  let at = NOW;
  const server = await serverUnderTest({ script: responses, env: { FLEET_SNAPSHOT_SECONDS: seconds }, now: () => at });
  const reads = () => server.service.of("listLivePositions").length;
  const pass = (ms: number) => {
    at += ms;
  };
  return { ...server, reads, pass };
}

describe("a cached read serves later questions", () => {
  it("for five seconds, and its age is stated", async () => {
    const { call, reads, pass } = await serve();
    expect(structuredOf(await call("locate_vehicle", { query: "truck 12" }))).not.toHaveProperty("readSecondsAgo");
    pass(3_000);
    const later = await call("locate_vehicle", { query: "van 7" });
    expect(textOf(later)).toMatch(/\nRead 3 s ago\.$/);
    expect(structuredOf(later)).toMatchObject({ result: "found", readSecondsAgo: 3 });
    expect(reads()).toBe(1);
    pass(2_000);
    expect(textOf(await call("locate_vehicle", { query: "van 7" }))).not.toContain("Read");
    expect(reads()).toBe(2);
  });

  it("but not a different question", async () => {
    const { call, reads } = await serve();
    await call("list_live_positions", {});
    await call("list_live_positions", { showAllVehicleStatus: true });
    expect(reads()).toBe(2);
  });

  it("but not with FLEET_SNAPSHOT_SECONDS=0", async () => {
    const { call, reads } = await serve({ seconds: "0" });
    await call("locate_vehicle", { query: "truck 12" });
    await call("locate_vehicle", { query: "truck 12" });
    expect(reads()).toBe(2);
  });

  it("for a quarter of an hour while the service fails, and the result says so", async () => {
    const { call, pass, service } = await serve();
    await call("locate_vehicle", { query: "truck 12" });
    service.script = { ...service.script, listLivePositions: () => ({ status: 503 }) };
    pass(90_000);
    for (const tool of ["locate_vehicle", "find_nearest_vehicles"]) {
      const result = await call(tool, tool === "locate_vehicle" ? { query: "van 7" } : { to: "van 7" });
      expect(textOf(result)).toMatch(/\nRead 90 s ago\. The service is failing \(upstream\), so there is nothing newer\.$/);
      expect(structuredOf(result)).toMatchObject({ readSecondsAgo: 90, outdated: expect.stringContaining("failing") });
    }
    pass(900_000);
    expect((await call("locate_vehicle", { query: "van 7" })).isError).toBe(true);
  });

  it("but not after a write or a failure", async () => {
    const { call, reads, service } = await serve();
    await call("locate_vehicle", { query: "truck 12" });
    await call("update_group", { id: "north", name: "North" });
    await call("locate_vehicle", { query: "truck 12" });
    expect(reads()).toBe(2);
    await call("update_group", { id: "north", name: "N" });
    service.script = { ...service.script, listLivePositions: () => ({ status: 503 }) };
    expect((await call("locate_vehicle", { query: "truck 12" })).isError).toBe(true);
    service.script = { ...service.script, ...script };
    expect(structuredOf(await call("locate_vehicle", { query: "truck 12" })).result).toBe("found");
  });

  it("page by page too, for a list read to the end", async () => {
    const entries = Array.from({ length: 450 }, (_, at) => ({ driverId: `p${at}`, driverKey: `D${at}`, activities: [] }));
    const { call, service, pass } = await serve({ responses: { ...script, ...tachoRecords(entries) } });
    const ask = () => call("summarize_driver_activity", { period: "yesterday" });
    await ask();
    expect(service.of("queryTachoActivity")).toHaveLength(3);
    pass(3_000);
    expect(structuredOf(await ask())).toMatchObject({ readSecondsAgo: 3 });
    expect(service.of("queryTachoActivity")).toHaveLength(3);
    pass(2_000);
    await ask();
    await call("update_group", { id: "north", name: "North" });
    await ask();
    expect(service.of("queryTachoActivity")).toHaveLength(9);
  });

  it("within the budget, including its age", async () => {
    const { call, pass } = await serve();
    for (const args of [{}, { limit: 500 }, { fields: ["assetName"], limit: 500 }]) {
      await call("list_live_positions", args);
      pass(1_000);
      const result = await call("list_live_positions", args);
      expect(structuredOf(result).readSecondsAgo).toBeGreaterThan(0);
      expect(tokens(result)).toBeLessThanOrEqual(5_000);
    }
  });
});

describe("concurrent reads share one request", () => {
  it("if the question is the same", async () => {
    const { call, reads } = await serve({ seconds: "0" });
    const all = await Promise.all(["truck 12", "van 7", "KX21 ABC"].map((query) => call("locate_vehicle", { query })));
    expect(all.map((result) => structuredOf(result).result)).toEqual(["found", "found", "found"]);
    expect(reads()).toBe(1);
  });

  it("which continues when one caller leaves, and is aborted when all have left", async () => {
    const { client, call, service } = await serve({ responses: { listLivePositions: () => "silence" } });
    const leaving = new AbortController();
    const last = new AbortController();
    const ask = (query: string, { signal }: AbortController) =>
      client.callTool({ name: "locate_vehicle", arguments: { query } }, { signal }).catch(() => "left");
    const waiting = [ask("truck 12", leaving), ask("van 7", last)];
    while (service.of("listLivePositions").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [request] = service.of("listLivePositions");
    let closed = false;
    request?.closed.then(() => {
      closed = true;
    });
    leaving.abort();
    expect(await waiting[0]).toBe("left");
    // Sends another call through the server before checking.
    await call("update_group", { id: "x", name: 7 as never });
    expect(closed).toBe(false);
    last.abort();
    expect(await waiting[1]).toBe("left");
    await request?.closed;
  });
});
