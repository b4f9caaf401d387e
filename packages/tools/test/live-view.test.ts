import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FleetToolsConfig } from "../src/index.ts";
import { NOW, type Reply, servedFleet } from "./served-fleet.ts";

const DATE = new Date(NOW - 60_000).toISOString();

const fleetOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ assetId: `v${at}`, assetName: `Truck ${at}`, assetVin: `WDB${String(at).padStart(14, "0")}`, assetRegistration: `B KL ${at}` },
    ...{ assetGroupName: `Depot ${at % 50}`, driverId: `d${at}`, driverName: `Jan Kowalski ${at}`, eventType: "driving", date: DATE },
    ...more,
  }));

/** Tools whose service and clock the test controls. `respond` returns a list, or how the service fails. */
async function liveFleet(respond: (call: number) => unknown, env: Record<string, string> = {}, config: Partial<FleetToolsConfig> = {}) {
  let [calls, now] = [0, NOW];
  const isOfSold = (url: URL) => url.searchParams.get("showAllVehicleStatus") === "true";
  const { tools, service, record } = await servedFleet({
    script: {
      // No vehicle was sold.
      listLivePositions: async ({ url }) => {
        const list = isOfSold(url) ? [] : await respond(++calls);
        return Array.isArray(list) ? { body: list } : (list as Reply);
      },
      updateGroup: () => ({ body: { id: "north" } }),
    },
    env: { FLEET_SNAPSHOT_SECONDS: "5", ...env },
    config,
    options: { now: () => now },
  });
  return {
    tools,
    record,
    requests: () => service.of("listLivePositions").filter(({ url }) => !isOfSold(url)),
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    locate: (query: string) => tools.call("locate_vehicle", { query }),
  };
}

describe("the view of the fleet", () => {
  it("answers all questions from one list, and computes a summary once per list", async () => {
    const { tools, locate, requests } = await liveFleet(() => fleetOf(20));
    const others = [tools.call("find_nearest_vehicles", { to: "50, 8" }), tools.call("list_live_positions", {})];
    const results = await Promise.all([locate("truck 7"), locate("B KL 9"), tools.call("summarize_fleet", {}), ...others]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect(requests()).toHaveLength(1);
  });

  it("follows names that change, vehicles that join and vehicles that leave", async () => {
    const lists = [fleetOf(3), [...fleetOf(2), { assetId: "v9", assetName: "Van 9" }], fleetOf(2, { driverName: "Ada Novak" })];
    const { locate, pass } = await liveFleet((call) => lists[call - 1]);
    const found = async (query: string) => ((await locate(query)).structured as { result?: string }).result;
    expect([await found("truck 2"), await found("van 9"), await found("Jan Kowalski 1")]).toEqual(["found", "notFound", "found"]);
    pass(6);
    expect([await found("truck 2"), await found("van 9")]).toEqual(["notFound", "found"]);
    pass(6);
    expect([await found("van 9"), await found("Jan Kowalski 1"), await found("Ada Novak")]).toEqual(["notFound", "notFound", "ambiguous"]);
  });

  it("is refreshed while there are questions", async () => {
    const { locate, requests } = await liveFleet(() => fleetOf(3), {}, { snapshotSeconds: 0.05 });
    await locate("truck 1");
    await expect.poll(() => requests().length, { interval: 10 }).toBeGreaterThan(1);
  });

  it("is never older than FLEET_SNAPSHOT_SECONDS while the service responds", async () => {
    const { locate, requests, pass } = await liveFleet(() => fleetOf(3));
    await locate("truck 1");
    pass(4);
    expect((await locate("truck 1")).text).toMatch(/\nRead 4 s ago\.$/);
    pass(2);
    expect((await locate("truck 1")).text).not.toContain("Read");
    expect(requests()).toHaveLength(2);
  });

  it("is read again once the clock was set back", async () => {
    const { locate, pass, requests } = await liveFleet(() => fleetOf(2));
    await locate("truck 1");
    pass(-3600);
    await locate("truck 1");
    expect(requests()).toHaveLength(2);
  });

  it.each<[string, Reply]>([
    ["upstream", { status: 503 }],
    ["network", "reset"],
  ])("is shown for a quarter of an hour while the service fails, and the result says so: %s", async (code, reply) => {
    const { tools, locate, pass } = await liveFleet((call) => (call === 1 ? fleetOf(3) : reply));
    await locate("truck 1");
    pass(90);
    for (const { text, structured } of [await locate("truck 2"), await tools.call("find_nearest_vehicles", { to: "50, 8" })]) {
      expect(text).toContain(`\nRead 90 s ago. The service is failing (${code}), so there is nothing newer.`);
      expect(structured).toMatchObject({ readSecondsAgo: 90, outdated: expect.stringContaining("failing") });
    }
    pass(809);
    expect(await locate("truck 1")).toMatchObject({ ok: true });
    pass(1);
    expect(await locate("truck 1")).toMatchObject({ ok: false, structured: { error: { code } } });
  });

  it.each<[string, Reply]>([
    ["unauthorized", { status: 401 }],
    ["contract", { body: "<html>" }],
  ])("is not shown if the request is at fault: %s", async (code, reply) => {
    const { locate, pass } = await liveFleet((call) => (call === 2 ? reply : fleetOf(3)));
    await locate("truck 1");
    pass(90);
    expect(await locate("truck 1")).toMatchObject({ ok: false, structured: { error: { code } } });
    expect((await locate("truck 1")).text).toMatch(/^Truck 1 (?!.*Read)/s);
  });

  it("is not shown after a write, even if the service then fails, and a list requested before it is read again", async () => {
    const { tools, locate, requests } = await liveFleet((call) => (call === 2 ? { status: 503 } : pause(50, fleetOf(3))));
    await locate("truck 1");
    await tools.call("update_group", { id: "north", name: "North" });
    expect((await locate("truck 1")).text).toMatch(/^upstream: /);
    const early = locate("truck 1");
    await pause(10);
    await tools.call("update_group", { id: "north", name: "N" });
    await locate("truck 1");
    expect((await early).ok).toBe(true);
    expect(requests()).toHaveLength(4);
  });

  it("is read again for a caller who asks while the read of one who left is being aborted", async () => {
    for (const turns of [0, 1, 2, 4, 9, 19]) {
      const { tools, locate } = await liveFleet(() => pause(20, fleetOf(3)));
      const leaving = new AbortController();
      const left = tools.call("locate_vehicle", { query: "truck 1" }, { signal: leaving.signal });
      await pause(10);
      leaving.abort();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const [{ ok }, next] = await Promise.all([left, locate("truck 1")]);
      expect([ok, next.ok], next.text).toEqual([false, true]);
    }
  });
});

/** The longest time between two turns of the event loop while work is done, in milliseconds of the processor, which other work hardly affects. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const computed = () => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part);
  let [last, longest, done] = [computed(), 0, false];
  const ticking = (async () => {
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      const at = computed();
      [longest, last] = [Math.max(longest, at - last), at];
    }
  })();
  await work();
  done = true;
  await ticking;
  return longest / 1_000;
}

// Processor time is noisy: what always takes long fails each time.
it("no question about a large fleet holds the process for as long as parsing its list at once", { retry: 3 }, async () => {
  const text = JSON.stringify(fleetOf(30_000));
  const { locate, tools } = await liveFleet(() => ({ body: text }), { FLEET_SNAPSHOT_SECONDS: "999" });
  await locate("truck 1");
  // Memory may be collected during one of two rounds.
  const usually = async (work: () => Promise<unknown>) => Math.min(await longestStall(work), await longestStall(work));
  const control = await usually(async () => JSON.parse(text).map((record: object) => ({ ...record })));
  for (const [tool, args, file] of [
    ["summarize_fleet", { fuelBelow: 21 }, "runtime/time-slices.ts"],
    ["locate_vehicle", { query: "truck" }, "names/resolve-name.ts"],
    ["list_live_positions", { where: "driver=unheard, name!=Truck 1, group!=Depot 7" }, "query/field-texts.ts"],
  ] as const) {
    const asked = async () => expect(await tools.call(tool, args)).toMatchObject({ ok: true });
    expect(await usually(asked), `see packages/tools/src/${file}`).toBeLessThan(control);
  }
});
