import { createFleetClient, type FleetError } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { FleetTools, FleetToolsConfig, FleetToolsOptions } from "../src/index.ts";
import { CALLS, fleetUnderTest, JOB } from "./fleet-under-test.ts";
import { memoryStore } from "./memory-store.ts";

const CONFIRMED = { sealKey: btoa("k".repeat(32)) };
const UNCONFIRMED = { ...CONFIRMED, confirm: "never" as const };
const { update_group: GROUP = {} } = CALLS;

/** A process that is paused at a point until another has done the same, and that one. */
async function pausedAt(point: string, config: Partial<FleetToolsConfig>, meanwhile: (other: FleetTools) => Promise<unknown>) {
  const shared = memoryStore();
  const fleet = await fleetUnderTest({ config });
  const before = (await fleet.jobs()).length;
  const other = fleet.another({}, { writeStore: shared.connect().store });
  let wasPaused = false;
  const pause = async (at: string) => {
    if (at !== point) return;
    wasPaused = true;
    shared.endHolds();
    await meanwhile(other);
  };
  const process = (options: FleetToolsOptions = {}) => fleet.another({}, { writeStore: shared.connect(pause).store, ...options });
  return {
    fleet,
    shared,
    other,
    pause,
    process,
    wasPaused: () => wasPaused,
    created: async () => (await fleet.jobs()).length - before,
  };
}

/** What a process asks the store before it sends a write without a confirmation. */
const COMMANDS = ["add 1", "get 2", "extend 3", "add 4", "extend 5"];
const UNCONFIRMED_POINTS = COMMANDS.flatMap((command) => [`before ${command}`, `after ${command}`]);
const CONFIRMED_POINTS = [...COMMANDS.slice(0, 4), "add 5", "extend 6"].flatMap((command) => [`before ${command}`, `after ${command}`]);

/** Points from which a process that wakes up must find out that the write is no longer its own; after the last reply, nothing can stop it. */
const isBeforeCheck = (points: string[]) => (point: string) => points.indexOf(point) > 0 && points.indexOf(point) < points.length - 1;

describe("a process that is paused for longer than it holds a write", () => {
  it.each(UNCONFIRMED_POINTS)("creates no second job without confirmations, paused %s", async (point) => {
    const { process, created, wasPaused, fleet } = await pausedAt(point, UNCONFIRMED, (other) => other.call("create_job", JOB));
    const result = await process().call("create_job", JOB);
    expect(wasPaused()).toBe(true);
    const isOwn = point === "before add 1";
    // Before it takes the write, a process's call is another call, as within one process.
    expect(await created()).toBe(isOwn ? 2 : 1);
    if (isBeforeCheck(UNCONFIRMED_POINTS)(point)) {
      expect(fleet.writes()).toEqual(["POST 200"]);
      expect(result).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
      expect(result.text).toMatch(/this call sent nothing, but another server may have sent it.*list_jobs/s);
    }
  });

  it.each(CONFIRMED_POINTS)("creates no second job with a confirmation, paused %s", async (point) => {
    let confirmed = {};
    const { process, created, wasPaused, other } = await pausedAt(point, CONFIRMED, (other) => other.call("create_job", confirmed));
    confirmed = { ...JOB, confirmation: ((await other.call("create_job", JOB)).structured as { confirmation: string }).confirmation };
    await process().call("create_job", confirmed);
    expect(wasPaused()).toBe(true);
    expect(await created()).toBe(1);
  });

  it.each(UNCONFIRMED_POINTS.slice(1, -1))("sends no second update, paused %s", async (point) => {
    const { process, fleet, wasPaused } = await pausedAt(point, UNCONFIRMED, (other) => other.call("update_group", GROUP));
    const result = await process().call("update_group", GROUP);
    expect(wasPaused()).toBe(true);
    expect(fleet.writes()).toEqual(["PUT 200"]);
    expect(result.text).toMatch(/this call sent nothing.*Call again with the same arguments/s);
  });

  it("does not send after it has waited for the service, and a job is looked up by its number", async () => {
    const { process, created, pause, fleet } = await pausedAt("connected", UNCONFIRMED, (other) => other.call("create_job", JOB));
    let attempts = 0;
    const client = createFleetClient({
      ...fleet.settings,
      retries: 1,
      fetch: async (url, init) => {
        if (!String(url).endsWith("/job/create")) return fetch(url, init);
        attempts += 1;
        if (attempts > 1) return fetch(url, init);
        await pause("connected");
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
      },
    });
    const result = await process({ fleet: client }).call("create_job", JOB);
    expect([attempts, await created()]).toEqual([1, 1]);
    expect(result).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
    const { jobNumber } = (result.structured as unknown as { error: FleetError }).error;
    expect(await fleet.jobs()).toContain(jobNumber);
  });

  it.each(UNCONFIRMED_POINTS.slice(1, -1))("sends nothing if the store was emptied %s", async (point) => {
    const { process, shared, fleet, other } = await pausedAt(point, UNCONFIRMED, async () => shared.clear());
    const result = await process().call("create_job", JOB);
    expect(fleet.writes()).toEqual([]);
    expect(result).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
    expect(await other.call("create_job", JOB)).toMatchObject({ ok: true });
  });

  it("leaves what it has recorded to the process that finishes it", async () => {
    const { process, created, fleet, shared } = await pausedAt("before extend 5", UNCONFIRMED, async () => {});
    const first = await process().call("create_job", JOB);
    expect(first).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
    const { jobNumber } = (first.structured as unknown as { error: FleetError }).error;
    shared.endHolds();
    const second = await process().call("create_job", JOB);
    expect(second.structured).toMatchObject({ job: { jobNumber } });
    expect(await created()).toBe(1);
    expect(fleet.writes()).toEqual(["POST 200"]);
  });
});
