import { setTimeout as pause } from "node:timers/promises";
import { createFleetClient } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { createFleetTools } from "../src/index.ts";
import { fleetToolsConfigFromEnv } from "../src/model/settings.ts";
import { cannedService, NOW, rowsOf } from "./canned-service.ts";

const DATE = new Date(NOW - 60_000).toISOString();

const fleetOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    assetId: `v${at}`,
    assetName: `Truck ${at}`,
    assetVin: `WDB${String(at).padStart(14, "0")}`,
    assetRegistration: `B KL ${at}`,
    assetGroupName: `Depot ${at % 50}`,
    driverId: `d${at}`,
    driverName: `Jan Kowalski ${at}`,
    eventType: "driving",
    date: DATE,
    ...more,
  }));

/** Tools whose service and clock the test controls. `respond` returns undefined for a failing service. */
async function liveFleet(respond: (call: number) => unknown, env: Record<string, string> = {}) {
  let calls = 0;
  let now = NOW;
  // No vehicle was sold.
  const service = await cannedService(({ fields }) => (fields["showAllVehicleStatus"] === "true" ? [] : respond(++calls)));
  const config = fleetToolsConfigFromEnv({
    FLEET_BASE_URL: service.origin,
    FLEET_CUSTOMER_ID: "c42",
    FLEET_CLIENT_ID: "id",
    FLEET_CLIENT_SECRET: "secret",
    ...env,
  });
  const tools = createFleetTools({ ...config, retries: 0 }, { now: () => now, fleet: createFleetClient({ ...config, retries: 0 }) });
  return {
    tools,
    requests: () => service.asked.filter(({ fields }) => fields["showAllVehicleStatus"] !== "true"),
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    locate: (query: string) => tools.call("locate_vehicle", { query }),
  };
}

describe("the view of the fleet", () => {
  it("answers all questions from one list, and computes a summary once per list", async () => {
    const { tools, locate, requests } = await liveFleet(() => fleetOf(20));
    const results = await Promise.all([
      locate("truck 7"),
      locate("B KL 9"),
      tools.call("summarize_fleet", {}),
      tools.call("find_nearest_vehicles", { to: "50, 8" }),
      tools.call("list_live_positions", {}),
    ]);
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

  it("is refreshed while there are questions, and states its age", async () => {
    const { locate, requests } = await liveFleet(() => fleetOf(3), { FLEET_SNAPSHOT_SECONDS: "1" });
    await locate("truck 1");
    await expect.poll(() => requests().length, { timeout: 4_000 }).toBeGreaterThan(1);
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

  it("is not shown if the request was rejected, since that is not a temporary failure of the service", async () => {
    const { locate, pass } = await liveFleet((call) => (call === 1 ? fleetOf(3) : undefined));
    await locate("truck 1");
    pass(90);
    expect(await locate("truck 1")).toMatchObject({ ok: false, structured: { error: { code: "notFound" } } });
  });

  it("is read again for a caller who asks while the read of one who left is being aborted", async () => {
    for (let turns = 0; turns < 30; turns++) {
      const { tools, locate } = await liveFleet(() => pause(50, fleetOf(3)));
      const leaving = new AbortController();
      const left = tools.call("locate_vehicle", { query: "truck 1" }, { signal: leaving.signal });
      await pause(20);
      leaving.abort();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const [{ ok }, next] = await Promise.all([left, locate("truck 1")]);
      expect([ok, next.ok], next.text).toEqual([false, true]);
    }
  });

  it.each([
    [
      "a vehicle twice",
      [
        { assetId: "v1", assetName: "A", date: "2026-11-20T08:00:00Z" },
        { assetId: "v1", assetName: "B", date: "2026-11-20T08:01:00Z" },
      ],
      "B",
    ],
    [
      "a vehicle twice, the latest record first",
      [
        { assetId: "v1", assetName: "B", date: "2026-11-20T08:01:00Z" },
        { assetId: "v1", assetName: "A", date: "2026-11-20T08:00:00Z" },
      ],
      "B",
    ],
  ])("holds the latest record if a list has %s", async (_, list, expected) => {
    const { tools } = await liveFleet(() => list);
    const { structured } = await tools.call("list_live_positions", {});
    expect(rowsOf({ ...structured })).toMatchObject([{ assetName: expected }]);
  });

  it("recognizes a driver's name in records that arrived before the driver's, if names are hidden", async () => {
    const list = [
      { assetId: "v1", assetName: "Ada Novak" },
      { assetId: "v2", assetName: "Van 2", driverId: "d1", driverName: "Ada Novak" },
    ];
    const { tools } = await liveFleet(() => list, { FLEET_DRIVER_NAMES: "hide" });
    expect(JSON.stringify(await tools.call("list_live_positions", {})), "see packages/tools/src/fleet/masked-client.ts").not.toContain(
      "Novak",
    );
  });
});

describe("with FLEET_FULL_READ_SECONDS", () => {
  const date = (second: number) => new Date(NOW + second * 1000).toISOString();
  const truck = (at: number, more: object = {}) => ({ assetId: `v${at}`, assetName: `Truck ${at}`, date: date(-3600), ...more });
  /** The rows that a question shows after each number of seconds, and from when the list before it was requested. */
  const after = async (lists: unknown[][], seconds: number[], env: Record<string, string> = {}) => {
    const { tools, requests, pass } = await liveFleet((call) => lists[call - 1], { FLEET_FULL_READ_SECONDS: "60", ...env });
    const seen: unknown[] = [];
    for (const passed of seconds) {
      pass(passed);
      const { ok, text, structured } = await tools.call("list_live_positions", { sort: "assetId", fields: ["assetName"] });
      const from = requests().at(-1)?.fields["fromDateTime"];
      const names = ok ? rowsOf({ ...structured }).map(({ assetName }) => assetName) : text;
      seen.push([from === undefined ? "all" : (Date.parse(String(from)) - NOW) / 1000, names]);
    }
    return seen;
  };

  it("asks for changes in between, which overlap, and keeps the vehicles that have none", async () => {
    const lists = [[truck(1), truck(2)], [truck(2, { assetName: "Bus 2", date: date(5) })], [truck(3)]];
    expect(await after(lists, [0, 6, 6])).toEqual([
      ["all", ["Truck 1", "Truck 2"]],
      [-120, ["Truck 1", "Bus 2"]],
      [-114, ["Truck 1", "Bus 2", "Truck 3"]],
    ]);
  });

  it("reads the whole fleet at this interval, and notices who left", async () => {
    expect(await after([[truck(1), truck(2)], [], [truck(2)]], [0, 50, 10])).toEqual([
      ["all", ["Truck 1", "Truck 2"]],
      [-120, ["Truck 1", "Truck 2"]],
      ["all", ["Truck 2"]],
    ]);
  });

  it("counts vehicles, not records, for FLEET_MAX_VEHICLES", async () => {
    const lists = [[truck(1), truck(2)], [truck(1), truck(2)], [truck(3)]];
    const [, again, more] = await after(lists, [0, 6, 6], { FLEET_MAX_VEHICLES: "2" });
    expect(again).toEqual([-120, ["Truck 1", "Truck 2"]]);
    expect(String(more)).toContain("the fleet has more than 2 vehicles");
  });
});

/** The longest time between two turns of the event loop while work is done, in milliseconds. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let [last, longest, done] = [performance.now(), 0, false];
  const ticking = (async () => {
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      const at = performance.now();
      [longest, last] = [Math.max(longest, at - last), at];
    }
  })();
  await work();
  done = true;
  await ticking;
  return longest;
}

/** The longest stall in the best of several rounds, because the process itself may have to wait for a processor. */
async function usualStall(work: () => Promise<unknown>): Promise<number> {
  const stalls: number[] = [];
  for (let round = 0; round < 5; round++) stalls.push(await longestStall(work));
  return Math.min(...stalls);
}

describe("a large fleet never holds the process for long: compared with parsing its list at once,", () => {
  const list = fleetOf(30_000);
  const text = JSON.stringify(list);
  const atOnce = () => longestStall(async () => JSON.parse(text).map((record: object) => ({ ...record })));

  it("a summary", async () => {
    const { locate, tools } = await liveFleet(() => list);
    await locate("truck 1");
    const inSlices = await longestStall(() => tools.call("summarize_fleet", { fuelBelow: 21 }));
    expect(inSlices, "see packages/tools/src/time-slices.ts").toBeLessThan(await atOnce());
  });

  it("a search for what all vehicles are called, and for what none is", async () => {
    const { locate } = await liveFleet(() => list, { FLEET_SNAPSHOT_SECONDS: "999" });
    await locate("truck 1");
    const control = await usualStall(atOnce);
    for (const query of ["truck", "truck 99999999"])
      expect(await usualStall(() => locate(query)), "see packages/tools/src/names/resolve-name.ts").toBeLessThan(control);
  });

  it.each([
    ["a value that none has", "name=trukc", "see packages/tools/src/rows/row-conditions.ts"],
    ["a value in any field", "unheard", "see packages/tools/src/rows/field-texts.ts"],
  ])("a condition on %s", async (_, where, file) => {
    const { tools } = await liveFleet(() => list, { FLEET_SNAPSHOT_SECONDS: "999" });
    const listed = () => tools.call("list_live_positions", { where });
    await listed();
    expect(await usualStall(listed), file).toBeLessThan(await usualStall(atOnce));
  });
});
