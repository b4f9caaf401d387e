import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Answer, Question } from "../../src/index.ts";
import { JOB, recordOf, servedWrites, WRITES } from "./served-writes.ts";

describe.each(WRITES)("%s", (tool, args, operation) => {
  it("without approval returns its preview and a token that permits exactly this call, once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { tools, text, record, failure, service, sent } = await servedWrites();
    const needed = await tools.call(tool, args);
    const { result, preview, confirmation, note } = recordOf(needed);
    const unsent = "Nothing was sent: the user must approve.";
    const next = `Show the user this preview. If they agree, call ${tool} within 10 minutes with the same arguments and confirmation "${confirmation}".`;
    expect([result, note, sent()]).toEqual(["confirmationNeeded", `${unsent} ${next}`, []]);
    expect(needed.text.split("\n")).toEqual([unsent, ...preview, next]);

    expect(await failure(tool, { ...args, confirmation: `${confirmation}x` })).toContain("This call sent nothing");
    expect(sent()).toEqual([]);
    await text(tool, { ...args, confirmation });
    expect(sent()).toEqual([expect.objectContaining(args)]);
    if (operation === "createJob") expect(preview).toContain(`jobNumber: ${sent()[0]?.["jobNumber"]}`);
    expect(await text(tool, { ...args, confirmation })).toContain(
      "an earlier call with the same confirmation: nothing was sent this time.",
    );
    vi.advanceTimersByTime(10 * 60_000 + 1);
    expect(await failure(tool, { ...args, confirmation })).toMatch(/already used\. This call sent nothing\..* Next: Do not repeat it/);
    expect(service.of(operation)).toHaveLength(1);
    expect((await record(tool, args)).result).toBe("confirmationNeeded");
  });

  it("is sent if the caller says that it was approved, which no argument can", async () => {
    const { tools, failure, sent } = await servedWrites();
    await failure(tool, { ...args, approved: true });
    expect(recordOf(await tools.call(tool, args, { approved: "yes" as never })).result).toBe("confirmationNeeded");
    expect(recordOf(await tools.call(tool, { ...args, dryRun: true }, { approved: true })).result).toBe("dryRun");
    expect(sent()).toEqual([]);
    expect((await tools.call(tool, args, { approved: true })).ok).toBe(true);
    expect(sent()).toHaveLength(1);
  });

  it("is sent at once with FLEET_CONFIRM=never, but not with a token that does not match", async () => {
    const { failure, text, sent } = await servedWrites({ env: { FLEET_CONFIRM: "never" } });
    expect(await failure(tool, { ...args, confirmation: "yes" })).toMatch(/not issued by this server/);
    await text(tool, args);
    expect(sent()).toHaveLength(1);
  });

  it("can be approved between two calls, with a question passed back along with its answer", async () => {
    const { tools, failure, sent } = await servedWrites();
    const asked = await tools.call(tool, args, { elicitation: {} });
    const { text, state } = (asked.ok && asked.question) as Question;
    expect([asked.text, asked.structured]).toEqual([text, { result: "question", question: text }]);
    // A model cannot use the state as a confirmation.
    await failure(tool, { ...args, confirmation: state });
    expect(sent()).toEqual([]);
    expect((await tools.call(tool, args, { elicitation: { reply: { answer: "yes", state } } })).ok).toBe(true);
    expect(sent()).toHaveLength(1);
  });

  it.each<[Answer | "fails", string | undefined]>([
    ["yes", undefined],
    ["declined", "declined"],
    ["cancelled", "cancelled"],
    ["notAsked", "notAsked"],
    ["fails", "notAsked"],
  ])("can be approved while the call waits: %s", async (answer, result) => {
    const { tools, sent } = await servedWrites();
    const ask = async () => {
      if (answer === "fails") throw new Error("no terminal");
      return answer;
    };
    expect(recordOf(await tools.call(tool, args, { elicitation: { ask } })).result).toBe(result);
    expect(sent()).toHaveLength(result === undefined ? 1 : 0);
  });
});

describe("a reply that is no yes", () => {
  it.each<[Answer, number, RegExp]>([
    ["declined", 4_000, /^The user declined: nothing was sent\. Do not call again unless they ask for it\.$/],
    ["cancelled", 4_000, /^The user cancelled the question: nothing was sent\. Ask them whether/],
    ["declined", 0, /^The host declined after 0 ms: nothing was sent\. No user replies that fast.*FLEET_CONFIRM=never/],
    ["notAsked", 0, /^The host could not ask the user: nothing was sent\./],
  ])("%s after %i ms is told as what it was", async (answer, took, text) => {
    const { create, clock, sent } = await servedWrites();
    const ask = async () => {
      clock.now += took;
      return answer;
    };
    expect((await create(JOB, { elicitation: { ask } })).text).toMatch(text);
    expect(sent()).toEqual([]);
  });

  it("invalidates the question and the token it was asked for", async () => {
    const { tools, create, confirmation, failure, sent } = await servedWrites();
    const token = await confirmation("create_job", JOB);
    const asked = await create({ ...JOB, confirmation: token }, { elicitation: {} });
    const { text, state } = (asked.ok && asked.question) as Question;
    expect(text).toContain(`jobNumber: ${token.split(".")[1]}`);
    await tools.call("create_job", { ...JOB, confirmation: token }, { elicitation: { reply: { answer: "declined", state } } });
    for (const used of [token, state]) await failure("create_job", { ...JOB, confirmation: used });
    expect((await create(JOB, { elicitation: { reply: { answer: "yes", state } } })).ok).toBe(false);
    expect(sent()).toEqual([]);
  });
});

it("a confirmation passed along by a caller that can ask is verified, and its job keeps its number", async () => {
  const { create, confirmation, sent } = await servedWrites();
  const token = await confirmation("create_job", JOB);
  const ask = (answer: Answer) => ({ elicitation: { ask: async () => answer } });
  expect((await create({ ...JOB, confirmation: `${token}x` }, ask("yes"))).ok).toBe(false);
  expect((await create({ ...JOB, confirmation: token }, ask("yes"))).ok).toBe(true);
  expect((await create({ ...JOB, confirmation: token }, ask("yes"))).text).toContain("nothing was sent this time");
  expect((await create({ ...JOB, confirmation: token }, ask("yes"))).text).toContain("already used");
  expect(sent()).toEqual([{ ...JOB, jobNumber: token.split(".")[1] }]);
});
