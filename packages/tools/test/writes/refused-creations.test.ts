import { describe, expect, it } from "vitest";
import { createFleetTools, type FleetTools, type FleetToolsOptions } from "../../src/index.ts";
import { type Asked, cannedService, toolsOver } from "../canned-service.ts";

const PLACE = { lat: 45.5, lng: 4.5 };
const SEAL_KEY = btoa("k".repeat(32));

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
const recordOf = (result: { structured: object }) => result.structured as any;

async function served(respond: (asked: Asked) => unknown, env: Record<string, string> = {}, options: FleetToolsOptions = {}) {
  const service = await cannedService((asked) => (asked.operation === "listLivePositions" ? [] : respond(asked)));
  const { config } = toolsOver(service, env);
  return { service, tools: createFleetTools({ ...config, retries: 0 }, options) };
}

const store = () => {
  const entries = new Map<string, string>();
  return {
    get: async (key: string) => entries.get(key),
    add: async (key: string, value: string) => !entries.has(key) && entries.set(key, value) !== undefined,
    extend: async () => true,
    remove: async (key: string) => void entries.delete(key),
  };
};

/** Ways in which a creation is approved. */
const APPROVALS: [string, Record<string, string>, (tools: FleetTools, args: Json) => ReturnType<FleetTools["call"]>][] = [
  ["without confirmation", { FLEET_CONFIRM: "never" }, (tools, args) => tools.call("create_job", args)],
  ["by the program", {}, (tools, args) => tools.call("create_job", args, { approved: true })],
  ["with an idempotency key", {}, (tools, args) => tools.call("create_job", args, { approved: true, idempotencyKey: "run-1" })],
  [
    "with a token",
    {},
    async (tools, args) => {
      const { confirmation } = recordOf(await tools.call("create_job", args));
      return tools.call("create_job", { ...args, confirmation });
    },
  ],
];

const error = { field: "vehicleName", message: "is not known" };

describe.each(APPROVALS)("a creation approved %s", (_, env, create) => {
  it.each<[string, (sent: Json) => unknown, string, string]>([
    ["errors and an empty job", () => ({ job: {}, errors: [error] }), "rejected", "is not known"],
    ["errors as texts and an echo", (sent) => ({ job: sent, errors: ["is not known"] }), "rejected", "is not known"],
    ["errors by field and nulls", () => ({ job: { jobId: null }, errors: { vehicleName: "is not known" } }), "rejected", "is not known"],
    ["a taken number", () => ({ job: {}, errors: [{ field: "jobNumber", message: "exists" }] }), "rejected", "The job number is taken"],
    ["an echo", (sent) => ({ job: sent }), "unknownOutcome", "Call list_jobs"],
    ["an empty job", () => ({ job: {} }), "unknownOutcome", "Call list_jobs"],
  ])("that gets %s is not told as created", async (_, body, code, text) => {
    const { service, tools } = await served(({ fields }) => body(fields), env);
    const result = await create(tools, { ...PLACE, jobNumber: "J-1" });
    expect(recordOf(result).error).toMatchObject({ code, jobNumber: "J-1", changed: code === "rejected" ? "no" : "unknown" });
    for (const part of [text, "Job number used: J-1."]) expect(result.text).toContain(part);
    expect(result.text).not.toContain("Job created");
    expect(service.asked.filter(({ operation }) => operation === "createJob")).toHaveLength(1);
  });

  it.each<[string, object, object, string]>([
    ["only an id", { jobId: "j1" }, { jobNumber: "J-1", jobId: "j1" }, "Job created."],
    ["its number as a number", { jobId: "j1", jobNumber: 4711 }, { jobNumber: "4711", jobId: "j1" }, "Job created."],
    ["the service's own number", { jobNumber: "S-9" }, { jobNumber: "S-9" }, "Job created."],
  ])("that gets %s is told with its number", async (_, job, shown, text) => {
    const { tools } = await served(() => ({ job, errors: "late" }), env);
    const result = await create(tools, { ...PLACE, jobNumber: "J-1" });
    expect(recordOf(result).job).toEqual(shown);
    expect(result.text).toContain(`${text} The service remarked: “job: late”`);
  });
});

describe("a refused creation with shared writes", () => {
  it.each([
    ["rejected", { job: {}, errors: [error] }],
    ["unknownOutcome", { job: {} }],
  ])("is %s", async (code, body) => {
    const { tools } = await served(() => body, { FLEET_CONFIRM: "never", FLEET_SEAL_KEY: SEAL_KEY }, { writeStore: store() });
    const { error } = recordOf(await tools.call("create_job", PLACE));
    expect(error).toMatchObject({ code, jobNumber: expect.stringMatching(/^FW-/) });
  });
});

it("a dry run of a creation sends nothing", async () => {
  const { service, tools } = await served(() => ({ job: {} }));
  expect((await tools.call("create_job", { ...PLACE, dryRun: true })).text).toContain("nothing was sent");
  expect(service.asked.filter(({ operation }) => operation === "createJob")).toEqual([]);
});

describe("a group update", () => {
  it.each<[string, object, string, string]>([
    ["errors", { errors: [{ field: "name", message: "is taken" }] }, "rejected", "This call changed nothing."],
    ["errors by field", { id: null, errors: { name: ["is taken"] } }, "rejected", "This call changed nothing."],
    ["errors and the group", { id: "g1", name: "Old", errors: ["is taken"] }, "rejected", "Whether anything changed is unknown."],
    ["another group", { id: "g2", name: "North" }, "contract", "Whether anything changed is unknown."],
  ])("that gets %s in a 200 is not told as updated", async (_, body, code, text) => {
    const { tools } = await served(() => body, { FLEET_CONFIRM: "never" });
    const result = await tools.call("update_group", { id: "g1", name: "North" });
    expect(recordOf(result).error).toMatchObject({ code });
    expect(result.text).toContain(text);
  });
});
