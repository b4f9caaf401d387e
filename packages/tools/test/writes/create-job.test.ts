import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FleetTools } from "../../src/index.ts";
import type { Reply, Script } from "../fleet-service.ts";
import { memoryStore } from "../memory-store.ts";
import { type Args, PLACE, recordOf, SEAL_KEY, servedWrites } from "./served-writes.ts";

const GENERATED = /^FW-\d{8}-[0-9A-HJKMNP-TV-Z]{10}$/;
const NEVER = { FLEET_CONFIRM: "never" };

const jobs = (createJob?: Script["createJob"], env: Record<string, string> = {}) =>
  servedWrites({ env: { ...NEVER, ...env }, ...(createJob && { script: { createJob } }) });

const EVERY_FIELD = {
  ...{ jobNumber: "J-1", jobTitle: "Deliver 4 pallets", clientName: "Client Ltd", accountNumber: "A7", contactName: "Contact" },
  ...{ contactEmail: "contact@client.example", contactPhone: "+33 4 00 00 00 00", notes: "Ring at gate 3\nthen wait" },
  ...{ address: "Quai Perrache 10, 69002 Lyon, France", lat: 45.7485, lng: 4.8204, scheduledStartDateTime: "2026-11-20T08:30Z" },
  ...{ arrivalWindowStart: "2026-11-20T13:00Z", arrivalWindowEnd: "2026-11-20T15:00Z", jobDuration: "01:30", personId: "p1" },
  ...{ personName: "Anna", vehicleId: "v12", vehicleName: "Truck 12", groupName: "Depot", orderNumbers: ["O1", "O2"] },
  ...{ status: "ASSIGNED", jobRadius: 150, primaryResource: "VEHICLE", jobTypeId: "t1" },
};

describe("create_job sends", () => {
  it("every given field, unchanged", async () => {
    const { text, service } = await jobs();
    await text("create_job", { ...EVERY_FIELD, override: false });
    const [request] = service.of("createJob");
    expect([request?.body, request?.url.search]).toEqual([EVERY_FIELD, "?override=false"]);
    expect(request?.headers).toMatchObject({ "x-connect-token": "TOKEN issued-token", "content-type": "application/json" });
    expect(request?.headers.authorization).toBeUndefined();
  });

  it("a new job number, and no empty strings, which hosts send for missing values", async () => {
    const { text, sent } = await jobs();
    for (const args of [PLACE, { ...PLACE, address: "", vehicleName: "", personId: "", jobNumber: "", notes: "" }])
      await text("create_job", args);
    expect(sent()).toEqual(Array(2).fill({ ...PLACE, jobNumber: expect.stringMatching(GENERATED) }));
    expect(sent()[0]?.["jobNumber"]).not.toBe(sent()[1]?.["jobNumber"]);
  });

  it("only the caller's number if the service numbers jobs", async () => {
    const { text, sent } = await jobs(undefined, { FLEET_JOB_NUMBERS: "service" });
    for (const args of [PLACE, { ...PLACE, jobNumber: "J1" }]) await text("create_job", args);
    expect(sent()).toEqual([PLACE, { ...PLACE, jobNumber: "J1" }]);
  });

  it.each(["2026-11-20T08:30Z", "2026-11-20T08:30:59Z", "2026-11-20T09:30+01:00", "2026-11-20T08:30"])(
    "the time %s in UTC",
    async (time) => {
      const { text, sent } = await jobs();
      await text("create_job", { ...PLACE, scheduledStartDateTime: time, arrivalWindowStart: time });
      expect(sent()[0]).toMatchObject({ scheduledStartDateTime: "2026-11-20T08:30Z", arrivalWindowStart: "2026-11-20T08:30Z" });
    },
  );
});

describe("create_job sends nothing for", () => {
  it.each<[string, Args, string]>([
    [
      "a date without a time",
      { scheduledStartDateTime: "2026-05-06" },
      "must include a time. This call sent nothing. Next: Pass date and time in UTC",
    ],
    [
      "a date without a time, which could have the month first",
      { scheduledStartDateTime: "2026-11-20" },
      "scheduledStartDateTime: must be ",
    ],
    ["a window's date without a time", { arrivalWindowEnd: "2026-05-06" }, "arrivalWindowEnd: must be "],
    ["an impossible date", { scheduledStartDateTime: "2026-02-30T08:00Z" }, "scheduledStartDateTime: must be "],
    ["words", { arrivalWindowStart: "tomorrow" }, "such as 2026-11-20T08:30:00Z"],
    ["no place", { lat: undefined, lng: undefined }, "address: is required unless lat and lng are given"],
    ["lat alone", { lng: undefined }, "lng: is required when lat is given"],
    ["lat off the globe", { lat: 91 }, "lat: "],
    ["a number with a decimal comma", { lat: "45,7" }, "lat: "],
    ["a later status", { status: "MISSED" }, "status: "],
    ["an id that would alter the URL", { vehicleId: "../v1" }, "vehicleId: must consist of letters and digits only"],
    ["half a metre", { jobRadius: 0.5 }, "jobRadius: "],
    ["order numbers as a single text", { orderNumbers: "O1,O2" }, "orderNumbers: "],
    ["a field meant for programs", { resources: [] }, "resources: is not a field of create_job"],
    ["an unknown field", { colour: "red" }, "colour: is not a field of create_job"],
  ])("%s", async (_, args, expected) => {
    const { failure, service } = await jobs();
    const error = await failure("create_job", { ...PLACE, ...args });
    expect(error).toMatch(/^input: .* Next: /);
    expect(error).toContain(expected);
    expect(service.received).toEqual([]);
  });
});

describe("create_job reports", () => {
  it("the created job, number first, and the service's remarks", async () => {
    const errors = [{ field: "groupName", message: "is not known\r\n;root used" }, { message: "twice" }, { field: "x" }];
    const { tools } = await jobs(() => ({ body: { job: { notes: "a\nb", jobNumber: "J1" }, errors } }));
    const note = "Job created. The service remarked: “groupName: is not known ;root used; job: twice; x: no message”";
    const { text, structured } = await tools.call("create_job", PLACE);
    expect([text.split("\n"), structured]).toEqual([
      [note, "jobNumber: J1", "notes: a b"],
      { job: { jobNumber: "J1", notes: "a b" }, note },
    ]);
  });

  it("the number that the service gave", async () => {
    const events: unknown[] = [];
    const options = {
      onWrite: (event: { jobNumber?: string | undefined; outcome?: string }) => events.push([event.jobNumber, event.outcome]),
    };
    const { text } = await servedWrites({
      script: { createJob: () => ({ body: { job: { jobNumber: "S1" } } }) },
      env: { ...NEVER, FLEET_JOB_NUMBERS: "service" },
      options,
    });
    expect(await text("create_job", PLACE)).toContain("jobNumber: S1");
    expect(events).toEqual([
      [undefined, undefined],
      ["S1", "created"],
    ]);
  });

  it("an inferred creation if the response was lost and its number is then refused", async () => {
    const replies: Reply[] = ["reset", { body: { errors: [{ field: "jobNumber", message: "is taken" }] } }];
    const { tools, sent } = await servedWrites({
      script: { createJob: () => replies.shift() ?? { status: 500 } },
      env: NEVER,
      config: { retries: 1 },
    });
    const { text, structured } = await tools.call("create_job", PLACE);
    const [{ jobNumber } = {}] = sent();
    expect(structured).toEqual({ job: { jobNumber }, note: expect.stringMatching(/^Job created\. Inferred: /) });
    expect(text).toMatch(new RegExp(`^Job created\\. Inferred: .*\njobNumber: ${jobNumber}`));
    expect(sent()).toEqual(Array(2).fill({ ...PLACE, jobNumber }));
  });

  it.each<[string, Reply, string[]]>([
    [
      "errors instead of a job",
      {
        body: {
          errors: [
            { field: "vehicleName", message: "is not known" },
            { field: "jobRadius", message: "is too small" },
          ],
        },
      },
      ["rejected: ", "vehicleName: is not known", "jobRadius: is too small"],
    ],
    [
      "400 with a list",
      { status: 400, body: [{ errorCode: 7, errorMessage: "No such vehicle", offendingFields: ["vehicleName"] }] },
      ["rejected: ", "vehicleName: No such vehicle"],
    ],
    [
      "409 with one",
      { status: 409, body: { errorMessage: "Taken", offendingFields: ["jobNumber"] } },
      ["conflict: ", "jobNumber: Taken", 'The job number is taken, perhaps by this job. Call list_jobs with where "jobNumber=J-5"'],
    ],
    ["403 with nothing", { status: 403 }, ["forbidden: "]],
    ["429", { status: 429 }, ["rateLimited: ", "Wait"]],
  ])("a refusal with the number, and that no job was created: %s", async (_, reply, expected) => {
    const { failure } = await jobs(() => reply);
    const error = await failure("create_job", { ...PLACE, jobNumber: "J-5" });
    for (const part of [...expected, "This call created no job.", "Job number used: J-5.", "Next: "]) expect(error).toContain(part);
    expect(error.includes("is taken")).toBe(expected.length > 2 && error.startsWith("conflict"));
  });

  it("a taken number without naming a tool that is not offered", async () => {
    const { another } = await jobs(() => ({ body: { errors: [{ field: "jobNumber", message: "exists" }] } }));
    const { text } = await another({ tools: ["create_job"] }).call("create_job", { ...PLACE, jobNumber: "J1" });
    expect(text).toContain("Look for J1 in the service's own job list before you try again.");
  });

  it("that no job was created if the token service refused", async () => {
    const { failure, service, sent } = await jobs();
    service.script.requestAccessToken = () => ({ body: { success: false } });
    expect(await failure("create_job", PLACE)).toMatch(/^unauthorized: .*This call created no job\./);
    expect(sent()).toEqual([]);
  });

  it.each<[string, Reply]>([
    ["the connection breaks after the request was read", "reset"],
    ["no response in time", "silence"],
    ["the service fails", { status: 503 }],
    ["the response is not JSON", { body: "<html>" }],
    ["the response has another shape", { body: [] }],
    ["the response mentions no job", { body: {} }],
  ])("an unknown outcome, with the number to look for: %s", async (_, reply) => {
    const { failure, sent, another } = await servedWrites({ script: { createJob: () => reply }, env: NEVER, config: { timeout: 500 } });
    const error = await failure("create_job", PLACE);
    const [{ jobNumber } = {}] = sent();
    expect([sent().length, jobNumber]).toEqual([1, expect.stringMatching(GENERATED)]);
    expect(error).toMatch(/^unknownOutcome: /);
    const next = `Next: Call list_jobs with where "jobNumber=${jobNumber}" and look for ${jobNumber} before you try again. If it is not there, call again with the same arguments and this jobNumber`;
    for (const part of ["Whether anything changed is unknown.", `Job number used: ${jobNumber}.`, next]) expect(error).toContain(part);
    expect(error).not.toContain("This call created no job");
    const { text } = await another({ jobNumbers: "service" }).call("create_job", PLACE);
    expect(text).toMatch(/^unknownOutcome: (?!.*[Jj]ob number)/);
  });
});

const refusal = { field: "vehicleName", message: "is not known" };

/** Ways in which a creation is approved. */
const APPROVALS: [string, (tools: FleetTools, args: Args) => ReturnType<FleetTools["call"]>][] = [
  ["by the program", (tools, args) => tools.call("create_job", args, { approved: true })],
  ["with an idempotency key", (tools, args) => tools.call("create_job", args, { approved: true, idempotencyKey: "run-1" })],
  [
    "with a token",
    async (tools, args) => {
      const { confirmation } = recordOf(await tools.call("create_job", args));
      return tools.call("create_job", { ...args, confirmation });
    },
  ],
];

describe.each(APPROVALS)("a creation approved %s", (_, create) => {
  it.each<[string, (sent: Args) => unknown, string, string]>([
    ["errors and an empty job", () => ({ job: {}, errors: [refusal] }), "rejected", "is not known"],
    ["errors as texts and an echo", (sent) => ({ job: sent, errors: ["is not known"] }), "rejected", "is not known"],
    ["errors by field and nulls", () => ({ job: { jobId: null }, errors: { vehicleName: "is not known" } }), "rejected", "is not known"],
    ["a taken number", () => ({ job: {}, errors: [{ field: "jobNumber", message: "exists" }] }), "rejected", "The job number is taken"],
    ["an echo", (sent) => ({ job: sent }), "unknownOutcome", "Call list_jobs"],
    ["an empty job", () => ({ job: {} }), "unknownOutcome", "Call list_jobs"],
  ])("that gets %s is not told as created, with or without a store", async (_, response, code, text) => {
    const fleet = await servedWrites({
      script: { createJob: ({ body }) => ({ body: response(body) }) },
      env: { FLEET_SEAL_KEY: SEAL_KEY },
    });
    for (const tools of [fleet.tools, fleet.another({}, { writeStore: memoryStore().connect().store })]) {
      const result = await create(tools, { ...PLACE, jobNumber: "J-1" });
      expect(recordOf(result).error).toMatchObject({ code, jobNumber: "J-1", changed: code === "rejected" ? "no" : "unknown" });
      for (const part of [text, "Job number used: J-1."]) expect(result.text).toContain(part);
      expect(result.text).not.toContain("Job created");
    }
    expect(fleet.sent()).toHaveLength(2);
  });

  it.each<[string, object, object]>([
    ["only an id", { jobId: "j1" }, { jobNumber: "J-1", jobId: "j1" }],
    ["its number as a number", { jobId: "j1", jobNumber: 4711 }, { jobNumber: "4711", jobId: "j1" }],
    ["the service's own number", { jobNumber: "S-9" }, { jobNumber: "S-9" }],
  ])("that gets %s is told with its number", async (_, job, shown) => {
    const { tools } = await servedWrites({ script: { createJob: () => ({ body: { job, errors: "late" } }) } });
    const result = await create(tools, { ...PLACE, jobNumber: "J-1" });
    expect(recordOf(result).job).toEqual(shown);
    expect(result.text).toContain("Job created. The service remarked: “job: late”");
  });
});

describe("a job whose number is taken while its first attempt may still run", () => {
  it.each<[string, number, boolean, Record<string, string>, RegExp]>([
    ["is created once the first is refused", 500, false, {}, /^Job created\.(?! Inferred)/],
    ["is unknown if the first runs longer", 2_500, false, {}, /^unknownOutcome: /],
    ["is inferred once it is listed", 500, true, {}, /^Job created\. Inferred: /],
    ["is unknown without a list", 500, true, { FLEET_API_HOST: "" }, /^unknownOutcome: /],
  ])("%s", async (_, runs, creates, env, text) => {
    const held = new Set<unknown>();
    const created: unknown[] = [];
    let attempts = 0;
    const script: Script = {
      listJobs: () => ({ body: { total: created.length, jobs: created.map((jobNumber) => ({ jobNumber })) } }),
      createJob: async ({ body: { jobNumber } }) => {
        if (held.has(jobNumber)) return { body: { job: {}, errors: [{ field: "jobNumber", message: "already exists" }] } };
        held.add(jobNumber);
        if (++attempts === 1) {
          await delay(runs);
          if (!creates) held.delete(jobNumber);
          if (!creates) return { body: { errors: [{ field: "notes", message: "too long" }] } };
        }
        created.push(jobNumber);
        return { body: { job: { jobId: "j1", jobNumber } } };
      },
    };
    const { tools } = await servedWrites({
      script,
      env: { ...NEVER, ...env },
      config: { timeout: 200, retries: 1 },
      options: { callTimeout: 2_000, now: Date.now },
    });
    const result = await tools.call("create_job", PLACE);
    expect(result.text).toMatch(text);
    expect(result.text).toMatch(/(jobNumber: |Job number used: )FW-/);
    expect(created.length).toBeLessThanOrEqual(1);
    if (result.ok) expect(result.text).toContain(String(created[0]));
  });
});

describe("where the service placed an address", () => {
  const LYON = { lat: 45.75, lng: 4.83 };
  const MUNICH = { lat: 48.14, lng: 11.58 };
  const gazetteer = () => import("../../src/gazetteer.generated.ts");
  const placed = async (address: string, job: object, options: Parameters<typeof servedWrites>[0] = { options: { gazetteer } }) =>
    (await servedWrites({ script: { createJob: () => ({ body: { job: { jobId: "j1", ...job } } }) }, env: NEVER, ...options })).text(
      "create_job",
      { address },
    );

  it.each<[string, string, object, RegExp | undefined]>([
    ["in its town", "Quai Perrache 10, 69002 Lyon, France", LYON, undefined],
    ["in its town, under another name", "Marienplatz 1, 80331 Monaco di Baviera", MUNICH, undefined],
    [
      "far from its town",
      "Quai Perrache 10, 69002 Lyon, France",
      MUNICH,
      /The service placed the address 5\d\d km from Lyon: tell the user/,
    ],
    ["far from a town in another language", "Marienplatz 1, 80331 Múnich", LYON, /km from Munich/],
    ["in a street named after another town", "Berliner Straße 1, Via Roma, Lyon", LYON, undefined],
    ["in a town that is named in part", "Rathausplatz 1, Frankfurt", LYON, undefined],
    ["in a smaller town of that name", "Basiliekstraat 1, Halle", { lat: 50.73, lng: 4.24 }, undefined],
    ["far from all towns of that name", "Basiliekstraat 1, Halle", MUNICH, /The service placed the address 4\d\d km from Halle/],
    ["without a town", "the old mill", MUNICH, undefined],
    ["without a point", "Lyon", {}, undefined],
  ])("is remarked if it is far away: %s", async (_, address, job, expected) => {
    const text = await placed(address, job);
    if (expected) expect(text).toMatch(expected);
    else expect(text).not.toContain("The service placed");
  });

  it("is not looked at without a map of towns, or if it cannot be loaded", async () => {
    for (const options of [{}, { gazetteer: () => Promise.reject(new Error("offline")) }])
      expect(await placed("Lyon", MUNICH, { options })).not.toContain("The service placed");
  });
});
