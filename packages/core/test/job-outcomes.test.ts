import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";
import { type Answer, DEAD_ORIGIN, endlessBody, reset, silence, truncatedBody } from "./recording-server.ts";

const OURS = /^FW-\d{8}-[0-9A-HJKMNP-TV-Z]{10}$/;
const numberSent = (body: string): unknown => JSON.parse(body).jobNumber;

describe("the number of a job", () => {
  it("is made by the client: FW, the UTC day, ten characters of Crockford's base 32", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: {} } }], now: () => Date.parse("2026-11-20T23:59:59.999Z") });
    await fleet.createJob({ address: "a" });
    expect(numberSent(onlyRequest(api).body)).toMatch(OURS);
    expect(numberSent(onlyRequest(api).body)).toContain("FW-20261120-");
  });

  it("is another one for each job", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: {} } }] });
    await Promise.all(Array.from({ length: 20 }, () => fleet.createJob({ address: "a" })));
    const numbers = api.requests.map(({ body }) => String(numberSent(body)));
    expect(new Set(numbers).size).toBe(20);
    // Two hundred characters that are all from the first half of the alphabet would not be random.
    expect(numbers.map((number) => number.slice(-10)).join("")).toMatch(/[G-Z]/);
  });

  it.each(["client", "service"] as const)("is the caller's own where there is one (%s)", async (jobNumbers) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: {} } }], jobNumbers });
    await fleet.createJob({ address: "a", jobNumber: "MINE-7" });
    expect(numberSent(onlyRequest(api).body)).toBe("MINE-7");
  });

  it("is left to the service where that is configured", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobNumber: "S-1" } } }], jobNumbers: "service" });
    expect(await fleet.createJob({ address: "a" })).toEqual({ job: { jobNumber: "S-1" } });
    expect(JSON.parse(onlyRequest(api).body)).toEqual({ address: "a" });
  });

  it("does not alter the caller's object", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: {} } }] });
    const input = Object.freeze({ address: "a" });
    await fleet.createJob(input);
    expect(input).toEqual({ address: "a" });
  });
});

const lost: { what: string; answer: Answer; status?: number; timeout?: number }[] = [
  { what: "no answer in time", answer: silence, timeout: 200 },
  { what: "half an answer in time", answer: endlessBody, timeout: 200 },
  { what: "a reset", answer: reset },
  { what: "a truncated answer", answer: truncatedBody },
  { what: "408", answer: { status: 408 }, status: 408 },
  { what: "425", answer: { status: 425 }, status: 425 },
  { what: "499", answer: { status: 499 }, status: 499 },
  { what: "500", answer: { status: 500 }, status: 500 },
  { what: "502 with HTML", answer: { status: 502, body: "<html>" }, status: 502 },
  { what: "503", answer: { status: 503 }, status: 503 },
  { what: "an empty 200", answer: { body: "" }, status: 200 },
  { what: "204", answer: { status: 204 }, status: 204 },
  { what: "200 with HTML", answer: { body: "<html>" }, status: 200 },
  { what: "200 with a list", answer: { body: [] }, status: 200 },
  { what: "200 that tells of no job and of no errors", answer: { body: {} }, status: 200 },
  { what: "200 with an empty list of errors", answer: { body: { errors: [] } }, status: 200 },
];

describe("an answer that was lost leaves the outcome unknown", () => {
  it.each(lost)("$what", async ({ answer, status, timeout }) => {
    // Without a token to wait for, the whole timeout is the job's.
    const { fleet, api } = await fleetUnderTest({ api: [answer], authSchemes: { createJob: "basic" } });
    const error = await failure(fleet.createJob({ address: "a" }, { ...(timeout && { timeout }) }));
    expect(error.code).toBe("unknownOutcome");
    expect(error.status).toBe(status);
    expect(error.operation).toBe("createJob");
    expect(error.jobNumber).toMatch(OURS);
    expect(error.jobNumber).toBe(numberSent(onlyRequest(api).body));
    expect(error.advice).toContain(error.jobNumber);
    expect(JSON.parse(JSON.stringify(error)).jobNumber).toBe(error.jobNumber);
  });

  it("with the caller's own number, which is named", async () => {
    const { fleet } = await fleetUnderTest({ api: [reset] });
    expect(await failure(fleet.createJob({ address: "a", jobNumber: "MINE-7" }))).toMatchObject({
      code: "unknownOutcome",
      jobNumber: "MINE-7",
    });
  });

  it("with the service's numbers, where there is none to name", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [reset], jobNumbers: "service" });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error.code).toBe("unknownOutcome");
    expect(error.jobNumber).toBeUndefined();
    expect(error.advice).not.toContain("undefined");
    expect(api.requests).toHaveLength(1);
  });

  it("in strict mode, when it differs from the contract", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: { jobId: 5 } } }], validation: "strict" });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error).toMatchObject({ code: "unknownOutcome", status: 200, jobNumber: expect.stringMatching(OURS) });
  });

  it("when the caller ends it after it was sent", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [silence] });
    const controller = new AbortController();
    const call = failure(fleet.createJob({ address: "a" }, { signal: controller.signal }));
    await api.arrived(1);
    controller.abort();
    expect(await call).toMatchObject({ code: "unknownOutcome", jobNumber: numberSent(onlyRequest(api).body) });
  });
});

describe("an answer that came, or a request that never left, leaves no doubt", () => {
  it.each([
    [400, "rejected"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "notFound"],
    [409, "conflict"],
    [422, "rejected"],
    [429, "rateLimited"],
    [418, "contract"],
  ])("%i: %s, with the number", async (status, code) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status, body: { errorMessage: "no", offendingFields: ["jobNumber"] } }] });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error).toMatchObject({ code, status, errors: [{ errorMessage: "no", offendingFields: ["jobNumber"] }] });
    expect(error.jobNumber).toBe(numberSent(onlyRequest(api).body));
  });

  it("errors and no job: rejected, with the field and the message of each", async () => {
    const errors = [
      { field: "vehicleName", message: "No such vehicle" },
      { field: "personName", message: "Not the default driver" },
      { message: "Something else" },
      { field: "notes" },
    ];
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: null, errors, csvUploadLink: null } }] });
    const error = await failure(fleet.createJob({ address: "a", jobNumber: "MINE-7" }));
    expect(error).toMatchObject({ code: "rejected", status: 200, jobNumber: "MINE-7" });
    expect(error.errors).toEqual([
      { errorMessage: "No such vehicle", offendingFields: ["vehicleName"] },
      { errorMessage: "Not the default driver", offendingFields: ["personName"] },
      { errorMessage: "Something else" },
      { offendingFields: ["notes"] },
    ]);
    expect(error.message).toContain("vehicleName: No such vehicle");
  });

  it.each([
    { what: "a job with errors", body: { job: { jobId: "j1" }, errors: [{ field: "notes", message: "cut" }] } },
    { what: "a job and no errors", body: { job: { jobId: "j1" }, errors: [] } },
  ])("$what is an answer", async ({ body }) => {
    const { fleet } = await fleetUnderTest({ api: [{ body }] });
    expect(await fleet.createJob({ address: "a" })).toEqual(body);
  });

  it("nobody listens: network, for nothing was sent", async () => {
    const { auth } = await fleetUnderTest();
    const { fleet } = await fleetUnderTest({ servers: { job: DEAD_ORIGIN, auth: auth.origin } });
    expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({ code: "network", jobNumber: expect.stringMatching(OURS) });
  });

  it.each(lost.filter(({ timeout }) => !timeout))("no token ($what): no job was sent", async ({ answer }) => {
    const { fleet, api } = await fleetUnderTest({ auth: [answer] });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error.code).not.toBe("unknownOutcome");
    expect(error.jobNumber).toMatch(OURS);
    expect(api.requests).toEqual([]);
  });
});
