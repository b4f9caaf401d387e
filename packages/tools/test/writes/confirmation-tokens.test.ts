import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Question } from "../../src/index.ts";
import type { Reply } from "../fleet-service.ts";
import { type Args, JOB, PLACE, recordOf, SEAL_KEY, servedWrites } from "./served-writes.ts";

const KEY = { FLEET_SEAL_KEY: SEAL_KEY };
const numberIn = (token: string) => token.split(".")[1] ?? "";
const ANOTHER_NUMBER = /(?<=FW-\d{8}-)./;

describe("a confirmation token sends nothing", () => {
  it.each<[string, (args: Args, confirmation: string) => Args, RegExp]>([
    ["with other arguments", (args, confirmation) => ({ ...args, address: "Paris", confirmation }), /does not match/],
    ["with another number", (args, token) => ({ ...args, confirmation: token.replace(ANOTHER_NUMBER, swapped) }), /does not match/],
    ["with a later expiry", (args, confirmation) => ({ ...args, confirmation: `z${confirmation}` }), /does not match/],
    ["cut short", (args, confirmation) => ({ ...args, confirmation: confirmation.slice(0, -1) }), /not issued by this server/],
  ])("%s", async (_, forged, expected) => {
    const { confirmation, failure, sent } = await servedWrites();
    const error = await failure("create_job", forged(JOB, await confirmation("create_job", JOB)));
    expect(error).toMatch(expected);
    expect(error).toContain("This call sent nothing. Next: Call again without confirmation, and show the user the new preview.");
    expect(sent()).toEqual([]);
  });

  it("for another tool, customer, server or key", async () => {
    const { another, confirmation, failure, sent, service } = await servedWrites({ env: KEY });
    const token = await confirmation("update_group", { id: "north", name: "N" });
    const confirmed = { id: "north", name: "N", confirmation: token };
    expect(await failure("create_job", { ...JOB, confirmation: token })).toMatch(/does not match/);
    const base = service.origin;
    for (const other of [{ customerId: "c43" }, { servers: { base, fleet: `${base}/fleet` } }, { sealKey: btoa("x".repeat(32)) }]) {
      const { text } = await another(other).call("update_group", confirmed);
      expect(text).toMatch(/does not match.*This call sent nothing/);
    }
    expect(sent()).toEqual([]);
    expect((await another().call("update_group", confirmed)).text).toMatch(/^Group updated/);
  });

  it("after ten minutes, to the millisecond", async () => {
    const { confirmation, failure, text, clock, sent } = await servedWrites();
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB) };
    clock.now += 10 * 60_000 + 1;
    expect(await failure("create_job", confirmed)).toBe(
      "input: create_job: the confirmation is older than 10 minutes. This call sent nothing. Next: Call again without confirmation, and show the user the new preview.",
    );
    expect(sent()).toEqual([]);
    clock.now -= 1;
    await text("create_job", confirmed);
    expect(sent()).toHaveLength(1);
  });
});

function swapped(character: string): string {
  return character === "Z" ? "Y" : "Z";
}

describe("a confirmation token is used once", () => {
  it.each([{}, { FLEET_JOB_NUMBERS: "service" }])("whatever the clock does, and names the job to look for: %j", async (env) => {
    const { confirmation, create, failure, clock, sent } = await servedWrites({ env });
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB) };
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    // The other of two concurrent calls gets the same outcome.
    const both = (await Promise.all([create(confirmed, {}), create(confirmed, {})])).map(({ text }) =>
      text.includes("nothing was sent this time"),
    );
    expect(both.toSorted()).toEqual([false, true]);
    vi.advanceTimersByTime(10 * 60_000 + 1);
    for (const minutes of [0, 60, -120]) {
      clock.now += minutes * 60_000;
      await confirmation("create_job", { ...JOB, notes: `at ${minutes}` });
      expect(await failure("create_job", confirmed)).toMatch(/already used\. This call sent nothing\..* Do not repeat it\. Call list_jobs/);
    }
    expect(sent()).toHaveLength(1);
  });

  it("but again after a rejection that changed nothing, until the outcome is unknown", async () => {
    const replies: Reply[] = [{ body: { errors: [{ field: "vehicleName", message: "is not known" }] } }, "reset"];
    const { confirmation, failure, sent } = await servedWrites({
      script: { createJob: () => replies.shift() as Reply },
      env: { FLEET_JOB_NUMBERS: "service" },
    });
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB) };
    for (const expected of [/^rejected: /, /^unknownOutcome: /, /^unknownOutcome: .*nothing was sent this time/s])
      expect(await failure("create_job", confirmed)).toMatch(expected);
    expect(sent()).toHaveLength(2);
  });
});

it("a token is valid for the same members in any order", async () => {
  const north = (assetId: string) => ({ assetId, assetName: assetId, assetGroupId: "north" });
  const members = [north("v1"), { assetId: "v2", assetName: "Van 7" }, north("v3")];
  const { confirmation, text, sent } = await servedWrites({ script: { listLivePositions: () => ({ body: members.reverse() }) } });
  const add = { id: "north", vehicles: ["Van 7"] };
  await text("update_group", { ...add, confirmation: await confirmation("update_group", add) });
  expect(sent()).toEqual([{ id: "north", vehicleIds: expect.arrayContaining(["v1", "v2", "v3"]) }]);
});

it("a token whose job the service could create twice is valid only in its process", async () => {
  const { another, confirmation, sent } = await servedWrites({ env: { ...KEY, FLEET_JOB_NUMBERS: "service" } });
  const [issuer, other] = [another(), another()];
  const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB, issuer) };
  expect((await other.call("create_job", confirmed)).ok).toBe(false);
  expect((await issuer.call("create_job", confirmed)).ok).toBe(true);
  expect(sent()).toHaveLength(1);
});

it("a key that is too short or no base64 is a configuration error", async () => {
  const { another } = await servedWrites();
  for (const sealKey of ["BwcH", "no base64!"]) expect(() => another({ sealKey })).toThrow(/must be at least 32 bytes in base64$/);
});

it("a token equals that of earlier releases, so that replicas can be replaced one by one", async () => {
  const { another } = await servedWrites();
  const base = "https://fleet.example";
  const sealKey = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
  const tools = another({ servers: { base, job: base, auth: base }, sealKey, fetch: async () => new Response() });
  const preview = await tools.call("create_job", { ...PLACE, notes: "Łódź ✓" }, { idempotencyKey: "a" });
  expect(recordOf(preview).confirmation).toBe("mwoqfslc.FW-C9YVT2RQ-3C1W2ZGPA7.H702lOi50JeYMuP3Qr-zhy");
});

describe("a token of a process that has ended", () => {
  const taken: Reply = { status: 409, body: { offendingFields: ["jobNumber"], errorMessage: "is taken" } };

  /** A token of one process, and another process, for a service that then responds so to its job. */
  async function restarted(reply: Reply, key = SEAL_KEY, job: Args = JOB) {
    const { another, confirmation, service, sent, clock } = await servedWrites({ env: KEY });
    const token = await confirmation("create_job", job);
    service.script.createJob = () => reply;
    service.script.listJobs = () => ({ body: { jobs: [{ jobNumber: numberIn(token) }] } });
    const { call } = another({ sealKey: key });
    return {
      number: numberIn(token),
      clock,
      sent,
      token,
      call,
      confirm: (args: Args = {}) => call("create_job", { ...job, ...args, confirmation: token }),
    };
  }

  it.each<[string, Reply, object]>([
    ["exists if only its number is refused", taken, { note: expect.stringContaining("Inferred: ") }],
    ["is created if there is none", { body: { job: { jobId: "j1" } } }, { note: "Job created." }],
  ])("means that the job %s", async (_, reply, expected) => {
    const { confirm, number, sent } = await restarted(reply);
    expect((await confirm()).structured).toMatchObject({ job: { jobNumber: number }, ...expected });
    expect(sent()).toHaveLength(1);
  });

  it.each<[string, Reply, number, Args?, string?]>([
    ["anything else is refused", { status: 400, body: [{ offendingFields: ["address"] }] }, 1],
    ["the arguments differ", taken, 0, { notes: "x" }],
    ["the key is lost", taken, 0, {}, btoa("x".repeat(32))],
    ["the call cannot be planned", taken, 0, { vehicleName: "Truck 99" }],
    ["it has expired", taken, 0],
  ])("leaves the outcome unknown if %s, and names the job to look up", async (what, reply, requests, args, key) => {
    const { confirm, number, sent, clock } = await restarted(reply, key);
    clock.now += what === "it has expired" ? 10 * 60_000 + 1 : 60_000;
    const { text } = await confirm(args);
    expect(text).toMatch(/^unknownOutcome: (?!.*(created no job|No job was created))/);
    for (const part of [`Job number used: ${number}.`, `Call list_jobs with where "jobNumber=${number}"`]) expect(text).toContain(part);
    expect(text.includes("could not be verified")).toBe(requests === 0 && what !== "it has expired");
    expect(sent()).toHaveLength(requests);
  });

  it("still means that the job exists if the user is asked again", async () => {
    const { call, number, token } = await restarted(taken);
    const asked = await call("create_job", { ...JOB, confirmation: token }, { elicitation: {} });
    const { state } = (asked.ok && asked.question) as Question;
    const { job, note } = recordOf(await call("create_job", JOB, { elicitation: { reply: { answer: "yes", state } } }));
    expect([job.jobNumber, note]).toEqual([number, expect.stringContaining("Inferred: ")]);
  });

  it("names the caller's own number", async () => {
    const { confirm } = await restarted(taken, btoa("x".repeat(32)), { ...PLACE, jobNumber: "J-77" });
    expect((await confirm()).text).toMatch(
      /^unknownOutcome: .*Job number used: J-77\. Next: Call list_jobs with where "jobNumber=J-77" and look for J-77 /,
    );
  });

  it("says nothing of an earlier call if this process issued it, or nothing did", async () => {
    const { confirmation, another, sent } = await servedWrites({ env: KEY });
    const tools = another();
    for (const token of [await confirmation("create_job", JOB, tools), "x"])
      expect(recordOf(await tools.call("create_job", { ...JOB, vehicleName: "Truck", confirmation: token })).result).toBe("ambiguous");
    expect(sent()).toEqual([]);
  });
});
