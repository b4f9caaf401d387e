import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fastClock } from "../../../core/test/fast-clock.ts";
import { NOW } from "../served-fleet.ts";
import { JOB, type Processes, recordOf, servedProcesses } from "./served-writes.ts";

const UNCONFIRMED = { confirm: "never" } as const;
const unsent = { ok: false, structured: { error: { code: "network", changed: "no" } } };

/** A process that dies once the service has created its job. */
function dying({ process }: Processes) {
  let created = () => {};
  const reached = new Promise<void>((resolve) => {
    created = resolve;
  });
  const dead: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!String(url).endsWith("/job/create")) return response;
    created();
    self.fail(new Error("dead"));
    return new Promise(() => {});
  };
  const self = process({ callTimeout: 30_000 }, undefined, { fetch: dead, timeout: 30_000 });
  return { tools: self.tools, reached };
}

/** Processes of which one has died after it sent a job, and its call. */
async function afterDeath(config: Parameters<typeof servedProcesses>[0] = {}, args: object = JOB) {
  const processes = await servedProcesses(config);
  const { tools } = processes.process();
  const call = config.confirm ? { ...args } : { ...args, confirmation: await processes.confirmation("create_job", JOB, tools) };
  const dead = dying(processes);
  void dead.tools.call("create_job", call);
  await dead.reached;
  processes.shared.endHolds();
  return { ...processes, again: () => tools.call("create_job", call) };
}

describe("writes of several processes", () => {
  let stopClock = () => {};
  beforeEach(() => {
    stopClock = fastClock(10);
  });

  it("accept a confirmation once, whichever process issued it, at the same time or later", async () => {
    const { process, created, confirmation, sent } = await servedProcesses();
    const all = [process().tools, process().tools, process().tools] as const;
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB, all[0]) };
    const results = await Promise.all(all.slice(1).map((tools) => tools.call("create_job", confirmed)));
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    for (const tools of all) {
      const again = await tools.call("create_job", confirmed);
      expect(again.text).toMatch(/the confirmation was already used|an earlier call with the same confirmation: nothing was sent/);
    }
    expect([created.length, sent().length]).toEqual([1, 1]);
  });

  it("are sent one after the other, for as long as the service takes", async () => {
    stopClock();
    fastClock(40);
    let [running, together] = [0, 0];
    const { process, sent } = await servedProcesses(UNCONFIRMED, {
      createJob: async () => {
        together = Math.max(together, ++running);
        if (sent().length === 1) await new Promise((resolve) => setTimeout(resolve, 7_000));
        running -= 1;
        return { body: { job: { jobId: "j1" } } };
      },
    });
    const results = await Promise.all([process(), process()].map(({ tools }) => tools.call("create_job", JOB)));
    expect([results.map(({ ok }) => ok), together, sent().length]).toEqual([[true, true], 1, 2]);
  });

  it.each<{ confirm?: "never" }>([{}, UNCONFIRMED])("finish what a process that died had begun, as one job: %j", async (config) => {
    const { again, created } = await afterDeath(config);
    const result = await again();
    expect(result.text).toContain("An earlier call with the same arguments was interrupted");
    expect([recordOf(result).job.jobNumber]).toEqual(created);
    // Its outcome is known now, so another call is another job.
    const next = await again();
    expect([next.text.includes("interrupted"), created.length]).toEqual([false, config.confirm ? 2 : 1]);
  });

  it("repeat a job that the caller has numbered, and infer the outcome if the store has lost everything as well", async () => {
    const numbered = await afterDeath(UNCONFIRMED, { ...JOB, jobNumber: "J-1" });
    expect((await numbered.again()).text).toContain("so it is not known whether the record was created");
    expect(numbered.created).toEqual(["J-1"]);
    const forgotten = await afterDeath();
    forgotten.shared.clear();
    expect((await forgotten.again()).ok).toBe(true);
    expect(forgotten.created).toHaveLength(1);
  });

  it("finish an interrupted write even if one of them could not plan it", async () => {
    const { again, service, created } = await afterDeath(UNCONFIRMED);
    const truck = { assetId: "v12", assetName: "Truck 12" };
    service.script.listLivePositions = () => ({ body: [truck, { ...truck, assetId: "v13" }] });
    expect((await again()).structured).toHaveProperty("candidates");
    service.script.listLivePositions = () => ({ body: [truck] });
    expect((await again()).text).toContain("An earlier call with the same arguments was interrupted");
    expect(created).toHaveLength(1);
  });

  it.each([new Error("redis://:secret@10.0.0.1 is down"), "hangs"] as const)(
    "are refused while the store fails (%#), and reads go on",
    async (problem) => {
      const { process, created, confirmation } = await servedProcesses();
      const { tools, fail } = process();
      const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB, tools) };
      fail(problem);
      const refused = await tools.call("create_job", confirmed);
      expect(refused).toMatchObject({ ...unsent, text: expect.stringMatching(/^(?!.*secret).*nothing was sent/) });
      expect((await tools.call("locate_vehicle", { query: "truck 12" })).ok).toBe(true);
      fail(undefined);
      expect((await tools.call("create_job", confirmed)).ok).toBe(true);
      expect(created).toHaveLength(1);
    },
  );

  it("wait for the store for three seconds in all, before anything is sent", async () => {
    const { process, sent } = await servedProcesses(UNCONFIRMED);
    const { tools, slow } = process();
    await tools.call("locate_vehicle", { query: "truck 12" });
    slow(900);
    const startedAt = performance.now();
    expect(await tools.call("create_job", JOB)).toMatchObject(unsent);
    const waited = performance.now() - startedAt;
    expect(waited).toBeGreaterThan(2_500);
    expect(waited).toBeLessThan(3_900);
    expect(sent()).toEqual([]);
    slow(400);
    // What the refused call took is given back, or ends.
    await expect.poll(async () => (await tools.call("create_job", JOB)).ok, { timeout: 10_000 }).toBe(true);
    expect(sent()).toHaveLength(1);
  });

  it("that were refused because the store was slow leave their confirmation valid, even if it was marked late", async () => {
    const { process, shared, created, confirmation } = await servedProcesses();
    const { tools, slow } = process();
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB, tools) };
    // Enough for all commands but the last ones.
    slow(650);
    expect(await tools.call("create_job", confirmed)).toMatchObject(unsent);
    slow(0);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    shared.endHolds();
    expect((await tools.call("create_job", confirmed)).ok).toBe(true);
    expect(created).toHaveLength(1);
  });

  it("store neither arguments nor guessable keys, and nothing once the outcome was returned again", async () => {
    const { shared, process } = await afterDeath(UNCONFIRMED);
    for (const text of ["create_job", "c42", ...Object.values(JOB)]) expect(shared.text()).not.toContain(text);
    shared.clear();
    const { tools } = process();
    await tools.call("create_job", JOB);
    await expect.poll(() => JSON.parse(shared.text()).length).toBe(1);
    expect((await tools.call("create_job", JOB)).text).toContain("an identical earlier call");
    await expect.poll(() => shared.text()).toBe("[]");
  });

  it("may have been sent by another process if the store fails after the hold has ended", async () => {
    stopClock();
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { process, sent } = await servedProcesses(UNCONFIRMED);
    for (const [ms, code] of [
      [5_900, "network"],
      [6_000, "unknownOutcome"],
    ] as const) {
      const { tools } = process({ callTimeout: 60_000 }, async (point) => {
        if (!point.startsWith("before extend")) return;
        vi.advanceTimersByTime(ms);
        throw new Error("down");
      });
      expect(recordOf(await tools.call("create_job", { ...JOB, notes: code })).error.code).toBe(code);
    }
    expect(sent()).toEqual([]);
  });

  it("know of a confirmation that expired whether it was used, whichever issued it", async () => {
    const { process, confirmation, sent } = await servedProcesses();
    const [issuer, late] = [process().tools, process({ now: () => NOW + 10 * 60_000 + 1 }).tools];
    for (const [sends, expected] of [
      [false, "older than 10 minutes. This call sent nothing. Next: Call again"],
      [true, "already used"],
    ] as const) {
      const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB, issuer) };
      if (sends) await issuer.call("create_job", confirmed);
      expect((await late.call("create_job", confirmed)).text).toContain(expected);
    }
    expect(sent()).toHaveLength(1);
  });

  it("need a key that all processes have", async () => {
    const { process } = await servedProcesses();
    expect(() => process({}, undefined, { sealKey: undefined })).toThrow(/a write store needs a sealKey/);
  });
});
