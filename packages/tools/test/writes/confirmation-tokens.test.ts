import { describe, expect, it } from "vitest";
import type { FleetTools, Question } from "../../src/index.ts";
import type { Reply } from "../fleet-service.ts";
import { type Args, JOB, PLACE, recordOf, SEAL_KEY, servedWrites } from "./served-writes.ts";

const NORTH = { id: "north", name: "N" };
const KEY = { FLEET_SEAL_KEY: SEAL_KEY };
const numberIn = (token: string) => token.split(".")[1] ?? "";
const confirm = async (tools: FleetTools, args: Args, tool = "create_job") => (await tools.call(tool, args)).text;

describe("a confirmation token sends nothing", () => {
  it.each<[string, (args: Args, confirmation: string) => Args, RegExp]>([
    ["with other arguments", (args, confirmation) => ({ ...args, address: "Paris", confirmation }), /does not match/],
    ["with an additional argument", (args, confirmation) => ({ ...args, notes: "x", confirmation }), /does not match/],
    [
      "with another number",
      (args, token) => ({ ...args, confirmation: token.replace(/(?<=FW-\d{8}-)./, (c) => (c === "Z" ? "Y" : "Z")) }),
      /not match/,
    ],
    ["with a later expiry", (args, confirmation) => ({ ...args, confirmation: `z${confirmation}` }), /does not match/],
    ["cut short", (args, confirmation) => ({ ...args, confirmation: confirmation.slice(0, -1) }), /not issued by this server/],
    ["that is none", (args) => ({ ...args, confirmation: "yes" }), /not issued by this server/],
  ])("%s", async (_, forged, expected) => {
    const { confirmation, failure, sent } = await servedWrites();
    const error = await failure("create_job", forged(JOB, await confirmation("create_job", JOB)));
    expect(error).toMatch(expected);
    expect(error).toContain("This call sent nothing. Next: Call again without confirmation, and show the user the new preview.");
    expect(sent()).toEqual([]);
  });

  it("for another tool, customer, server or key", async () => {
    const { another, confirmation, failure, sent, service } = await servedWrites({ env: KEY });
    const token = await confirmation("update_group", NORTH);
    expect(await failure("create_job", { ...JOB, confirmation: token })).toMatch(/does not match/);
    const base = service.origin;
    for (const other of [{ customerId: "c43" }, { servers: { base, fleet: `${base}/fleet` } }, { sealKey: btoa("x".repeat(32)) }])
      expect(await confirm(another(other), { ...NORTH, confirmation: token }, "update_group")).toMatch(
        /does not match.*This call sent nothing/,
      );
    expect(sent()).toEqual([]);
    expect(await confirm(another(), { ...NORTH, confirmation: token }, "update_group")).toMatch(/^Group updated/);
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

describe("a confirmation token is used once", () => {
  it.each([{}, { FLEET_JOB_NUMBERS: "service" }])("whatever the clock does, and names the job to look for: %j", async (env) => {
    const { confirmation, text, failure, clock, sent } = await servedWrites({ env });
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB) };
    await text("create_job", confirmed);
    for (const minutes of [0, 60, -120]) {
      clock.now += minutes * 60_000;
      await confirmation("create_job", { ...JOB, notes: `at ${minutes}` });
      expect(await failure("create_job", confirmed)).toMatch(
        /already used\. This call sent nothing\..* Next: Do not repeat it\. Call list_jobs/,
      );
    }
    expect(sent()).toHaveLength(1);
  });

  it("by one of two concurrent calls", async () => {
    const { create, confirmation, sent } = await servedWrites();
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB) };
    const results = await Promise.all([create(confirmed, {}), create(confirmed, {})]);
    expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(sent()).toHaveLength(1);
  });

  it("but again after a rejection that changed nothing, until the outcome is unknown", async () => {
    const replies: Reply[] = [{ body: { errors: [{ field: "vehicleName", message: "is not known" }] } }, "reset"];
    const { confirmation, failure, sent } = await servedWrites({
      script: { createJob: () => replies.shift() as Reply },
      env: { FLEET_JOB_NUMBERS: "service" },
    });
    const confirmed = { ...JOB, confirmation: await confirmation("create_job", JOB) };
    for (const expected of [/^rejected: /, /^unknownOutcome: /, /already used/])
      expect(await failure("create_job", confirmed)).toMatch(expected);
    expect(sent()).toHaveLength(2);
  });
});

it("a token is valid for the same members in any order", async () => {
  const members = [
    { assetId: "v1", assetName: "Truck 1", assetGroupId: "north" },
    { assetId: "v2", assetName: "Van 7" },
    { assetId: "v3", assetName: "Truck 3", assetGroupId: "north" },
  ];
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

describe("a token of a process that has ended", () => {
  const taken: Reply = { status: 409, body: { offendingFields: ["jobNumber"], errorMessage: "is taken" } };

  /** A preview in one process, then the same call with its token in another, for a service that then responds so. */
  async function afterRestart(
    reply: Reply,
    { args = {}, key = SEAL_KEY, later = 60_000 }: { args?: Args; key?: string; later?: number } = {},
  ) {
    const { another, confirmation, service, sent, clock } = await servedWrites({ env: KEY });
    const token = await confirmation("create_job", JOB);
    service.script.createJob = () => reply;
    service.script.listJobs = () => ({ body: { jobs: [{ jobNumber: numberIn(token) }] } });
    clock.now += later;
    const result = await another({ sealKey: key }).call("create_job", { ...JOB, ...args, confirmation: token });
    return { result, number: numberIn(token), sent: sent().length };
  }

  it("means that the job exists if only its number is refused", async () => {
    const { result, number, sent } = await afterRestart(taken);
    expect(result.structured).toMatchObject({ job: { jobNumber: number }, note: expect.stringContaining("Inferred: ") });
    expect(sent).toBe(1);
  });

  it("creates the job if there is none", async () => {
    const { result, number } = await afterRestart({ body: { job: { jobId: "j1" } } });
    expect(result.structured).toEqual({ job: { jobNumber: number, jobId: "j1" }, note: "Job created." });
  });

  it.each<[string, Reply, Parameters<typeof afterRestart>[1], number]>([
    ["anything else is refused", { status: 400, body: [{ offendingFields: ["address"] }] }, {}, 1],
    ["the credentials are refused", { status: 403 }, {}, 1],
    ["the arguments differ", taken, { args: { notes: "x" } }, 0],
    ["the key is lost", taken, { key: btoa("x".repeat(32)) }, 0],
    ["the call cannot be planned", taken, { args: { vehicleName: "Truck 99" } }, 0],
    ["the vehicle is ambiguous", taken, { args: { vehicleName: "Truck" } }, 0],
    ["it has expired", taken, { later: 10 * 60_000 + 1 }, 0],
  ])("leaves the outcome unknown if %s, and names the job to look up", async (what, reply, setup, requests) => {
    const { result, number, sent } = await afterRestart(reply, setup);
    expect(result.text).toMatch(/^unknownOutcome: /);
    for (const part of [`Job number used: ${number}.`, `Call list_jobs with where "jobNumber=${number}"`])
      expect(result.text).toContain(part);
    expect(result.text).not.toMatch(/created no job|No job was created/);
    expect(result.text.includes("could not be verified")).toBe(requests === 0 && what !== "it has expired");
    expect(sent).toBe(requests);
  });

  it("still means that the job exists if the user is asked again", async () => {
    const { another, confirmation, service } = await servedWrites({ env: KEY });
    const token = await confirmation("create_job", JOB);
    service.script.createJob = () => taken;
    service.script.listJobs = () => ({ body: { jobs: [{ jobNumber: numberIn(token) }] } });
    const second = another();
    const asked = await second.call("create_job", { ...JOB, confirmation: token }, { elicitation: {} });
    const { state } = (asked.ok && asked.question) as Question;
    const { job, note } = recordOf(await second.call("create_job", JOB, { elicitation: { reply: { answer: "yes", state } } }));
    expect([job.jobNumber, note]).toEqual([numberIn(token), expect.stringContaining("Inferred: ")]);
  });

  it("names the caller's own number", async () => {
    const { another, confirmation } = await servedWrites();
    const numbered = { ...PLACE, jobNumber: "J-77" };
    const token = await confirmation("create_job", numbered);
    expect(await confirm(another(), { ...numbered, confirmation: token })).toMatch(
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
