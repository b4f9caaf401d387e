import { describe, expect, it } from "vitest";
import { fastClock } from "../../../core/test/fast-clock.ts";
import type { FleetTools } from "../../src/index.ts";
import type { Reply, Script } from "../served-fleet.ts";
import { type Args, memoryStore, PLACE, recordOf, SEAL_KEY, servedWrites } from "./served-writes.ts";

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

  it("times in UTC", async () => {
    const { text, sent } = await jobs();
    const [scheduledStartDateTime, arrivalWindowStart, arrivalWindowEnd] = ["08:30:59Z", "09:30+01:00", "08:30"].map(
      (at) => `2026-11-20T${at}`,
    );
    await text("create_job", { ...PLACE, scheduledStartDateTime, arrivalWindowStart, arrivalWindowEnd });
    const { lat: _, lng: __, jobNumber: ___, ...times } = sent()[0] ?? {};
    expect(new Set(Object.values(times))).toEqual(new Set(["2026-11-20T08:30Z"]));
  });
});

describe("create_job sends nothing for", () => {
  it.each<[string, Args, string]>([
    ["no time", { scheduledStartDateTime: "2026-05-06" }, "must include a time. This call sent nothing. Next: Pass date and time in UTC"],
    ["a date that could have the month first", { scheduledStartDateTime: "2026-11-20" }, "scheduledStartDateTime: must be "],
    ["words", { arrivalWindowStart: "tomorrow" }, "such as 2026-11-20T08:30:00Z"],
    ["no place", { lat: undefined, lng: undefined }, "address: is required unless lat and lng are given"],
    ["lat alone", { lng: undefined }, "lng: is required when lat is given"],
    ["a later status", { status: "MISSED" }, "status: "],
    ["an id that would alter the URL", { vehicleId: "../v1" }, "vehicleId: must consist of letters and digits only"],
    ["a field meant for programs", { resources: [] }, "resources: is not a field of create_job"],
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
    const numbers: unknown[] = [];
    const { text } = await servedWrites({
      script: { createJob: () => ({ body: { job: { jobNumber: "S1" } } }) },
      env: { ...NEVER, FLEET_JOB_NUMBERS: "service" },
      options: { onWrite: ({ jobNumber }) => numbers.push(jobNumber) },
    });
    expect(await text("create_job", PLACE)).toContain("jobNumber: S1");
    expect(numbers).toEqual([undefined, "S1"]);
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

  const TAKEN = { errorMessage: "Taken", offendingFields: ["jobNumber"] };
  const LOOK_UP = 'The job number is taken, perhaps by this job. Call list_jobs with where "jobNumber=J-5"';

  it.each<[string, Reply, string[]]>([
    ["errors", { body: { errors: [{ field: "vehicleName", message: "is not known" }] } }, ["rejected: ", "vehicleName: is not known"]],
    ["a conflict", { status: 409, body: TAKEN }, ["conflict: ", "jobNumber: Taken", LOOK_UP]],
    ["a limit", { status: 429 }, ["rateLimited: ", "Wait"]],
  ])("a refusal with the number, and that no job was created: %s", async (_, reply, expected) => {
    const { failure } = await jobs(() => reply);
    const error = await failure("create_job", { ...PLACE, jobNumber: "J-5" });
    for (const part of [...expected, "This call created no job.", "Job number used: J-5.", "Next: "]) expect(error).toContain(part);
    expect(error.includes("is taken")).toBe(expected.includes(LOOK_UP));
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

  it("an unknown outcome, with the number to look for", async () => {
    const { failure, sent, another } = await jobs(() => "reset");
    const error = await failure("create_job", PLACE);
    const [{ jobNumber } = {}] = sent();
    expect([sent().length, jobNumber]).toEqual([1, expect.stringMatching(GENERATED)]);
    const next = `Next: Call list_jobs with where "jobNumber=${jobNumber}" and look for ${jobNumber} before you try again. If it is not there, call again with the same arguments and this jobNumber`;
    for (const part of ["Whether anything changed is unknown.", `Job number used: ${jobNumber}.`, next]) expect(error).toContain(part);
    expect(error).toMatch(/^unknownOutcome: (?!.*This call created no job)/);
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
  it.each<[string, (sent: Args) => unknown, string, string]>([
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
  const between = (start: string, end: string) => ({ arrivalWindowStart: `2026-11-20T${start}Z`, arrivalWindowEnd: `2026-11-20T${end}Z` });
  const AGAIN = { address: "Quai Perrache 10, 69002 Lyon", vehicleName: "Truck 12", ...WINDOW };
  const LISTED = { ...AGAIN, jobNumber: "FW-1", status: "ASSIGNED" };
  const changesNone = (status: string) =>
    `Creates a new job that is ${status} from the start. It changes and cancels no existing job: the interface offers neither.`;
  const repeats = (jobs: string) => `Same place, time or vehicle as the existing job ${jobs}, which stays as it is.`;
  const FW_1 = repeats("FW-1 (ASSIGNED)");

  async function beginning(args: Args, listed: Reply) {
    const { tools } = await servedWrites({ script: { listJobs: () => listed } });
    const lines = (await tools.byName.get("create_job")?.preview(args))?.text.split("\n") ?? [];
    const end = lines.findIndex((line) => /^(address|lat):/.test(line));
    return lines.slice(1, end);
  }

  it.each<[what: string, args: Args, listed?: object]>([
    ["a job that it repeats", AGAIN],
    ["one written in another way", { ...AGAIN, address: "QUAI PERRACHE 10 69002 LYON, France" }],
    ["one without a window", { ...AGAIN, ...NO_WINDOW }],
    ["one with the number first", { ...AGAIN, address: "10 Quai Perrache, Lyon" }],
    ["one with an abbreviation", { ...AGAIN, address: "Hauptstr. 5, Köln" }, { ...LISTED, address: "Hauptstraße 5, 50667 Koeln" }],
    ["one by a point and another description", { ...AGAIN, ...PLACE, address: "Gate 3" }, { ...LISTED, ...PLACE }],
    ["one by a point under other names", { ...PLACE, ...AGAIN, address: "" }, { ...LISTED, latitude: 45.5005, longitude: 4.5 }],
    ["one at a time in its window", { ...AGAIN, ...NO_WINDOW, scheduledStartDateTime: "2026-11-20T13:30Z" }],
    ["one in a window around its time", AGAIN, { ...LISTED, ...NO_WINDOW, scheduledStartDateTime: "2026-11-20T14:00:00Z" }],
    ["one in a window that overlaps", { ...AGAIN, ...between("14:30", "17:00") }],
    ["one of a vehicle by its id", { ...AGAIN, ...NO_WINDOW, vehicleName: "", vehicleId: "v12" }],
    ["one of a driver", { address: AGAIN.address, personName: "Anna" }, { ...LISTED, vehicleName: "", personName: "Anna" }],
  ])("%s", async (_, args, listed = LISTED) => expect(await beginning(args, { body: [listed] })).toEqual([FW_1]));

  it.each<[what: string, args: Args, listed?: object]>([
    ["another day", { ...AGAIN, arrivalWindowStart: "2026-11-21T13:00Z", arrivalWindowEnd: "" }],
    ["another vehicle", AGAIN, { ...LISTED, vehicleName: "Truck 1" }],
    ["the same address only", AGAIN, { jobNumber: "FW-1", address: AGAIN.address }],
    ["another house", { ...AGAIN, address: "Quai Perrache 12, Lyon", ...PLACE }, { ...LISTED, ...PLACE }],
    ["the whole town", { ...AGAIN, address: "69002 Lyon" }],
    ["the next window", { ...AGAIN, ...between("15:00", "17:00") }],
    ["an id of another vehicle", { ...AGAIN, vehicleName: "", vehicleId: "v1" }],
    ["a usual status", { ...AGAIN, address: "Kai 1, Hamburg", status: "ASSIGNED" }],
  ])("nothing of %s", async (_, args, listed = LISTED) => expect(await beginning(args, { body: [listed] })).toEqual([]));

  it.each<[what: string, listed: Reply, first: string[]]>([
    ["the first of several", { body: [1, 2, 3, 4, 5].map((jobNumber) => ({ ...AGAIN, jobNumber })) }, [repeats("1, 2, 3 and 2 more")]],
    ["one in a map by id", { body: { jobs: { j1: { ...LISTED, jobNumber: undefined } } } }, [repeats("j1 (ASSIGNED)")]],
    ["one in one of two lists", { body: { active: [], archived: [LISTED] } }, [FW_1]],
    ["nothing if jobs cannot be read", { status: 403 }, []],
    ["nothing if they are not read in time", "silence", []],
    [
      "how many of the jobs it was compared with",
      { body: { jobs: [LISTED], total: 900 } },
      [FW_1, "The service lists more jobs than the 1 that this one was compared with."],
    ],
  ])("%s", async (_, listed, first) => {
    if (listed === "silence") fastClock(50);
    expect(await beginning(AGAIN, listed)).toEqual(first);
  });

  it("what it does not change; where nobody is asked, the result says it", async () => {
    expect(await beginning({ ...AGAIN, status: "CANCELLED" }, { body: [LISTED] })).toEqual([changesNone("CANCELLED"), FW_1]);
    const { text } = await jobs();
    expect(await text("create_job", { ...PLACE, status: "VISITED" })).toContain(changesNone("VISITED"));
  });
});
