import { describe, expect, it } from "vitest";
import type { Reply } from "../../tools/test/fleet-service.ts";
import { errorOf, type ServerUnderTest, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const PLACE = { address: "Quai Perrache 10, 69002 Lyon, France" };
const GENERATED_NUMBER = /^FW-\d{8}-[0-9A-HJKMNP-TV-Z]{10}$/;

/** Responds like the service: the job as sent, plus what the service adds. */
const created = ({ body }: { body: object }): Reply => ({ body: { job: { ...body, jobId: "j77", status: "ASSIGNED", jobRadius: 200 } } });

const sent = ({ service }: ServerUnderTest) => service.of("createJob").map(({ body }) => body);

const EVERY_FIELD = {
  jobNumber: "J-1",
  jobTitle: "Deliver 4 pallets",
  clientName: "Client Ltd",
  accountNumber: "A7",
  contactName: "Contact",
  contactEmail: "contact@client.example",
  contactPhone: "+33 4 00 00 00 00",
  notes: "Ring at gate 3\nthen wait",
  ...PLACE,
  lat: 45.7485,
  lng: 4.8204,
  scheduledStartDateTime: "2026-11-20T08:30Z",
  arrivalWindowStart: "2026-11-20T13:00Z",
  arrivalWindowEnd: "2026-11-20T15:00Z",
  jobDuration: "01:30",
  personId: "p501",
  personName: "Carla Conti",
  vehicleId: "v1011",
  vehicleName: "Truck 12",
  groupName: "North",
  orderNumbers: ["O1", "O2"],
  status: "ASSIGNED",
  jobRadius: 150,
  primaryResource: "VEHICLE",
  jobTypeId: "t1",
};

describe("create_job sends", () => {
  it("every given field, unchanged", async () => {
    const server = await serverUnderTest({ script: { createJob: created } });
    await server.call("create_job", { ...EVERY_FIELD, override: false });
    const [request] = server.service.of("createJob");
    expect(request?.body).toEqual(EVERY_FIELD);
    expect(request?.url.search).toBe("?override=false");
    expect(request?.headers).toMatchObject({ "x-connect-token": "TOKEN issued-token", "content-type": "application/json" });
    expect(request?.headers.authorization).toBeUndefined();
  });

  it("the given fields and a job number, nothing else", async () => {
    const server = await serverUnderTest({ script: { createJob: created } });
    await server.call("create_job", PLACE);
    await server.call("create_job", { lat: 45.7, lng: 4.8 });
    expect(sent(server)).toEqual([
      { ...PLACE, jobNumber: expect.stringMatching(GENERATED_NUMBER) },
      { lat: 45.7, lng: 4.8, jobNumber: expect.stringMatching(GENERATED_NUMBER) },
    ]);
    expect(sent(server)[0].jobNumber).not.toBe(sent(server)[1].jobNumber);
    expect(server.service.of("createJob").map(({ url }) => url.search)).toEqual(["", ""]);
  });

  it("no number if the service assigns them", async () => {
    const server = await serverUnderTest({ script: { createJob: created }, env: { FLEET_JOB_NUMBERS: "service" } });
    await server.call("create_job", PLACE);
    expect(sent(server)).toEqual([PLACE]);
  });

  it.each([
    ["2026-11-20T08:30Z", "2026-11-20T08:30Z"],
    ["2026-11-20T08:30:59Z", "2026-11-20T08:30Z"],
    ["2026-11-20T09:30+01:00", "2026-11-20T08:30Z"],
    ["2026-11-20T08:30", "2026-11-20T08:30Z"],
  ])("the time %s as %s", async (given, wire) => {
    const server = await serverUnderTest({ script: { createJob: created } });
    await server.call("create_job", { ...PLACE, scheduledStartDateTime: given, arrivalWindowStart: given });
    expect(sent(server)[0]).toMatchObject({ scheduledStartDateTime: wire, arrivalWindowStart: wire });
  });
});

describe("create_job reports", () => {
  it("the created job, number first", async () => {
    const listLivePositions = () => ({ body: [{ assetId: "v12", assetName: "Truck 12" }] });
    const server = await serverUnderTest({ script: { createJob: created, listLivePositions } });
    const result = await server.call("create_job", { ...PLACE, vehicleName: "Truck 12", notes: "a\nb" });
    const { jobNumber } = sent(server)[0];
    expect(structuredOf(result)).toEqual({
      job: { jobNumber, ...PLACE, vehicleName: "Truck 12", notes: "a b", jobId: "j77", status: "ASSIGNED", jobRadius: 200 },
      note: "Job created.",
    });
    expect(textOf(result).split("\n")).toEqual([
      "Job created.",
      `jobNumber: ${jobNumber}`,
      "notes: a b",
      `address: ${PLACE.address}`,
      "vehicleName: Truck 12",
      "jobId: j77",
      "status: ASSIGNED",
      "jobRadius: 200",
    ]);
  });

  it("a job without the empty strings that hosts send for missing values", async () => {
    const server = await serverUnderTest({ script: { createJob: created } });
    await server.call("create_job", { lat: 45, lng: 4, address: "", vehicleName: "", personId: "", jobNumber: "", notes: "" });
    expect(sent(server)).toEqual([{ lat: 45, lng: 4, jobNumber: expect.stringMatching(/^FW-/) }]);
  });

  it("remarks of the service on a job it accepted", async () => {
    const errors = [{ field: "groupName", message: "is not known\r\n;root used" }, { message: "twice" }];
    const server = await serverUnderTest({ script: { createJob: () => ({ body: { job: { jobNumber: "J1" }, errors } }) } });
    const result = await server.call("create_job", PLACE);
    expect(textOf(result)).toBe("Job created. The service remarked: “groupName: is not known ;root used; job: twice”\njobNumber: J1");
    expect(structuredOf(result).note).toBe("Job created. The service remarked: “groupName: is not known ;root used; job: twice”");
  });

  it("an inferred creation if the response was lost and its number is then refused", async () => {
    const replies: Reply[] = ["reset", { body: { errors: [{ field: "jobNumber", message: "is taken" }] } }];
    const server = await serverUnderTest({ script: { createJob: () => replies.shift() ?? { status: 500 } }, retries: 1 });
    const result = await server.call("create_job", PLACE);
    const [{ jobNumber }] = sent(server);
    expect(structuredOf(result)).toEqual({ job: { jobNumber }, note: expect.stringMatching(/^Job created\. Inferred: /) });
    expect(textOf(result)).toMatch(/^Job created\. Inferred: /);
    expect(textOf(result)).toContain(`\njobNumber: ${jobNumber}`);
    expect(sent(server)).toEqual([
      { ...PLACE, jobNumber },
      { ...PLACE, jobNumber },
    ]);
  });

  it("an unknown outcome if the response mentions no job", async () => {
    const server = await serverUnderTest({ script: { createJob: () => ({ body: {} }) } });
    const result = await server.call("create_job", PLACE);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^unknownOutcome: .* Next: Call list_jobs with .*FW-\S+ and look for FW-\S+ before you try again/);
  });
});

const REFUSED: [string, Record<string, unknown>, string][] = [
  [
    "a date without a time",
    { ...PLACE, scheduledStartDateTime: "2026-05-06" },
    "scheduledStartDateTime: must include a time. This call sent nothing. Next: Pass date and time in UTC, such as 2026-11-20T08:30Z.",
  ],
  [
    "a date without a time, which could have the month first",
    { ...PLACE, scheduledStartDateTime: "2026-11-20" },
    "scheduledStartDateTime: must be ",
  ],
  ["a window's date without a time", { ...PLACE, arrivalWindowEnd: "2026-05-06" }, "arrivalWindowEnd: must be "],
  ["an impossible date", { ...PLACE, scheduledStartDateTime: "2026-02-30T08:00Z" }, "scheduledStartDateTime: must be "],
  ["words", { ...PLACE, arrivalWindowStart: "tomorrow" }, "such as 2026-11-20T08:30:00Z"],
  ["no place", { jobTitle: "x" }, "address: is required unless lat and lng are given"],
  ["lat alone", { lat: 45 }, "lng: is required when lat is given"],
  ["lng alone", { ...PLACE, lng: 4 }, "lat: is required when lng is given"],
  ["lat off the globe", { lat: 91, lng: 4 }, "lat: "],
  ["a later status", { ...PLACE, status: "MISSED" }, "status: "],
  ["an id that would alter the URL", { ...PLACE, vehicleId: "../v1" }, "vehicleId: must consist of letters and digits only"],
  ["a number with a decimal comma", { lat: "45,7", lng: 4.8 }, "lat: "],
  ["half a metre", { ...PLACE, jobRadius: 0.5 }, "jobRadius: "],
  ["order numbers as a single text", { ...PLACE, orderNumbers: "O1,O2" }, "orderNumbers: "],
  ["a field meant for programs", { ...PLACE, resources: [] }, "resources: is not a field of create_job"],
  ["an unknown field", { ...PLACE, colour: "red" }, "colour: is not a field of create_job"],
];

describe("create_job sends nothing for", () => {
  it.each(REFUSED)("%s", async (_, args, expected) => {
    const server = await serverUnderTest({ script: { createJob: created } });
    const error = errorOf(await server.call("create_job", args));
    expect(error).toMatch(/^input: /);
    expect(error).toContain(expected);
    expect(error).toContain("Next: ");
    expect(server.service.received).toEqual([]);
  });
});

const REFUSALS: [string, Reply, string[]][] = [
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
    { status: 409, body: { errorMessage: "The number is taken", offendingFields: ["jobNumber"] } },
    ["conflict: ", "jobNumber: The number is taken"],
  ],
  ["403 with nothing", { status: 403 }, ["forbidden: "]],
  ["429", { status: 429 }, ["rateLimited: ", "Wait"]],
];

describe("a refusal of create_job by the service", () => {
  it.each(REFUSALS)("%s is reported with the number, and that no job was created", async (_, reply, expected) => {
    const server = await serverUnderTest({ script: { createJob: () => reply } });
    const error = errorOf(await server.call("create_job", { ...PLACE, jobNumber: "J-5" }));
    for (const part of [...expected, "This call created no job.", "Job number used: J-5.", "Next: "]) expect(error).toContain(part);
  });

  it("by the token service means for certain that no job was created", async () => {
    const server = await serverUnderTest({ script: { createJob: created, requestAccessToken: () => ({ body: { success: false } }) } });
    const error = errorOf(await server.call("create_job", PLACE));
    expect(error).toMatch(/^unauthorized: /);
    expect(error).toContain("This call created no job.");
    expect(sent(server)).toEqual([]);
  });
});

describe("a lost response of create_job", () => {
  it.each<[string, Reply]>([
    ["the connection breaks after the request was read", "reset"],
    ["no response in time", "silence"],
    ["the service fails", { status: 503 }],
    ["the response is not JSON", { body: "<html>" }],
    ["the response has another shape", { body: [] }],
  ])("%s: the outcome is reported as unknown, with the number to look for", async (_, reply) => {
    const server = await serverUnderTest({ script: { createJob: () => reply }, ...(reply === "silence" && { timeout: 1_000 }) });
    const error = errorOf(await server.call("create_job", PLACE));
    const numbers = new Set(sent(server).map(({ jobNumber }) => jobNumber));
    const [number] = numbers;
    expect(numbers.size).toBe(1);
    expect(number).toMatch(GENERATED_NUMBER);
    expect(error).toMatch(/^unknownOutcome: /);
    expect(error).toContain("Whether anything changed is unknown.");
    expect(error).toContain(`Job number used: ${number}.`);
    expect(error).not.toContain("This call created no job");
  });

  it("if the service assigns numbers, there is none to report", async () => {
    const server = await serverUnderTest({ script: { createJob: () => "reset" }, env: { FLEET_JOB_NUMBERS: "service" } });
    const error = errorOf(await server.call("create_job", PLACE));
    expect(error).toMatch(/^unknownOutcome: /);
    expect(error).not.toContain("Job number");
    expect(sent(server)).toHaveLength(1);
  });
});
