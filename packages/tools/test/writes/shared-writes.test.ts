import { createFleetClient } from "@fleetwire/core";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fastClock } from "../../../core/test/fast-clock.ts";
import type { FleetTools, FleetToolsOptions } from "../../src/index.ts";
import { fleetUnderTest, JOB } from "../fleet-under-test.ts";
import { memoryStore } from "../memory-store.ts";
import { recordOf, SEAL_KEY } from "./served-writes.ts";

/** A hold ends after 0.6 s. */
const FASTER = 10;

async function processesUnderTest(config: { confirm?: "never" } = {}) {
  const shared = memoryStore(1);
  const fleet = await fleetUnderTest({ config: { sealKey: SEAL_KEY, ...config } });
  const before = (await fleet.jobs()).length;
  const process = (options: FleetToolsOptions = {}, at?: (point: string) => Promise<void>) => {
    const { store, ...connection } = shared.connect(at);
    return { tools: fleet.another({}, { writeStore: store, ...options }), ...connection };
  };
  return {
    shared,
    process,
    /** A process that gets the response about a job only after a while, or dies first. */
    slow: (end: "dies" | "lives") => {
      let created = () => {};
      const reached = new Promise<void>((resolve) => {
        created = resolve;
      });
      const client = createFleetClient({
        ...fleet.settings,
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (!String(url).endsWith("/job/create")) return response;
          created();
          // Longer than a write is held unless the hold is extended.
          if (end === "lives") return new Promise((resolve) => setTimeout(resolve, 7_500, response));
          self.fail(new Error("dead"));
          return new Promise(() => {});
        },
      });
      const self = process({ fleet: client, callTimeout: 30_000 });
      return { tools: self.tools, reached };
    },
    fleet,
    created: async () => (await fleet.jobs()).length - before,
  };
}

const preview = async (tools: FleetTools) => recordOf(await tools.call("create_job", JOB)).confirmation as string;

describe("writes of several processes", () => {
  let stopClock = () => {};
  beforeEach(() => {
    stopClock = fastClock(FASTER);
  });

  it("accept a confirmation once, whichever process issued it", async () => {
    const { process, created } = await processesUnderTest();
    const [first, second, third] = [process(), process(), process()];
    const confirmed = { ...JOB, confirmation: await preview(first.tools) };
    expect(await second.tools.call("create_job", confirmed)).toMatchObject({ ok: true, structured: { job: {} } });
    for (const { tools } of [first, second, third]) {
      const again = await tools.call("create_job", confirmed);
      expect([again.ok, again.text]).toEqual([false, expect.stringContaining("the confirmation was already used")]);
    }
    expect(await created()).toBe(1);
  });

  it("create one job for a confirmation that two of them get at the same time", async () => {
    const { process, created, fleet } = await processesUnderTest();
    const [first, second] = [process(), process()];
    const confirmed = { ...JOB, confirmation: await preview(first.tools) };
    const results = await Promise.all([first, second].map(({ tools }) => tools.call("create_job", confirmed)));
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(fleet.writes()).toEqual(["POST 200"]);
    expect(await created()).toBe(1);
  });

  it("wait for one that still sends the same write", async () => {
    const { process, slow, fleet } = await processesUnderTest();
    const [sender, other] = [slow("lives"), process()];
    const confirmed = { ...JOB, confirmation: await preview(other.tools) };
    const sending = sender.tools.call("create_job", confirmed);
    await sender.reached;
    expect(await other.tools.call("create_job", confirmed)).toMatchObject({ ok: false, text: expect.stringContaining("already used") });
    expect(await sending).toMatchObject({ ok: true });
    expect(fleet.writes()).toEqual(["POST 200"]);
  });

  it.each(["auto", "never"] as const)("finish what a process that died had begun, as one job, with FLEET_CONFIRM=%s", async (confirm) => {
    const { process, slow, created, fleet } = await processesUnderTest(confirm === "never" ? { confirm } : {});
    const [dead, other] = [slow("dies"), process()];
    const call = confirm === "never" ? JOB : { ...JOB, confirmation: await preview(other.tools) };
    void dead.tools.call("create_job", call);
    await dead.reached;
    const result = await other.tools.call("create_job", call);
    expect(result).toMatchObject({ ok: true, structured: { job: {} } });
    expect(result.text).toContain("An earlier call with the same arguments was interrupted");
    expect(await fleet.jobs()).toContain(recordOf(result).job.jobNumber);
    expect(await created()).toBe(1);
    if (confirm === "never") {
      // Its outcome is known now, so another call is another job.
      expect((await other.tools.call("create_job", JOB)).text).not.toContain("interrupted");
      expect(await created()).toBe(2);
    }
  });

  it("repeat a job that the caller has numbered, with that number", async () => {
    const { process, slow, created, fleet } = await processesUnderTest({ confirm: "never" });
    const [dead, other] = [slow("dies"), process()];
    const numbered = { ...JOB, jobNumber: "J-1" };
    void dead.tools.call("create_job", numbered);
    await dead.reached;
    const { text } = await other.tools.call("create_job", numbered);
    expect(text).toContain("so it is not known whether the record was created");
    expect(await fleet.jobs()).toContain("J-1");
    expect(await created()).toBe(1);
  });

  it("infer the outcome if the store has lost everything as well", async () => {
    const { shared, process, slow, created } = await processesUnderTest();
    const [dead, other] = [slow("dies"), process()];
    const confirmed = { ...JOB, confirmation: await preview(other.tools) };
    void dead.tools.call("create_job", confirmed);
    await dead.reached;
    shared.clear();
    expect(await other.tools.call("create_job", confirmed)).toMatchObject({ ok: true });
    expect(await created()).toBe(1);
  });

  it.each([new Error("redis://:secret@10.0.0.1 is down"), "hangs"] as const)(
    "are refused while the store fails (%#), and reads go on",
    async (problem) => {
      const { process, created } = await processesUnderTest();
      const { tools, fail } = process();
      const confirmed = { ...JOB, confirmation: await preview(tools) };
      fail(problem);
      const refused = await tools.call("create_job", confirmed);
      expect(refused).toMatchObject({ ok: false, structured: { error: { code: "network", changed: "no" } } });
      expect(refused.text).toContain("nothing was sent");
      expect(refused.text).not.toContain("secret");
      expect((await tools.call("locate_vehicle", { query: "truck 12" })).ok).toBe(true);
      fail(undefined);
      expect(await tools.call("create_job", confirmed)).toMatchObject({ ok: true });
      expect(await created()).toBe(1);
    },
  );

  it("wait for the store for three seconds in all, before anything is sent", async () => {
    const { process, fleet } = await processesUnderTest({ confirm: "never" });
    const { tools, slow } = process();
    await tools.call("locate_vehicle", { query: "truck 12" });
    slow(900);
    const startedAt = performance.now();
    expect(await tools.call("create_job", JOB)).toMatchObject({ ok: false, structured: { error: { code: "network", changed: "no" } } });
    const waited = performance.now() - startedAt;
    expect(waited).toBeGreaterThan(2_500);
    expect(waited).toBeLessThan(3_900);
    expect(fleet.writes()).toEqual([]);
    slow(400);
    // What the refused call took is given back, or ends.
    await expect.poll(async () => (await tools.call("create_job", JOB)).ok, { timeout: 10_000 }).toBe(true);
    expect(fleet.writes()).toEqual(["POST 200"]);
  });

  it("that were refused because the store was slow leave their confirmation valid, even if it was marked late", async () => {
    const { process, created } = await processesUnderTest();
    const { tools, slow } = process();
    const confirmed = { ...JOB, confirmation: await preview(tools) };
    // Enough for all commands but the last ones.
    slow(650);
    expect(await tools.call("create_job", confirmed)).toMatchObject({
      ok: false,
      structured: { error: { code: "network", changed: "no" } },
    });
    slow(0);
    await new Promise((resolve) => setTimeout(resolve, 7_500));
    expect(await tools.call("create_job", confirmed)).toMatchObject({ ok: true });
    expect(await created()).toBe(1);
  });

  it("store neither arguments nor guessable keys, and nothing once the caller has the result", async () => {
    const { shared, process, slow, fleet } = await processesUnderTest({ confirm: "never" });
    const dead = slow("dies");
    void dead.tools.call("create_job", JOB);
    await dead.reached;
    for (const text of ["create_job", fleet.settings.customerId, ...Object.values(JOB)]) expect(shared.text()).not.toContain(text);
    shared.clear();
    const { tools } = process();
    await tools.call("create_job", JOB, { delivered: async () => false });
    await expect.poll(() => JSON.parse(shared.text()).length).toBe(1);
    expect((await tools.call("create_job", JOB)).text).toContain("an identical earlier call");
    await expect.poll(() => shared.text()).toBe("[]");
  });

  it("may have been sent by another process if the store fails after the hold has ended", async () => {
    stopClock();
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { process, fleet } = await processesUnderTest({ confirm: "never" });
    for (const [ms, code] of [
      [5_900, "network"],
      [6_000, "unknownOutcome"],
    ] as const) {
      const slow = process({ callTimeout: 60_000 }, async (point) => {
        if (!point.startsWith("before extend")) return;
        vi.advanceTimersByTime(ms);
        throw new Error("down");
      });
      expect(recordOf(await slow.tools.call("create_job", { ...JOB, notes: code })).error.code).toBe(code);
    }
    expect(fleet.writes()).toEqual([]);
  });

  it("need a key that all processes have", async () => {
    const { fleet, shared } = await processesUnderTest();
    expect(() => fleet.another({ sealKey: undefined }, { writeStore: shared.connect().store })).toThrow(/a write store needs a sealKey/);
  });
});
