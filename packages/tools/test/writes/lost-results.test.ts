import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ExecuteOptions } from "../../src/index.ts";
import type { Reply } from "../fleet-service.ts";
import { JOB, recordOf, servedWrites, WRITES } from "./served-writes.ts";

const EARLIER = "the outcome of an identical earlier call: nothing was sent this time.";
const CREATED: Reply = { body: { job: { jobId: "j1" } } };
const approved = true;
const delay = <Value>(milliseconds: number, value?: Value) => new Promise<Value>((resolve) => setTimeout(resolve, milliseconds, value));

/** A service whose creations wait until the test responds to them, in order. */
async function waiting() {
  const open: ((reply: Reply) => void)[] = [];
  const fleet = await servedWrites({ script: { createJob: () => new Promise((resolve) => void open.push(resolve)) } });
  const sending = () => vi.waitUntil(() => open.length > 0, { timeout: 5_000, interval: 5 });
  const respond = async (reply: Reply = CREATED) => {
    await sending();
    open.shift()?.(reply);
  };
  return { ...fleet, respond, sending };
}

describe("the result of a write is kept for the same call", () => {
  it.each<[string, Reply, boolean]>([
    ["it succeeded", CREATED, true],
    ["it changed nothing", { status: 400, body: [] }, false],
    ["it may have changed something", "reset", true],
  ])("%s: %s", async (_, reply, isKept) => {
    const replies = [reply];
    const { create, sent } = await servedWrites({
      script: { createJob: () => replies.shift() ?? CREATED },
      env: { FLEET_JOB_NUMBERS: "service" },
    });
    const first = await create();
    expect(first.text).not.toContain("earlier call");
    const second = await create();
    expect([second.text.includes(EARLIER), sent().length]).toEqual([isKept, isKept ? 1 : 2]);
    if (isKept) expect(second.ok).toBe(first.ok);
    if (!isKept) return;
    // It is returned once: whoever calls again wants another.
    expect((await create()).text).not.toContain(EARLIER);
    expect(sent()).toHaveLength(2);
  });

  it("for ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { create, sent } = await servedWrites();
    for (const [later, isKept] of [
      [10 * 60_000, true],
      [0, false],
      [10 * 60_000 + 1, false],
    ] as const) {
      if (sent().length === 0) await create();
      vi.advanceTimersByTime(later);
      expect((await create()).text.includes(`${EARLIER} To repeat it, call again.`)).toBe(isKept);
    }
    expect(sent()).toHaveLength(3);
  });

  it.each(WRITES)("each time, if the confirmation is the same: %s", async (tool, args) => {
    const { tools, confirmation, sent } = await servedWrites();
    const confirmed = { ...args, confirmation: await confirmation(tool, args) };
    const first = await tools.call(tool, confirmed);
    expect([first.ok, first.text.includes("earlier call")]).toEqual([true, false]);
    for (const _ of ["once", "twice"]) {
      const again = await tools.call(tool, confirmed);
      expect([again.ok, again.text]).toEqual([
        true,
        expect.stringContaining("an earlier call with the same confirmation: nothing was sent"),
      ]);
    }
    expect(sent()).toHaveLength(1);
  });

  it("not of an update without confirmation, which can be repeated: another may have changed the same since", async () => {
    const { tools, sent } = await servedWrites();
    for (const vehicleIds of [["v1"], ["v2"], ["v1"]])
      expect((await tools.call("update_group", { id: "north", vehicleIds }, { approved })).text).not.toContain("earlier call");
    expect(sent()).toHaveLength(3);
  });

  it.each([
    ["the same", "an earlier call with the same idempotency key"],
    [undefined, EARLIER],
  ])("not for other arguments, but with %s idempotency key, as the result says", async (idempotencyKey, expected) => {
    const { create, sent } = await servedWrites();
    await create(JOB, { approved, idempotencyKey: "the same" });
    expect((await create({ ...JOB, notes: "x" })).text).not.toContain("earlier call");
    expect((await create(JOB, { approved, idempotencyKey })).text).toContain(expected);
    expect(sent()).toHaveLength(2);
  });

  it("as a failure that names the job to look up, if its outcome is unknown", async () => {
    const { create, sent } = await servedWrites({ script: { createJob: () => "reset" } });
    const first = await create();
    const { text, structured } = await create();
    expect(structured).toMatchObject({ error: { code: "unknownOutcome", jobNumber: recordOf(first).error.jobNumber } });
    expect(text).toMatch(/Next: This is the outcome of an identical earlier call: nothing was sent this time\. Call list_jobs/);
    expect(sent()).toHaveLength(1);
  });
});

describe("a caller that leaves", () => {
  it("does not end a write in flight, and the same call returns its result", async () => {
    const { create, tools, respond, sending, sent } = await waiting();
    const leaving = new AbortController();
    const call = create(JOB, { approved, signal: leaving.signal });
    await sending();
    leaving.abort();
    let isSettled = false;
    const settled = tools.writesSettled().then(() => (isSettled = true));
    const again = create();
    await delay(30);
    expect(isSettled).toBe(false);
    await respond();
    await Promise.all([settled, call]);
    expect([(await again).text.includes(EARLIER), sent().length]).toEqual([true, 1]);
  });

  it("without a sign before anything is sent leaves the result to the next one, however many leave", async () => {
    const open: ((reply: Reply) => void)[] = [];
    const { create, service, sent } = await servedWrites({
      script: { listLivePositions: () => new Promise((resolve) => void open.push(resolve)) },
    });
    for (let count = 0; count < 3; count++) void create();
    await vi.waitUntil(() => service.of("listLivePositions").length === 1);
    const again = create();
    for (const resolve of open) resolve({ body: [{ assetId: "v12", assetName: "Truck 12" }] });
    expect([(await again).text.includes(EARLIER), sent().length]).toEqual([true, 1]);
  });

  it.each<[string, ExecuteOptions]>([
    ["a caller who left", {}],
    ["the same idempotency key", { idempotencyKey: "run-7/1" }],
  ])("is not waited for in vain if its write changed nothing: %s", async (_, options) => {
    const { create, respond, sending, sent } = await waiting();
    const leaving = new AbortController();
    const first = create(JOB, { approved, ...options, signal: leaving.signal });
    await sending();
    leaving.abort();
    const second = create(JOB, { approved, ...options });
    await respond({ status: 429 });
    expect((await first).ok).toBe(false);
    await respond();
    expect((await second).text).toMatch(/^Job created\.(?!.*earlier call)/s);
    expect(sent()).toHaveLength(2);
  });
});

it("identical concurrent writes are sent once, and none once its caller has aborted it", async () => {
  const events: string[] = [];
  const { create } = await servedWrites({ options: { onWrite: ({ outcome = "sending" }) => events.push(outcome) } });
  const leaving = new AbortController();
  const run = (signal?: AbortSignal) => create(JOB, { approved, signal });
  const calls = [run(), run(), run(leaving.signal), run()];
  leaving.abort();
  const results = await Promise.all(calls);
  expect(results.map(({ ok }) => ok)).toEqual([true, true, false, true]);
  expect(results.map(({ text }) => text.includes(EARLIER))).toEqual([false, true, false, true]);
  expect(events).toEqual(["sending", "created"]);
});

it("a job's number and fields are reported before it is sent and afterwards, without anything that may identify someone", async () => {
  const events: unknown[] = [];
  const { create, tools } = await servedWrites({ options: { onWrite: (event) => events.push(event) } });
  const visible = { jobNumber: "J-1", vehicleId: "v12", personId: "p1", jobDuration: "01:30", status: "ASSIGNED", jobRadius: 150 };
  const long = { jobTypeId: `t${"1".repeat(80)}` };
  const names = ["address", "jobTitle", "clientName", "contactName", "contactEmail", "contactPhone", "notes", "groupName"];
  const withheld = { ...Object.fromEntries(names.map((name) => [name, "canary-text"])), lat: 45.7, lng: 4.8 };
  expect((await create({ ...visible, ...long, ...withheld })).text).toMatch(/^Job created/);
  const hidden = Object.fromEntries(Object.keys(withheld).map((name) => [name, "(withheld)"]));
  const event = {
    tool: "create_job",
    jobNumber: "J-1",
    fields: { ...visible, ...hidden, jobTypeId: expect.stringMatching(/^t1{50,62}…$/) },
  };
  expect(events.splice(0)).toEqual([event, { ...event, outcome: "created" }]);
  await tools.call("update_group", { id: "north", name: "North", vehicleIds: ["v1", "v2"] }, { approved });
  expect(events[0]).toMatchObject({ fields: { id: "north", name: "(withheld)", vehicleIds: ["v1", "v2"] } });
});
