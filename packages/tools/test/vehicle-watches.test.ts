import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it, vi } from "vitest";
import { servedFleet } from "./served-fleet.ts";

const OPEN = "see packages/tools/src/fleet/live-view.ts";

const truck = (more: LivePosition = {}): LivePosition => ({ assetId: "v1", assetName: "Truck 1", city: "Lyon", speed: 50, ...more });
/** Its change shows that the fleet has been looked at again. */
const marker = (speed: number): LivePosition => ({ assetId: "v2", assetName: "Van 2", speed });

/** Tools for a service whose list can be changed, with a view that is refreshed every few milliseconds. */
async function watched(first: LivePosition[], config: object = {}) {
  let list: LivePosition[] | undefined = [...first, marker(0)];
  let looks = 0;
  const { tools, service } = await servedFleet({
    script: { listLivePositions: () => (list ? { body: list } : { status: 503 }) },
    config: { snapshotSeconds: 0.02, ...config },
    options: { now: Date.now },
  });
  const ending = new AbortController();
  const changes: string[] = [];
  const watch = (query: string, signal: AbortSignal = ending.signal) => tools.watchVehicle(query, () => changes.push(query), { signal });
  return {
    tools,
    changes,
    watch,
    end: () => ending.abort(),
    requests: () => service.received.length,
    fail: () => {
      list = undefined;
    },
    /** Changes the list, and waits until it has been noticed. */
    become: async (...next: LivePosition[]) => {
      const before = changes.filter((query) => query === "v2").length;
      list = [...next, marker(++looks)];
      await vi.waitFor(() => expect(changes.filter((query) => query === "v2").length).toBeGreaterThan(before), 5_000);
    },
  };
}

const ofTruck = (changes: string[]) => changes.filter((query) => query !== "v2").length;

const lost = truck({ latitude: 0, longitude: 0, fuelLevelPercentage: 255 });
const secret = { privacy: true, city: "Paris", speed: 80, heading: 90, latitude: 1, longitude: 2, locationName: "Home" };

describe("watchVehicle reports", () => {
  const hidden = truck({ privacy: true });
  it.each<[what: string, first: LivePosition, next: LivePosition[], changes: number, last?: LivePosition | undefined, config?: object]>([
    ["a move", truck(), [truck({ city: "Paris" })], 1],
    ["a new report from the same place", truck(), [truck({ date: "2026-11-20T08:33:00Z" })], 1],
    ["that the vehicle has left the fleet, and that it is back", truck(), [], 1, truck()],
    ["nothing if nothing changes", truck(), [truck()], 0],
    ["where a private journey goes if privacy is off", hidden, [truck(secret)], 1, undefined, { privacy: "off" }],
    ["nothing of a private journey, neither its places nor its speed", hidden, [truck(secret)], 0, truck({ city: "Paris" })],
    ["nothing while a vehicle without a possible position stays the same", lost, [lost], 0, { ...lost, latitude: -270 }],
  ])("%s", async (_, first, next, changes, last, config) => {
    const fleet = await watched([first], config);
    await fleet.watch("v2");
    expect(await fleet.watch("truck 1")).toMatchObject({ ok: true, structured: { result: "watching" } });
    await fleet.become(...next);
    expect(ofTruck(fleet.changes), OPEN).toBe(changes);
    if (last) await fleet.become(last);
    expect(ofTruck(fleet.changes), OPEN).toBe(last ? changes + 1 : changes);
    fleet.end();
  });

  it("nothing while the service fails, and changes afterwards", async () => {
    const fleet = await watched([truck()]);
    await fleet.watch("v2");
    await fleet.watch("truck 1");
    const before = fleet.requests();
    fleet.fail();
    await vi.waitFor(() => expect(fleet.requests()).toBeGreaterThan(before + 1), 5_000);
    expect(fleet.changes).toEqual([]);
    await fleet.become(truck({ city: "Paris" }));
    expect(ofTruck(fleet.changes)).toBe(1);
    fleet.end();
  });
});

describe("watchVehicle ends", () => {
  it("with its signal, after which nothing is read", async () => {
    const fleet = await watched([truck()]);
    await fleet.watch("v2");
    await fleet.watch("truck 1");
    await fleet.become(truck());
    fleet.end();
    // A few refreshes follow every question.
    const reads = async () => {
      const before = fleet.requests();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return fleet.requests() - before;
    };
    await expect.poll(reads, { timeout: 10_000, message: OPEN }).toBe(0);
    const noticed = fleet.changes.length;
    await fleet.tools.readVehicle("truck 1");
    expect(fleet.changes, OPEN).toHaveLength(noticed);
  });

  it("for one subscriber only", async () => {
    const fleet = await watched([truck()]);
    const [one, other] = [new AbortController(), new AbortController()];
    await fleet.watch("v2");
    await fleet.watch("truck 1", one.signal);
    await fleet.watch("v1", other.signal);
    one.abort();
    await fleet.become(truck({ city: "Paris" }));
    expect(fleet.changes).toContain("v1");
    expect(fleet.changes, OPEN).not.toContain("truck 1");
    other.abort();
    fleet.end();
  });
});

describe("watchVehicle refuses", () => {
  it("a name without a certain match", async () => {
    const fleet = await watched([truck(), truck({ assetId: "v3", assetName: "Truck 3" }), { assetName: "Nameless" }]);
    expect((await fleet.watch("truck")).structured).toMatchObject({ result: "ambiguous" });
    expect((await fleet.watch("submarine")).structured).toMatchObject({ result: "notFound" });
    expect((await fleet.watch("nameless")).text).toMatch(/has no id/);
    expect((await fleet.watch("truck 1", AbortSignal.abort())).ok).toBe(false);
    expect(await fleet.tools.watchVehicle("truck 1", () => {}, undefined as never)).toMatchObject({ ok: false });
  });

  it("more than 500 at a time, until one ends", async () => {
    const fleet = await watched([truck()], { snapshotSeconds: 60 });
    const last = new AbortController();
    await fleet.watch("v1", last.signal);
    for (let count = 1; count < 500; count++) await fleet.watch("v1", new AbortController().signal);
    expect((await fleet.watch("v1")).text, OPEN).toMatch(/rateLimited: 500 vehicles are being watched already/);
    last.abort();
    expect((await fleet.watch("v1")).ok, OPEN).toBe(true);
    fleet.end();
  });
});
