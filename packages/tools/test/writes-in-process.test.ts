import { describe, expect, it } from "vitest";
import type { Answer, FleetToolResult, Question } from "../src/index.ts";
import { CALLS, fleetUnderTest, JOB, NOW } from "./fleet-under-test.ts";

const WRITES = [
  ["create_job", "POST 200"],
  ["update_group", "PUT 200"],
] as const;

const SEAL_KEY = btoa("k".repeat(32));

/** The record of an `ok` result. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
function recordOf(result: FleetToolResult): any {
  if (!result.ok) throw new Error(`the tool failed: ${result.text}`);
  return result.structured;
}

describe.each(WRITES)("%s", (name, sent) => {
  const args = CALLS[name] ?? {};

  it("without approval returns its preview and a token that is valid for exactly this write, once", async () => {
    const { tools, writes } = await fleetUnderTest();
    const { result, preview, confirmation } = recordOf(await tools.call(name, args));
    expect([result, writes()]).toEqual(["confirmationNeeded", []]);
    expect(preview[0]).toMatch(/:$/);
    expect((await tools.call(name, { ...args, confirmation: `${confirmation}x` })).ok).toBe(false);
    expect(writes()).toEqual([]);
    expect((await tools.call(name, { ...args, confirmation })).ok).toBe(true);
    expect(await tools.call(name, { ...args, confirmation })).toMatchObject({ ok: false, structured: { error: { code: "input" } } });
    expect(writes()).toEqual([sent]);
  });

  it("is sent if the caller says it was approved", async () => {
    const { tools, writes } = await fleetUnderTest();
    // Arguments come from a model.
    expect((await tools.call(name, { ...args, approved: true })).ok).toBe(false);
    expect(recordOf(await tools.call(name, args, { approved: "yes" as never })).result).toBe("confirmationNeeded");
    expect(writes()).toEqual([]);
    expect((await tools.call(name, args, { approved: true })).ok).toBe(true);
    expect(writes()).toEqual([sent]);
  });

  it("is sent right away if the configuration leaves approval to others", async () => {
    const { tools, writes } = await fleetUnderTest({ config: { confirm: "never" } });
    expect((await tools.call(name, args)).ok).toBe(true);
    expect(writes()).toEqual([sent]);
  });

  it("is only shown by a dry run, approved or not", async () => {
    const { tools, writes } = await fleetUnderTest();
    expect(recordOf(await tools.call(name, { ...args, dryRun: true }, { approved: true })).result).toBe("dryRun");
    expect(writes()).toEqual([]);
  });

  it("can be confirmed between two calls, with a question passed back along with its answer", async () => {
    const { tools, writes } = await fleetUnderTest();
    const asked = await tools.call(name, args, { elicitation: {} });
    const { text, state } = (asked.ok && asked.question) as Question;
    expect([asked.text, recordOf(asked)]).toEqual([text, { result: "question", question: text }]);
    // A model cannot use the state as a confirmation.
    expect((await tools.call(name, { ...args, confirmation: state })).ok).toBe(false);
    expect(writes()).toEqual([]);
    expect((await tools.call(name, args, { elicitation: { reply: { answer: "yes", state } } })).ok).toBe(true);
    expect(writes()).toEqual([sent]);
  });

  it.each<[Answer | "fails", string | undefined]>([
    ["yes", undefined],
    ["declined", "declined"],
    ["cancelled", "cancelled"],
    ["notAsked", "notAsked"],
    ["fails", "notAsked"],
  ])("can be confirmed while the call waits: %s", async (answer, result) => {
    const { tools, writes } = await fleetUnderTest();
    const questions: Question[] = [];
    const ask = async (question: Question) => {
      questions.push(question);
      if (answer === "fails") throw new Error("no terminal");
      return answer;
    };
    const outcome = await tools.call(name, args, { elicitation: { ask } });
    expect(recordOf(outcome).result).toBe(result);
    expect(questions.map(({ text }) => text.split("\n")[0])).toEqual([name === "create_job" ? "Create job:" : "Update group:"]);
    expect(writes()).toEqual(result === undefined ? [sent] : []);
  });
});

describe("an idempotency key", () => {
  const approved = true;

  it("creates one job for a repeated call, concurrent or later", async () => {
    const { tools, jobs, writes } = await fleetUnderTest();
    const before = (await jobs()).length;
    const run = () => tools.call("create_job", JOB, { approved, idempotencyKey: "run-7/1" });
    const [first, second] = (await Promise.all([run(), run()])).map(recordOf);
    const third = recordOf(await run());
    expect([second.job, third.job]).toEqual([first.job, first.job]);
    for (const repeated of [second, third])
      expect(repeated.note).toContain("an earlier call with the same idempotency key: nothing was sent this time");
    expect(first.note).not.toContain("earlier call");
    expect(writes()).toEqual(["POST 200"]);
    expect((await jobs()).length).toBe(before + 1);
  });

  it.each(["refuse", "conflict", "overwrite"] as const)(
    "creates one job across processes, whatever a service does with an existing number: %s",
    async (duplicateJobs) => {
      const { tools, another, jobs } = await fleetUnderTest({ sandbox: { duplicateJobs } });
      const before = (await jobs()).length;
      const options = { approved, idempotencyKey: "run-7/1" };
      const first = recordOf(await tools.call("create_job", JOB, options));
      // Order and undefined members do not matter.
      const again = { confirmation: null, ...Object.fromEntries(Object.entries(JOB).reverse()), notes: null };
      const second = await another().call("create_job", again, options);
      expect(second).toMatchObject({ ok: true, structured: { job: { jobNumber: first.job.jobNumber } } });
      if (duplicateJobs !== "overwrite") expect(second.text).toContain("Inferred");
      expect((await jobs()).length).toBe(before + 1);
    },
  );

  it("derives a different number for a different key, customer or argument", async () => {
    const { tools, another } = await fleetUnderTest();
    const numberOf = async (from: typeof tools, args: object, idempotencyKey: string) =>
      (await from.byName.get("create_job")?.preview(args, { idempotencyKey }))?.text.match(/FW-\S+/)?.[0];
    const numbers = [
      await numberOf(tools, JOB, "a"),
      await numberOf(tools, JOB, "b"),
      await numberOf(tools, { ...JOB, notes: "x" }, "a"),
      await numberOf(tools, { ...JOB, notes: "y" }, "a"),
    ];
    expect(new Set(numbers).size).toBe(4);
    expect(await numberOf(another(), JOB, "a")).toBe(numbers[0]);
  });

  it("is rejected with other arguments or another tool once used", async () => {
    const { tools, writes } = await fleetUnderTest();
    const options = { approved, idempotencyKey: "run-7/1" };
    const refused = { ok: false, structured: { error: { code: "input", changed: "no" } } };
    // These changed nothing, so the key is free.
    await tools.call("create_job", { ...JOB, vehicleName: "truck" }, options);
    await tools.call("create_job", { ...JOB, jobTypeId: "nosuchtype" }, options);
    await tools.call("create_job", JOB, { idempotencyKey: "run-7/1" });
    const sent = writes().length;
    expect((await tools.call("create_job", JOB, options)).ok).toBe(true);
    for (const [name, args] of [
      ["create_job", { ...JOB, notes: "x" }],
      ["update_group", CALLS["update_group"]],
    ] as const) {
      expect(await tools.call(name, args, options)).toMatchObject(refused);
      expect(await tools.byName.get(name)?.preview(args, options)).toMatchObject(refused);
    }
    expect(writes()).toHaveLength(sent + 1);
  });

  it("is rejected if it is invalid or the service numbers jobs", async () => {
    const { tools, another, writes } = await fleetUnderTest();
    for (const idempotencyKey of ["", 7, {}, null] as never[])
      expect((await tools.call("create_job", JOB, { approved, idempotencyKey })).text).toMatch(
        /^input: idempotencyKey: must be a non-empty string/,
      );
    const serviceNumbers = another({ jobNumbers: "service" });
    expect(await serviceNumbers.call("create_job", JOB, { approved, idempotencyKey: "k" })).toMatchObject({
      ok: false,
      structured: { error: { code: "config" } },
    });
    expect(writes()).toEqual([]);
    // A number in the arguments works, too.
    expect((await serviceNumbers.call("create_job", { ...JOB, jobNumber: "J-1" }, { approved, idempotencyKey: "k" })).ok).toBe(true);
  });

  it("yields to a number in the arguments or a confirmation", async () => {
    const { tools, jobs } = await fleetUnderTest({ env: { FLEET_SEAL_KEY: SEAL_KEY } });
    const own = recordOf(await tools.call("create_job", { ...JOB, jobNumber: "J-7" }, { approved, idempotencyKey: "a" }));
    expect(own.job.jobNumber).toBe("J-7");
    const { confirmation, preview } = recordOf(await tools.call("create_job", JOB, { idempotencyKey: "call-1" }));
    // A framework uses another id for the call that passes the token back.
    const { job } = recordOf(await tools.call("create_job", { ...JOB, confirmation }, { idempotencyKey: "call-2" }));
    expect(preview).toContain(`jobNumber: ${job.jobNumber}`);
    expect(await jobs()).toContain(job.jobNumber);
  });

  it("retries with the same number if the response was lost", async () => {
    const { tools, jobs } = await fleetUnderTest({ sandbox: { faults: "createJob:reset-after" } });
    const before = (await jobs()).length;
    const run = () => tools.call("create_job", JOB, { approved, idempotencyKey: "run-8" });
    const lost = await run();
    expect(lost).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome", changed: "unknown" } } });
    await run();
    expect((await jobs()).length).toBe(before + 1);
  });

  it("of an update returns its outcome", async () => {
    const { tools, writes } = await fleetUnderTest();
    const run = () => tools.call("update_group", CALLS["update_group"], { approved, idempotencyKey: "u" });
    await run();
    expect((await run()).text).toContain("same idempotency key");
    expect(writes()).toEqual(["PUT 200"]);
  });
});

it("marks sandbox results in text and record, questions and failures included", async () => {
  const { another } = await fleetUnderTest();
  const tools = another({ sandbox: true });
  const results = [
    await tools.call("create_job", JOB, { elicitation: {} }),
    await tools.call("create_job", JOB),
    await tools.call("create_job", {}),
    await tools.call("none", {}),
    await tools.byName.get("create_job")?.preview(JOB),
    await tools.byName.get("locate_vehicle")?.preview({ query: "x" }),
    await tools.readVehicle("truck 12"),
  ];
  for (const result of results) {
    expect(result?.text).toMatch(/^\[sandbox\] (?!\[sandbox\])/);
    expect(result?.structured).toHaveProperty("sandbox", true);
  }
});

it("sends identical concurrent writes one after the other, and none once its caller has aborted it", async () => {
  const events: string[] = [];
  const { tools } = await fleetUnderTest({ options: { onWrite: ({ outcome = "sending" }) => events.push(outcome) } });
  const leaving = new AbortController();
  const run = (signal?: AbortSignal) => tools.call("create_job", JOB, { approved: true, ...(signal && { signal }) });
  const calls = [run(), run(), run(leaving.signal), run()];
  leaving.abort();
  expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([true, true, false, true]);
  expect(events).toEqual(["sending", "created", "sending", "created", "sending", "created"]);
});

describe("a caller that leaves", () => {
  it("does not end a write in flight, and the same call returns its outcome", async () => {
    let onSending = () => {};
    const sending = new Promise<void>((resolve) => {
      onSending = resolve;
    });
    const { tools, jobs, writes } = await fleetUnderTest({
      sandbox: { faults: "createJob:latency=1000" },
      options: { onWrite: () => onSending() },
    });
    const before = (await jobs()).length;
    const ending = new AbortController();
    const call = tools.call("create_job", JOB, { approved: true, signal: ending.signal });
    await sending;
    // Until the request with its token has been sent.
    await new Promise((resolve) => setTimeout(resolve, 500));
    ending.abort();
    await tools.writesSettled();
    await call;
    expect((await jobs()).length).toBe(before + 1);
    const again = await tools.call("create_job", JOB, { approved: true });
    expect(again.text).toContain("an identical earlier call");
    expect(writes()).toEqual(["POST 200"]);
  });

  it("may report it itself", async () => {
    const { tools, writes } = await fleetUnderTest();
    for (const delivered of [async () => false, () => Promise.reject(new Error("gone"))]) {
      await tools.call("create_job", JOB, { approved: true, delivered });
      const { text } = await tools.call("create_job", JOB, { approved: true });
      expect(text).toContain("an identical earlier call");
    }
    expect(writes()).toEqual(["POST 200", "POST 200"]);
  });
});

it("a token expires after ten minutes on the clock passed to the tools", async () => {
  let now = NOW;
  const { tools, writes } = await fleetUnderTest({ options: { now: () => now } });
  const { confirmation } = recordOf(await tools.call("create_job", JOB));
  now += 10 * 60_000 + 1;
  expect((await tools.call("create_job", { ...JOB, confirmation })).text).toContain("older than 10 minutes");
  expect(writes()).toEqual([]);
});
