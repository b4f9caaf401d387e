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
    ["words", { arrivalWindowStart: "tomorrow" }, "such as 2026-11-20T08:30:00Z"],
    ["no place", { lat: undefined, lng: undefined }, "address: is required unless lat and lng are given"],
    ["lat alone", { lng: undefined }, "lng: is required when lat is given"],
    ["a later status", { status: "MISSED" }, "status: "],
    ["an id that would alter the URL", { vehicleId: "../v1" }, "vehicleId: must consist of letters and digits only"],
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

/** Ways in which a creation is approved. */
const APPROVALS: ((tools: FleetTools, args: Args) => ReturnType<FleetTools["call"]>)[] = [
  (tools, args) => tools.call("create_job", args, { approved: true }),
  (tools, args) => tools.call("create_job", args, { approved: true, idempotencyKey: "run-1" }),
  async (tools, args) => {
    const { confirmation } = recordOf(await tools.call("create_job", args));
    return tools.call("create_job", { ...args, confirmation });
  },
];

describe("however a creation was approved, with or without a store, a response with", () => {
  const errors = [{ field: "vehicleName", message: "is not known" }];

  it.each<[string, (sent: Args) => unknown, string, string]>([
    ["errors and an empty job is a rejection", () => ({ job: {}, errors }), "rejected", "is not known"],
    ["errors and an echo is a rejection", (sent) => ({ job: sent, errors: ["is not known"] }), "rejected", "is not known"],
    ["a taken number is a rejection", () => ({ job: {}, errors: [{ field: "jobNumber" }] }), "rejected", "The job number is taken"],
    ["an echo leaves the outcome unknown", (sent) => ({ job: sent }), "unknownOutcome", "Call list_jobs"],
  ])("%s", async (_, response, code, text) => {
    const fleet = await servedWrites({
      script: { createJob: ({ body }) => ({ body: response(body) }) },
      env: { FLEET_SEAL_KEY: SEAL_KEY },
    });
    for (const create of APPROVALS) {
      for (const tools of [fleet.another(), fleet.another({}, { writeStore: memoryStore().connect().store })]) {
        const result = await create(tools, { ...PLACE, jobNumber: "J-1" });
        expect(recordOf(result).error).toMatchObject({ code, jobNumber: "J-1", changed: code === "rejected" ? "no" : "unknown" });
        for (const part of [text, "Job number used: J-1."]) expect(result.text).toContain(part);
        expect(result.text).not.toContain("Job created");
      }
    }
    expect(fleet.sent()).toHaveLength(6);
  });

  it.each<[string, object, object]>([
    ["only an id is the job", { jobId: "j1" }, { jobNumber: "J-1", jobId: "j1" }],
    ["the service's own number is the job", { jobNumber: 4711 }, { jobNumber: "4711" }],
  ])("%s", async (_, job, shown) => {
    const { another } = await servedWrites({ script: { createJob: () => ({ body: { job } }) } });
    for (const create of APPROVALS) expect(recordOf(await create(another(), { ...PLACE, jobNumber: "J-1" })).job).toEqual(shown);
  });
});

describe("a preview of create_job begins with", () => {
  const WINDOW = { arrivalWindowStart: "2026-11-20T13:00Z", arrivalWindowEnd: "2026-11-20T15:00Z" };
  const NO_WINDOW = { arrivalWindowStart: "", arrivalWindowEnd: "" };
  const LISTED = { jobNumber: "FW-1", status: "ASSIGNED", address: "Quai Perrache 10, 69002 Lyon", vehicleName: "Truck 12", ...WINDOW };
  const { jobNumber: _, status: __, ...AGAIN } = LISTED;
  const CHANGES_NONE = (status: string) =>
    `Creates a new job that is ${status} from the start. It changes and cancels no existing job: the interface offers neither.`;
  const repeats = (jobs: string) => `Same place, time or vehicle as the existing job ${jobs}, which stays as it is.`;

  it.each<[what: string, args: Args, listed: Reply, first: string[]]>([
    [
      "the job that somebody may want to cancel",
      { ...AGAIN, status: "CANCELLED" },
      { body: { jobs: [LISTED] } },
      [CHANGES_NONE("CANCELLED"), repeats("FW-1 (ASSIGNED)")],
    ],
    ["nothing of other jobs", { ...AGAIN, address: "Kai 1, Hamburg" }, { body: { jobs: [LISTED] } }, []],
    ["what it does not change", { ...AGAIN, status: "VISITED" }, { body: { jobs: [] } }, [CHANGES_NONE("VISITED")]],
    ["nothing of a usual status", { ...AGAIN, status: "ASSIGNED" }, { body: [] }, []],
    ["a job that it repeats", AGAIN, { body: [LISTED] }, [repeats("FW-1 (ASSIGNED)")]],
    ["one written in another way", { ...AGAIN, address: "QUAI PERRACHE 10 69002 LYON" }, { body: [LISTED] }, [repeats("FW-1 (ASSIGNED)")]],
    ["one without a window", { ...AGAIN, arrivalWindowStart: "", arrivalWindowEnd: "" }, { body: [LISTED] }, [repeats("FW-1 (ASSIGNED)")]],
    ["nothing of another day", { ...AGAIN, arrivalWindowStart: "2026-11-21T13:00Z", arrivalWindowEnd: "" }, { body: [LISTED] }, []],
    ["nothing of another vehicle", AGAIN, { body: [{ ...LISTED, vehicleName: "Truck 1" }] }, []],
    ["nothing of a job that shares only the address", AGAIN, { body: [{ jobNumber: "FW-1", address: AGAIN.address }] }, []],
    [
      "one at the same point",
      { lat: 45.5, lng: 4.5, vehicleId: "v1" },
      { body: [{ jobNumber: 7, lat: 45.5005, lng: 4.5, vehicleId: "v1" }] },
      [repeats("7")],
    ],
    [
      "the first of several",
      AGAIN,
      { body: [1, 2, 3, 4, 5].map((jobNumber) => ({ ...AGAIN, jobNumber })) },
      [repeats("1, 2, 3 and 2 more")],
    ],
    ["nothing if jobs cannot be read", AGAIN, { status: 403 }, []],
    ["nothing if they are not read in time", AGAIN, "silence", []],
    ...(
      [
        ["with its country", { ...AGAIN, address: `${AGAIN.address}, France` }, LISTED],
        ["with the number first", { ...AGAIN, address: "10 Quai Perrache, Lyon" }, LISTED],
        ["with an abbreviation", { ...AGAIN, address: "Hauptstr. 5, Köln" }, { ...LISTED, address: "Hauptstraße 5, 50667 Koeln" }],
        ["by a point and another description", { ...AGAIN, ...PLACE, address: "Gate 3" }, { ...LISTED, ...PLACE }],
        ["by a point under other names", { ...PLACE, ...AGAIN, address: "" }, { ...LISTED, latitude: 45.5, longitude: 4.5 }],
        ["at a time in its window", { ...AGAIN, ...NO_WINDOW, scheduledStartDateTime: "2026-11-20T13:30Z" }, LISTED],
        ["in a window around its time", AGAIN, { ...LISTED, ...NO_WINDOW, scheduledStartDateTime: "2026-11-20T14:00:00Z" }],
        ["in a window that overlaps", { ...AGAIN, arrivalWindowStart: "2026-11-20T14:30Z", arrivalWindowEnd: "2026-11-20T17:00Z" }, LISTED],
        ["of a vehicle by its id", { ...AGAIN, ...NO_WINDOW, vehicleName: "", vehicleId: "v12" }, LISTED],
        [
          "of a driver",
          { address: AGAIN.address, personName: "Anna" },
          { jobNumber: "FW-1", status: "ASSIGNED", address: AGAIN.address, personName: "Anna" },
        ],
      ] satisfies [string, Args, object][]
    ).map(([how, args, job]): [string, Args, Reply, string[]] => [`one ${how}`, args, { body: [job] }, [repeats("FW-1 (ASSIGNED)")]]),
    ["nothing of another house", { ...AGAIN, address: "Quai Perrache 12, Lyon", ...PLACE }, { body: [{ ...LISTED, ...PLACE }] }, []],
    ["nothing of the whole town", { ...AGAIN, address: "69002 Lyon" }, { body: [LISTED] }, []],
    [
      "nothing of the next window",
      { ...AGAIN, arrivalWindowStart: "2026-11-20T15:00Z", arrivalWindowEnd: "2026-11-20T17:00Z" },
      { body: [LISTED] },
      [],
    ],
    ["nothing of an id of another vehicle", { ...AGAIN, vehicleName: "", vehicleId: "v1" }, { body: [LISTED] }, []],
    ["one in a map by id", AGAIN, { body: { jobs: { j1: { ...LISTED, jobNumber: undefined } } } }, [repeats("j1 (ASSIGNED)")]],
    ["one in one of two lists", AGAIN, { body: { active: [], archived: [LISTED] } }, [repeats("FW-1 (ASSIGNED)")]],
    [
      "how many of the jobs it was compared with",
      AGAIN,
      { body: { jobs: [LISTED], total: 900 } },
      [repeats("FW-1 (ASSIGNED)"), "The service lists more jobs than the 1 that this one was compared with."],
    ],
  ])("%s", async (_, args, listed, first) => {
    const { tools } = await servedWrites({ script: { listJobs: () => listed } });
    const preview = await tools.byName.get("create_job")?.preview(args);
    const lines = preview?.text.split("\n") ?? [];
    expect(
      lines.slice(
        1,
        lines.findIndex((line) => /^(address|lat):/.test(line)),
      ),
    ).toEqual(first);
  });

  it("nothing where nobody is asked; the result says it", async () => {
    const { text } = await jobs();
    expect(await text("create_job", { ...PLACE, status: "CANCELLED" })).toContain(CHANGES_NONE("CANCELLED"));
  });
});
