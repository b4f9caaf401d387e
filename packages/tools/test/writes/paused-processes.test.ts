import { createFleetClient } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { FleetTools, FleetToolsConfig, FleetToolsOptions } from "../../src/index.ts";
import { CALLS, fleetUnderTest, JOB } from "../fleet-under-test.ts";
import { memoryStore } from "../memory-store.ts";
import { recordOf, SEAL_KEY } from "./served-writes.ts";

const CONFIRMED = { sealKey: SEAL_KEY };
const UNCONFIRMED = { sealKey: SEAL_KEY, confirm: "never" as const };
const { update_group: GROUP = {} } = CALLS;

/** A process that `pause` may stop before and after each command to the store, and another. */
async function twoProcesses(config: Partial<FleetToolsConfig>, pause: (point: string) => unknown) {
  const shared = memoryStore();
  const fleet = await fleetUnderTest({ config });
  const before = (await fleet.jobs()).length;
  const other = fleet.another({}, { writeStore: shared.connect().store });
  const at = async (point: string) => void (await pause(point));
  const process = (options: FleetToolsOptions = {}) => fleet.another({}, { writeStore: shared.connect(at).store, ...options });
  return { fleet, shared, other, process, created: async () => (await fleet.jobs()).length - before };
}

type Processes = Awaited<ReturnType<typeof twoProcesses>>;
type Call = (tools: FleetTools, processes: Processes) => ReturnType<FleetTools["call"]>;

/** The points before a process sends a write, and, for each, the processes after it was paused there for longer than it holds the write. */
async function pausedEverywhere(
  config: Partial<FleetToolsConfig>,
  call: Call,
  meanwhile: (processes: Processes) => unknown,
  check: (
    point: { name: string; isFirst: boolean; isLast: boolean },
    result: Awaited<ReturnType<Call>>,
    processes: Processes,
  ) => Promise<void>,
) {
  const points: string[] = [];
  const unpaused = await twoProcesses(config, (point) => unpaused.fleet.writes().length === 0 && points.push(point));
  await call(unpaused.process(), unpaused);
  expect(points.length).toBeGreaterThan(4);
  for (const [index, name] of points.entries()) {
    const processes = await twoProcesses(config, async (point) => {
      if (point !== name) return;
      processes.shared.endHolds();
      await meanwhile(processes);
    });
    const result = await call(processes.process(), processes);
    await check({ name, isFirst: index === 0, isLast: index === points.length - 1 }, result, processes);
  }
}

const createJob: Call = (tools) => tools.call("create_job", JOB);

describe("a process that is paused anywhere for longer than it holds a write", () => {
  it("creates no second job without confirmations", async () => {
    await pausedEverywhere(
      UNCONFIRMED,
      createJob,
      ({ other }) => other.call("create_job", JOB),
      async ({ name, isFirst, isLast }, result, { created, fleet }) => {
        // Before it takes the write, its call is another call, as within one process. After the last reply, only the job number prevents a second job.
        expect(await created(), name).toBe(isFirst ? 2 : 1);
        if (isFirst || isLast) return;
        expect(fleet.writes(), name).toEqual(["POST 200"]);
        expect(result, name).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
        expect(result.text, name).toMatch(/this call sent nothing, but another server may have sent it.*list_jobs/s);
      },
    );
  });

  it("creates no second job if its server knows that it was paused since it received the call", async () => {
    let wasPaused = false;
    await pausedEverywhere(
      UNCONFIRMED,
      (tools) => tools.call("create_job", JOB, { wasPaused: () => wasPaused }),
      async ({ other }) => {
        wasPaused = true;
        await other.call("create_job", JOB);
      },
      async ({ name, isFirst }, result, { created }) => {
        wasPaused = false;
        expect(await created(), name).toBe(1);
        if (!isFirst) return;
        expect(result, name).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
        expect(result.text, name).toMatch(/this call sent nothing, but another server may have sent it.*list_jobs/s);
      },
    );
  });

  it("creates no second job with a confirmation", async () => {
    let confirmed = {};
    await pausedEverywhere(
      CONFIRMED,
      async (tools, { other }) => {
        confirmed = { ...JOB, confirmation: recordOf(await other.call("create_job", JOB)).confirmation };
        return tools.call("create_job", confirmed);
      },
      ({ other }) => other.call("create_job", confirmed),
      async ({ name }, _, { created }) => expect(await created(), name).toBe(1),
    );
  });

  it("sends no second update", async () => {
    await pausedEverywhere(
      UNCONFIRMED,
      (tools) => tools.call("update_group", GROUP),
      ({ other }) => other.call("update_group", GROUP),
      async ({ name, isFirst, isLast }, { text }, { fleet }) => {
        if (isFirst || isLast) return;
        expect(fleet.writes(), name).toEqual(["PUT 200"]);
        expect(text, name).toMatch(/this call sent nothing.*Call again with the same arguments/s);
      },
    );
  });

  it("sends nothing if the store was emptied meanwhile", async () => {
    await pausedEverywhere(
      UNCONFIRMED,
      createJob,
      ({ shared }) => shared.clear(),
      async ({ name, isFirst, isLast }, result, { fleet, other }) => {
        if (isFirst || isLast) return;
        expect(fleet.writes(), name).toEqual([]);
        expect(result, name).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
        expect((await other.call("create_job", JOB)).ok, name).toBe(true);
      },
    );
  });

  it("leaves what it has recorded to the process that finishes it", async () => {
    await pausedEverywhere(
      UNCONFIRMED,
      createJob,
      () => {},
      async ({ name }, first, { created, other, fleet, shared }) => {
        shared.endHolds();
        if (first.ok) return;
        const { jobNumber } = recordOf(first).error;
        const second = recordOf(await other.call("create_job", JOB));
        if (jobNumber) expect(second.job.jobNumber, name).toBe(jobNumber);
        expect([await created(), fleet.writes()], name).toEqual([1, ["POST 200"]]);
      },
    );
  });

  it("does not send after it has waited for the service, and a job is looked up by its number", async () => {
    const { process, created, shared, other, fleet } = await twoProcesses(UNCONFIRMED, () => {});
    let attempts = 0;
    const client = createFleetClient({
      ...fleet.settings,
      retries: 1,
      fetch: async (url, init) => {
        if (!String(url).endsWith("/job/create")) return fetch(url, init);
        attempts += 1;
        if (attempts > 1) return fetch(url, init);
        shared.endHolds();
        await other.call("create_job", JOB);
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
      },
    });
    const result = await process({ fleet: client }).call("create_job", JOB);
    expect([attempts, await created()]).toEqual([1, 1]);
    expect(recordOf(result).error.code).toBe("unknownOutcome");
    expect(await fleet.jobs()).toContain(recordOf(result).error.jobNumber);
  });
});
