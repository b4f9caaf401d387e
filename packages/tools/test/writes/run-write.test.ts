import { createFleetClient } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { FleetTools, Question } from "../../src/index.ts";
import { fleetUnderTest, JOB, NOW } from "../fleet-under-test.ts";

const SEAL_KEY = btoa("k".repeat(32));
const FROM_EARLIER_CALL = "an identical earlier call";

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
const recordOf = (result: { structured: object } | undefined) => result?.structured as any;

const confirmationOf = async (tools: FleetTools): Promise<string> => recordOf(await tools.call("create_job", JOB)).confirmation;

describe("a confirmed call that fails before anything is sent", () => {
  it.each([
    ["of this process", "here", "vehicles match"],
    ["of an earlier process", "earlier", "with a number that could not be verified"],
    ["of an unreadable form", "garbage", "vehicles match"],
  ])("says that an earlier one may have created the job only if that is possible: a token %s", async (_, from, expected) => {
    const { tools, another, writes } = await fleetUnderTest({ env: { FLEET_SEAL_KEY: SEAL_KEY } });
    const confirmation = from === "garbage" ? "x" : await confirmationOf(from === "here" ? tools : another());
    const { text, structured } = await tools.call("create_job", { ...JOB, vehicleName: "truck", confirmation });
    expect([text, writes()]).toEqual([expect.stringContaining(expected), []]);
    if (from !== "earlier") return expect(structured).not.toHaveProperty("error");
    const [, jobNumber] = confirmation.split(".");
    expect(structured).toMatchObject({ error: { code: "unknownOutcome", jobNumber } });
    expect(text).toContain(`Call list_jobs with where "jobNumber=${jobNumber}"`);
  });
});

it("an expired confirmation of an earlier process names the job to look for", async () => {
  const { another, writes } = await fleetUnderTest({ env: { FLEET_SEAL_KEY: SEAL_KEY } });
  const confirmation = await confirmationOf(another());
  const late = another({}, { now: () => NOW + 10 * 60_000 + 1 });
  const { text } = await late.call("create_job", { ...JOB, confirmation });
  expect(text).toContain("the confirmation is older than 10 minutes");
  expect(text).toMatch(/may have created the job\. .*Job number used: FW-20261120-/);
  expect(writes()).toEqual([]);
});

describe("the outcome of an earlier call that did not reach its caller", () => {
  const approved = true;
  const delivered = async () => false;

  it("is returned until it reaches one", async () => {
    const { tools, writes } = await fleetUnderTest();
    await tools.call("create_job", JOB, { approved, delivered });
    const texts: string[] = [];
    for (const options of [{ delivered }, {}, {}]) texts.push((await tools.call("create_job", JOB, { approved, ...options })).text);
    expect(texts.map((text) => text.includes(FROM_EARLIER_CALL))).toEqual([true, true, false]);
    expect(writes()).toEqual(["POST 200", "POST 200"]);
  });

  it("is returned if it is a failure", async () => {
    const { tools } = await fleetUnderTest({ sandbox: { faults: "createJob:reset-after" } });
    const [first, second] = [
      await tools.call("create_job", JOB, { approved, delivered }),
      await tools.call("create_job", JOB, { approved }),
    ];
    expect(first.text).not.toContain(FROM_EARLIER_CALL);
    expect(second).toMatchObject({
      ok: false,
      structured: { error: { code: "unknownOutcome", jobNumber: recordOf(first).error.jobNumber } },
    });
    expect(second.text).toMatch(/Next: This is the outcome of an identical earlier call .* nothing was sent this time\. Call list_jobs/);
  });

  it.each([
    ["a caller who left", {}],
    ["the same idempotency key", { idempotencyKey: "run-7/1" }],
  ])("is not waited for in vain if it changed nothing: %s", async (_, options) => {
    const { another, settings, writes } = await fleetUnderTest();
    let refuse = (_: Response) => {};
    let sending = () => {};
    const reached = new Promise<void>((resolve) => {
      sending = resolve;
    });
    const refused = new Promise<Response>((resolve) => {
      refuse = resolve;
    });
    let isFirst = true;
    const client = createFleetClient({
      ...settings,
      fetch: async (url, init) => {
        if (!isFirst || !String(url).endsWith("/job/create")) return fetch(url, init);
        isFirst = false;
        sending();
        return refused;
      },
    });
    const tools = another({}, { fleet: client });
    const leaving = new AbortController();
    const first = tools.call("create_job", JOB, { approved, ...options, signal: leaving.signal });
    await reached;
    leaving.abort();
    const second = tools.call("create_job", JOB, { approved, ...options });
    await new Promise((resolve) => setTimeout(resolve, 50));
    refuse(new Response(null, { status: 429 }));
    expect((await first).ok).toBe(false);
    const { ok, text } = await second;
    expect([ok, text.includes("earlier call"), writes()]).toEqual([true, false, ["POST 200"]]);
  });
});

describe("a confirmation passed along by a caller that can ask", () => {
  it("is verified, and its job keeps its number", async () => {
    const { tools, writes } = await fleetUnderTest();
    const confirmation = await confirmationOf(tools);
    const [, jobNumber] = confirmation.split(".");
    const ask = (token: string) => tools.call("create_job", { ...JOB, confirmation: token }, { elicitation: {} });
    expect((await ask(`${confirmation}x`)).ok).toBe(false);
    const asked = await ask(confirmation);
    const { text, state } = (asked.ok && asked.question) as Question;
    expect(text).toContain(`jobNumber: ${jobNumber}`);
    expect((await ask(confirmation)).text).toContain("already used");
    await tools.call("create_job", JOB, { elicitation: { reply: { answer: "yes", state } } });
    expect(writes()).toEqual(["POST 200"]);
  });
});

it("a confirmation is valid in this process only if the service could create the job twice", async () => {
  const { another } = await fleetUnderTest({ env: { FLEET_SEAL_KEY: SEAL_KEY } });
  for (const [jobNumbers, isValid] of [
    ["service", false],
    ["client", true],
  ] as const) {
    const [issuer, other] = [another({ jobNumbers }), another({ jobNumbers })];
    const confirmed = { ...JOB, confirmation: await confirmationOf(issuer) };
    expect((await other.call("create_job", confirmed)).ok).toBe(isValid);
    if (!isValid) expect((await issuer.call("create_job", confirmed)).ok).toBe(true);
  }
});

it("a write too long to be shown in full is neither asked about nor previewed", async () => {
  const { tools, writes } = await fleetUnderTest();
  const tooLong = { ...JOB, notes: "x".repeat(16_000) };
  for (const { ok, text } of [
    await tools.call("create_job", tooLong, { elicitation: {} }),
    (await tools.byName.get("create_job")?.preview(tooLong)) as { ok: boolean; text: string },
  ]) {
    expect(ok).toBe(false);
    expect(text).toMatch(/^input: create_job: too long to show in full for approval, mostly because of notes; .*Next: Shorten notes\.?$/);
  }
  expect(writes()).toEqual([]);
});
