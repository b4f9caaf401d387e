import { describe, expect, it } from "vitest";
import type { FleetTools, FleetToolsConfig } from "../../src/index.ts";
import { JOB, type Processes, recordOf, servedProcesses } from "./served-writes.ts";

const UNCONFIRMED = { confirm: "never" } as const;
const SENT_NOTHING = /this call sent nothing, but another server may have sent it.*list_jobs/s;

type Other = Processes & { other: FleetTools };
type Call = (tools: FleetTools, processes: Other) => ReturnType<FleetTools["call"]>;
type Point = { name: string; isFirst: boolean; isLast: boolean };

const createJob: Call = (tools) => tools.call("create_job", JOB);
const updateGroup: Call = (tools) => tools.call("update_group", { id: "north", name: "N" });

interface Paused {
  config?: Partial<FleetToolsConfig>;
  call?: Call;
  meanwhile?: (processes: Other) => unknown;
  check: (point: Point, result: Awaited<ReturnType<Call>>, processes: Other) => unknown;
}

/** Pauses a process at each point before it sends a write, for longer than it holds the write; meanwhile another calls the same unless said otherwise. */
async function pausedEverywhere({ config = UNCONFIRMED, call = createJob, meanwhile = (all) => call(all.other, all), check }: Paused) {
  const run = async (at: (point: string, processes: Other) => unknown) => {
    const served = await servedProcesses(config);
    const processes = { ...served, other: served.process().tools };
    const { tools } = served.process({}, async (point) => void (await at(point, processes)));
    return { result: await call(tools, processes), processes };
  };
  const points: string[] = [];
  await run((point, { sent }) => sent().length === 0 && points.push(point));
  expect(points.length).toBeGreaterThan(4);
  for (const [index, name] of points.entries()) {
    const { result, processes } = await run(async (point, paused) => {
      if (point !== name) return;
      paused.shared.endHolds();
      await meanwhile(paused);
    });
    await check({ name, isFirst: index === 0, isLast: index === points.length - 1 }, result, processes);
  }
}

describe("a process that is paused anywhere for longer than it holds a write", () => {
  it("creates no second job without confirmations", () =>
    pausedEverywhere({
      check: ({ name, isFirst, isLast }, result, { created, sent }) => {
        // Before it takes the write, its call gets the outcome of the other. After the last reply, only the job number prevents a second job.
        expect(created, name).toHaveLength(1);
        if (isFirst || isLast) return;
        expect(sent(), name).toHaveLength(1);
        expect(recordOf(result).error.code, name).toBe("unknownOutcome");
        expect(result.text, name).toMatch(SENT_NOTHING);
      },
    }));

  it("creates no second job if its server knows that it was paused since it received the call", async () => {
    let wasPaused = false;
    await pausedEverywhere({
      call: (tools) => tools.call("create_job", JOB, { wasPaused: () => wasPaused }),
      meanwhile: async ({ other }) => {
        wasPaused = true;
        await other.call("create_job", JOB);
      },
      check: ({ name, isFirst }, { text }, { created }) => {
        wasPaused = false;
        expect(created, name).toHaveLength(1);
        if (isFirst) expect(text, name).toMatch(SENT_NOTHING);
      },
    });
  });

  it("creates no second job with a confirmation", async () => {
    let confirmed = {};
    await pausedEverywhere({
      config: {},
      call: async (tools, { confirmation, other }) => {
        confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB, other) };
        return tools.call("create_job", confirmed);
      },
      meanwhile: ({ other }) => other.call("create_job", confirmed),
      check: ({ name }, _, { created }) => expect(created, name).toHaveLength(1),
    });
  });

  it("sends no second update", () =>
    pausedEverywhere({
      call: updateGroup,
      check: ({ name, isFirst, isLast }, { text }, { sent }) => {
        if (isFirst || isLast) return;
        expect(sent(), name).toHaveLength(1);
        expect(text, name).toMatch(/this call sent nothing.*Call again with the same arguments/s);
      },
    }));

  it("sends nothing if the store was emptied meanwhile", () =>
    pausedEverywhere({
      meanwhile: ({ shared }) => shared.clear(),
      check: async ({ name, isFirst, isLast }, result, { sent, other }) => {
        if (isFirst || isLast) return;
        expect(sent(), name).toEqual([]);
        expect(recordOf(result).error.code, name).toBe("unknownOutcome");
        expect((await other.call("create_job", JOB)).ok, name).toBe(true);
      },
    }));

  it("leaves what it has recorded to the process that finishes it", () =>
    pausedEverywhere({
      meanwhile: () => {},
      check: async ({ name }, first, { created, other, sent, shared }) => {
        shared.endHolds();
        if (first.ok) return;
        const { jobNumber } = recordOf(first).error;
        const second = recordOf(await other.call("create_job", JOB));
        if (jobNumber) expect(second.job.jobNumber, name).toBe(jobNumber);
        expect([created.length, sent().length], name).toEqual([1, 1]);
      },
    }));

  it("does not send after it has waited for the service, and a job is looked up by its number", async () => {
    const { process, created, shared } = await servedProcesses(UNCONFIRMED);
    let attempts = 0;
    const refusing: typeof fetch = async (url, init) => {
      if (!String(url).endsWith("/job/create") || ++attempts > 1) return fetch(url, init);
      shared.endHolds();
      await process().tools.call("create_job", JOB);
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
    };
    const { error } = recordOf(await process({}, undefined, { retries: 1, fetch: refusing }).tools.call("create_job", JOB));
    expect([attempts, error.code, created]).toEqual([1, "unknownOutcome", [error.jobNumber]]);
  });
});
