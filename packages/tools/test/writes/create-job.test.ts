import { describe, expect, it } from "vitest";
import type { WriteEvent } from "../../src/model/tool.ts";
import { runTool } from "../../src/run-tool.ts";
import { createJob } from "../../src/tools/create-job.ts";
import type { ToolContext } from "../../src/writes/write-tool.ts";
import { type Asked, cannedService, NOW, toolsOver } from "../canned-service.ts";

type Json = Record<string, unknown>;

const TAKEN = { errors: [{ field: "jobNumber", message: "exists" }] };
const created = ({ fields }: Asked) => ({ job: { jobId: "j1", jobNumber: "S1", ...fields } });

/** A service that creates jobs as `respond` says, and the tool's calls. */
async function jobs(respond: (asked: Asked, count: number) => unknown = created, env: Record<string, string> = {}) {
  let count = 0;
  const service = await cannedService((asked) => {
    if (asked.operation === "listLivePositions") {
      const sold = { assetId: "v7", assetName: "Car 7", status: "SOLD" };
      return [{ assetId: "v1", assetName: "Truck 1" }, ...(asked.fields["showAllVehicleStatus"] ? [sold] : [])];
    }
    return asked.operation === "createJob" ? respond(asked, ++count) : undefined;
  });
  const { context } = toolsOver(service, { FLEET_CONFIRM: "never", ...env });
  const events: WriteEvent[] = [];
  const call = async (args: Json, more: Partial<ToolContext> = {}) => {
    const result = await runTool(createJob, args, { ...context, onWrite: (event) => events.push(event), ...more });
    if ("error" in result) return { text: result.error, structured: {} };
    if ("ask" in result) return { text: result.ask, structured: {} };
    return result as { text: string; structured: Json };
  };
  return {
    call,
    context,
    events,
    sent: () => service.asked.flatMap(({ operation, fields }) => (operation === "createJob" ? [fields] : [])),
  };
}

const PLACE = { lat: 45.5, lng: 4.5 };

describe("a created job", () => {
  it.each<[string, Json, unknown, string[]]>([
    [
      "as the service returns it",
      { jobNumber: "J1" },
      { job: { jobNumber: "J1", jobTitle: "x" } },
      ["Job created.", "jobNumber: J1", "jobTitle: x"],
    ],
    [
      "with its number first",
      { jobNumber: "J1" },
      { job: { jobTitle: "x", jobNumber: "J1" } },
      ["Job created.", "jobNumber: J1", "jobTitle: x"],
    ],
    [
      "with the service's remarks",
      { jobNumber: "J1" },
      { job: { jobId: "j1" }, errors: [{ field: "status", message: "ignored" }, { message: "late" }, { field: "x" }] },
      ["Job created. The service remarked: “status: ignored; job: late; x: no message”", "jobNumber: J1", "jobId: j1"],
    ],
  ])("is shown %s", async (_, args, response, lines) => {
    const { call } = await jobs(() => response);
    expect((await call({ ...PLACE, ...args })).text.split("\n")).toEqual(lines);
  });

  it("is reported before it is sent and afterwards, with the number that it has", async () => {
    const { call, events } = await jobs();
    await call({ ...PLACE, jobNumber: "J1", notes: "private" });
    const fields = { ...PLACE, lat: "(withheld)", lng: "(withheld)", jobNumber: "J1", notes: "(withheld)" };
    expect(events.map(({ fields: _, ...event }) => event)).toEqual([
      { tool: "create_job", jobNumber: "J1" },
      { tool: "create_job", jobNumber: "J1", outcome: "created" },
    ]);
    expect(events[0]?.fields).toEqual(fields);
    expect(events[1]?.fields).toEqual(fields);
  });

  it("has the number that the service gives it, if that gives numbers", async () => {
    const { call, events, sent } = await jobs(() => ({ job: { jobNumber: "S1" } }), { FLEET_JOB_NUMBERS: "service" });
    await call(PLACE);
    expect(sent()).toEqual([PLACE]);
    expect(events.map(({ jobNumber, outcome }) => [jobNumber, outcome])).toEqual([
      [undefined, undefined],
      ["S1", "created"],
    ]);
  });

  it("is unchecked where the group is unknown, and says so", async () => {
    const { call } = await jobs();
    const unchecked = "groupName: no vehicle or driver is in a group with this name, so it was not checked.";
    expect((await call({ ...PLACE, groupName: "Rome" })).text).toContain(`Job created. ${unchecked}`);
    expect((await call({ ...PLACE, groupName: "Rome", dryRun: true })).text).toContain(`nothing was sent. ${unchecked}`);
  });
});

describe("a rejected job", () => {
  it.each<[string, Json, unknown, ReadonlySet<string> | undefined, string]>([
    [
      "whose number is taken",
      { jobNumber: "J1" },
      TAKEN,
      undefined,
      'Next: The job number is taken, perhaps by this job. Call list_jobs with where "jobNumber=J1" and look for J1 before you try again.',
    ],
    [
      "whose number is taken, without a tool to look it up",
      { jobNumber: "J1" },
      TAKEN,
      new Set(),
      "Next: The job number is taken, perhaps by this job. Look for J1 in the service's own job list before you try again.",
    ],
    ["for another reason", { jobNumber: "J1" }, { errors: [{ field: "status", message: "bad" }] }, undefined, "rejected by the service"],
    [
      "for the time",
      { scheduledStartDateTime: "2026-11-10" },
      TAKEN,
      undefined,
      "input: scheduledStartDateTime: must include a time. This call sent nothing. Next: Pass date and time in UTC, such as 2026-11-20T08:30Z",
    ],
  ])("%s says what to do: %j", async (_, args, response, offered, text) => {
    const { call, events } = await jobs(() => response);
    const failed = await call({ ...PLACE, ...args }, offered && { offered });
    expect(failed.text).toContain(text);
    expect(failed.text.includes("is taken")).toBe(text.includes("is taken"));
    expect(events.at(-1)?.outcome).toBe("jobNumber" in args ? "rejected" : undefined);
    expect(events.at(-1)?.fields).toEqual(events[0]?.fields);
    if ("jobNumber" in args) expect(events[0]?.fields).toMatchObject({ jobNumber: "J1" });
  });
});

describe("a dry run", () => {
  const TITLE = "Collect 4 pallets";

  it("shows the request and the preview", async () => {
    const { call, sent } = await jobs();
    const { text, structured } = await call({ ...PLACE, jobTitle: TITLE, jobNumber: "J1", override: false, dryRun: true });
    const path = "/jobs/job/create";
    expect(text.split("\n").slice(0, 2)).toEqual([
      "Dry run of create_job: the arguments are valid; nothing was sent.",
      `POST ${path}?override=false`,
    ]);
    expect(JSON.parse(text.split("\n")[2] ?? "")).toEqual({ ...PLACE, jobTitle: TITLE, jobNumber: "J1" });
    expect(structured["request"]).toEqual({
      method: "POST",
      path,
      query: { override: "false" },
      body: { ...PLACE, jobTitle: TITLE, jobNumber: "J1" },
    });
    expect((structured["preview"] as string[])[0]).toBe("Create job:");
    expect(text).toContain((structured["preview"] as string[]).join("\n"));
    expect(sent()).toEqual([]);
  });

  it.each<[string, number, number, string, boolean]>([
    ["long texts where the whole does not fit", 1_200, 4_000, "n".repeat(399), true],
    ["longer texts more", 300, 4_000, "n".repeat(39), true],
    ["nothing that fits", 5_000, 1_000, "n".repeat(1_000), false],
  ])("shortens %s", async (_, budget, length, notes, isCut) => {
    const { call } = await jobs(created, { FLEET_MAX_RESULT_TOKENS: String(budget) });
    const { text, structured } = await call({ ...PLACE, jobNumber: "J1", notes: "n".repeat(length), override: true, dryRun: true });
    const { request } = structured as { request: { body: Json; query: Json } };
    expect(request.body["notes"]).toBe(isCut ? `${notes}…` : notes);
    expect(request.query).toEqual({ override: "true" });
    expect("preview" in structured).toBe(!isCut);
    expect(text.includes("?override=true")).toBe(!isCut);
    expect(String(structured["note"]).includes("Shortened to fit FLEET_MAX_RESULT_TOKENS")).toBe(isCut);
  });
});

describe("the job number", () => {
  it.each<[string, Json, Record<string, string>, RegExp | undefined]>([
    ["is the caller's", { jobNumber: "J1" }, {}, /^J1$/],
    ["is generated", {}, {}, /^FW-20261120-/],
    ["is left to the service", {}, { FLEET_JOB_NUMBERS: "service" }, undefined],
    ["is the caller's where the service gives numbers", { jobNumber: "J1" }, { FLEET_JOB_NUMBERS: "service" }, /^J1$/],
  ])("%s", async (_, args, env, number) => {
    const { call, sent } = await jobs(created, { ...env, FLEET_CONFIRM: "auto" });
    const { structured } = await call({ ...PLACE, ...args });
    expect(sent()).toEqual([]);
    await call({ ...PLACE, ...args, confirmation: structured["confirmation"] });
    expect(sent()).toHaveLength(1);
    const [job] = sent();
    if (number) expect(job?.["jobNumber"]).toMatch(number);
    else expect(job).toEqual(PLACE);
  });
});

it("a number derived from an idempotency key has 90 bits, and is the same for the same call", async () => {
  const numbers: unknown[] = [];
  for (const idempotencyKey of ["a", "a", "b"]) {
    const { call, sent } = await jobs();
    await call(PLACE, { idempotencyKey });
    numbers.push(sent()[0]?.["jobNumber"]);
  }
  const [first, second, third] = numbers;
  expect(first).toMatch(/^FW-[0-9A-HJKMNP-TV-Z]{8}-[0-9A-HJKMNP-TV-Z]{10}$/);
  expect([second === first, third === first]).toEqual([true, false]);
});

it.each([
  ["v1", "Assigned to Truck 1 (v1) and"],
  ["v7", "Assigned to Car 7 (v7), which is sold, and"],
  ["v9", "Assigned to the vehicle (not in the live positions) and"],
])("a preview says what the id %s stands for", async (vehicleId, said) => {
  const { call } = await jobs();
  expect((await call({ ...PLACE, vehicleId, dryRun: true })).text).toContain(said);
});

it("a preview comes with what to do next", async () => {
  const { call } = await jobs(created, { FLEET_CONFIRM: "auto" });
  const { text, structured } = await call({ ...PLACE, jobNumber: "J1" });
  const next = `Show the user this preview. If they agree, call create_job within 10 minutes with the same arguments and confirmation "${structured["confirmation"]}".`;
  const unsent = "Nothing was sent: the user must approve.";
  expect(structured["note"]).toBe(`${unsent} ${next}`);
  expect(text.split("\n")).toEqual([unsent, ...(structured["preview"] as string[]), next]);
});

describe("a confirmation", () => {
  const JOB = { ...PLACE, jobNumber: "J1" };
  const approve = async (args: Json = JOB, respond: Parameters<typeof jobs>[0] = created) => {
    let now = NOW;
    const { call, context, sent } = await jobs(respond, { FLEET_CONFIRM: "auto" });
    const at = { ...context, now: () => now };
    const { structured } = await call(args, at);
    const pass = (ms: number) => {
      now += ms;
    };
    return { pass, sent, confirm: (changed: Json = args) => call({ ...changed, confirmation: structured["confirmation"] }, at) };
  };

  it("that was used names the job to look for", async () => {
    const { confirm } = await approve();
    await confirm();
    expect((await confirm()).text).toBe(
      'input: create_job: the confirmation was already used. This call sent nothing. Job number used: J1. Next: Do not repeat it. Call list_jobs with where "jobNumber=J1" and look for J1 before you try again. For another one, call again without confirmation, and show the user the new preview.',
    );
  });

  it("that expired says so, to the millisecond", async () => {
    const { confirm, pass, sent } = await approve();
    pass(10 * 60_000 + 1);
    expect((await confirm()).text).toBe(
      "input: create_job: the confirmation is older than 10 minutes. This call sent nothing. Next: Call again without confirmation, and show the user the new preview.",
    );
    expect(sent()).toEqual([]);
    pass(-1);
    await confirm();
    expect(sent()).toHaveLength(1);
  });

  it("can be used again after a rejection that changed nothing", async () => {
    const { confirm, sent } = await approve(JOB, (asked, count) =>
      count === 1 ? { errors: [{ field: "status", message: "bad" }] } : created(asked),
    );
    expect((await confirm()).text).toContain("rejected by the service");
    expect((await confirm()).text).toContain("Job created.");
    expect(sent()).toHaveLength(2);
  });

  it("of other arguments is rejected", async () => {
    const { confirm, sent } = await approve();
    expect((await confirm({ ...JOB, notes: "more" })).text).toContain("the confirmation does not match");
    expect(sent()).toEqual([]);
  });

  it("that is none is rejected", async () => {
    const { call } = await jobs(created, { FLEET_CONFIRM: "auto" });
    expect((await call({ ...JOB, confirmation: "no token" })).text).toBe(
      "input: create_job: the confirmation was not issued by this server. This call sent nothing. Next: Call again without confirmation, and show the user the new preview.",
    );
  });

  it.each<[Json, RegExp]>([
    [JOB, /^unknownOutcome: create_job: .* may have created the job, with a number that could not be verified/],
    [PLACE, /^unknownOutcome: create_job: .* may have created the job/],
  ])("from another process may have created the job: %j", async (args, error) => {
    const env = { FLEET_CONFIRM: "auto", FLEET_SEAL_KEY: "" };
    const [one, other] = [await jobs(created, env), await jobs(created, env)];
    const { structured } = await one.call(args);
    const failed = await other.call({ ...args, confirmation: structured["confirmation"] });
    expect(failed.text).toMatch(error);
    expect(other.sent()).toEqual([]);
  });
});
