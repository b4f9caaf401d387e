import { describe, expect, it } from "vitest";
import type { RequestEvent } from "../src/index.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";
import {
  type Answer,
  DEAD_ORIGIN,
  endlessBody,
  holdTimeouts,
  type RecordedRequest,
  reset,
  silence,
  truncatedBody,
} from "./recording-server.ts";

const OURS = /^FW-\d{8}-[0-9A-HJKMNP-TV-Z]{10}$/;
const numberSent = ({ body }: RecordedRequest) => JSON.parse(body).jobNumber as string | undefined;

/** Responds like the service, with the job as sent. */
const created: Answer = (response, request) => {
  response.end(JSON.stringify({ job: { ...JSON.parse(request.body), jobId: "j1" } }));
};

const lost: { what: string; answer: Answer }[] = [
  { what: "a reset", answer: reset },
  { what: "a truncated response", answer: truncatedBody },
  { what: "no response in time", answer: silence },
  { what: "half a response in time", answer: endlessBody },
  { what: "408", answer: { status: 408 } },
  { what: "500", answer: { status: 500 } },
  { what: "503", answer: { status: 503, body: "<html>" } },
];

const taken = { field: "jobNumber", message: "is already taken" };
const refusedByNumber: { what: string; answer: Answer; status: number }[] = [
  { what: "errors instead of a job", answer: { body: { errors: [taken] } }, status: 200 },
  { what: "errors and no job", answer: { body: { job: null, errors: [taken, taken] } }, status: 200 },
  { what: "409", answer: { status: 409, body: { errorMessage: "Taken", offendingFields: ["jobNumber"] } }, status: 409 },
  { what: "400", answer: { status: 400, body: [{ errorCode: 1, offendingFields: ["job.jobNumber"] }] }, status: 400 },
  { what: "422", answer: { status: 422, body: [{ offendingFields: ["jobNumber"] }] }, status: 422 },
];

const refusedOtherwise: { what: string; answer: Answer }[] = [
  { what: "by another field", answer: { body: { errors: [{ field: "vehicleName", message: "is not known" }] } } },
  { what: "by the number and another field", answer: { body: { errors: [taken, { field: "notes", message: "too long" }] } } },
  { what: "by no field", answer: { body: { errors: [{ message: "a job with this jobNumber exists" }] } } },
  { what: "by a 409 without a field", answer: { status: 409, body: { errorMessage: "jobNumber is taken" } } },
  { what: "by an empty 409", answer: { status: 409 } },
  { what: "by 400", answer: { status: 400 } },
  { what: "by 401", answer: { status: 401 } },
  { what: "by 403", answer: { status: 403, body: { offendingFields: ["jobNumber"] } } },
  { what: "by 404", answer: { status: 404 } },
  { what: "by 429", answer: { status: 429 } },
];

describe("a lost response to a job that the client numbered", () => {
  it.each(lost)("($what) is retried with the same job", async ({ answer }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer, answer, created], retries: 2 });
    const { data, metadata } = await fleet.createJob.withMetadata({ address: "a" });
    expect(data).toEqual({ job: { address: "a", jobId: "j1", jobNumber: expect.stringMatching(OURS) } });
    expect(new Set(api.requests.map(({ body }) => body)).size).toBe(1);
    expect(metadata).toMatchObject({ attempts: 3, status: 200, jobNumber: data.job?.jobNumber });
  });

  const ended = lost.filter(({ what }) => what !== "no response in time" && what !== "408");
  it.each(ended)("($what), then the number rejected: the job is inferred", async ({ answer }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({
      api: [answer, { body: { errors: [taken] } }],
      retries: 1,
    });
    const creation = await fleet.createJob({ address: "a", notes: "n" });
    expect(creation).toEqual({ job: { jobNumber: api.requests.map(numberSent)[0] }, inferred: true });
  });

  it.each(refusedByNumber)("then the number rejected by $what: the job is inferred", async ({ answer, status }) => {
    const { fleet, api } = await fleetUnderTest({ api: [reset, answer], retries: 1 });
    const { data, metadata } = await fleet.createJob.withMetadata({ address: "a" });
    expect(data).toEqual({ job: { jobNumber: metadata.jobNumber }, inferred: true });
    expect(metadata).toMatchObject({ status, attempts: 2, jobNumber: api.requests.map(numberSent)[0] });
  });

  it.each(refusedOtherwise)("then a refusal $what: the outcome stays unknown", async ({ answer }) => {
    const { fleet, api } = await fleetUnderTest({ api: [reset, answer], retries: 1 });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error).toMatchObject({ code: "unknownOutcome", jobNumber: api.requests.map(numberSent)[0] });
    expect(error.message).toContain("an earlier response was lost");
    expect(error.advice).toContain(error.jobNumber);
  });

  it.each(lost)("($what) at every attempt: the outcome is unknown", async ({ answer }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({ api: [answer], retries: 2 });
    expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({
      code: "unknownOutcome",
      jobNumber: expect.stringMatching(OURS),
    });
    expect(api.requests).toHaveLength(3);
  });

  it("then a different number in the response: there may be two jobs", async () => {
    const { fleet } = await fleetUnderTest({ api: [reset, { body: { job: { jobNumber: "S-2" } } }], retries: 1 });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error).toMatchObject({ code: "unknownOutcome", status: 200, jobNumber: expect.stringMatching(OURS) });
    expect(error.message).toContain("a different jobNumber from the one sent");
  });

  it("then no token for the retry: the outcome is unknown", async () => {
    const { fleet, auth } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1"), { status: 403 }],
      api: [reset, { status: 401 }],
      retries: 2,
    });
    expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({
      code: "unknownOutcome",
      operation: "createJob",
      jobNumber: expect.stringMatching(OURS),
    });
    expect(auth.requests).toHaveLength(2);
  });
});

describe("a response that leaves no doubt", () => {
  it.each(refusedByNumber)("$what about the number at the first attempt is a refusal", async ({ answer, status }) => {
    const { fleet, api } = await fleetUnderTest({ api: [answer], retries: 2 });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error).toMatchObject({ code: status === 409 ? "conflict" : "rejected", status, jobNumber: expect.stringMatching(OURS) });
    expect(api.requests).toHaveLength(1);
  });

  it("429 is retried, and a refusal after it counts as one", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 429 }, created], retries: 1 });
    expect(await fleet.createJob({ address: "a" })).toMatchObject({ job: { jobId: "j1" } });
    expect(new Set(api.requests.map(({ body }) => body)).size).toBe(1);
    api.script({ status: 429 }, { body: { errors: [taken] } });
    expect((await failure(fleet.createJob({ address: "a" }))).code).toBe("rejected");
    api.script({ status: 429 });
    expect((await failure(fleet.createJob({ address: "a" }))).code).toBe("rateLimited");
  });

  it("a connection that was never made is retried, and leaves no doubt either", async () => {
    const attempts: RequestEvent[] = [];
    const { auth } = await fleetUnderTest();
    for (const jobNumbers of ["client", "service"] as const) {
      const servers = { job: DEAD_ORIGIN, auth: auth.origin };
      const { fleet } = await fleetUnderTest({ servers, jobNumbers, retries: 2, onRequest: (event) => attempts.push(event) });
      expect((await failure(fleet.createJob({ address: "a" }))).code).toBe("network");
    }
    expect(attempts.filter(({ operation }) => operation === "createJob").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it.each<{ what: string; cause: object; neverMade: boolean }>([
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"].map((code) => ({
      what: `with ${code}`,
      cause: { code },
      neverMade: true,
    })),
    { what: "while connecting", cause: { code: "EHOSTUNREACH", syscall: "connect" }, neverMade: true },
    { what: "while looking up the name", cause: { code: "ENOTFOUND", syscall: "getaddrinfo" }, neverMade: true },
    { what: "one level deeper", cause: { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }, neverMade: true },
    { what: "after connecting", cause: { code: "EHOSTUNREACH", syscall: "read" }, neverMade: false },
    { what: "with a reset", cause: { code: "ECONNRESET" }, neverMade: false },
    { what: "for no stated reason", cause: {}, neverMade: false },
  ])("a connection that breaks $what was never made: $neverMade", async ({ cause, neverMade }) => {
    const [attempts, code] = neverMade ? [3, "network"] : [1, "unknownOutcome"];
    let sent = 0;
    const fetch = () => {
      sent += 1;
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(), cause) });
    };
    const { fleet } = await fleetUnderTest({ fetch, retries: 2, jobNumbers: "service", authSchemes: { createJob: "basic" } });
    expect((await failure(fleet.createJob({ address: "a" }))).code).toBe(code);
    expect(sent).toBe(attempts);
  });

  it.each([{ body: "<html>" }, { body: "" }, { body: {} }, { status: 302, headers: { location: "/" } }])(
    "but %j is not one, so it is not retried",
    async (answer) => {
      const { fleet, api } = await fleetUnderTest({ api: [answer], retries: 2 });
      expect((await failure(fleet.createJob({ address: "a" }))).code).toBe("unknownOutcome");
      expect(api.requests).toHaveLength(1);
    },
  );

  it("a job with a different number is accepted if no response was lost", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: { jobNumber: "S-2" } } }] });
    expect(await fleet.createJob({ address: "a" })).toEqual({ job: { jobNumber: "S-2" } });
  });
});

describe("a lost response to a job that the caller numbered", () => {
  it("is retried with that number", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [reset, created], retries: 1 });
    expect(await fleet.createJob({ address: "a", jobNumber: "MINE-7" })).toMatchObject({ job: { jobNumber: "MINE-7" } });
    expect(api.requests.map(numberSent)).toEqual(["MINE-7", "MINE-7"]);
  });

  it.each(refusedByNumber)("then the number rejected by $what: it may belong to an older job", async ({ answer, status }) => {
    const { fleet } = await fleetUnderTest({ api: [reset, answer], retries: 1 });
    expect(await failure(fleet.createJob({ address: "a", jobNumber: "MINE-7" }))).toMatchObject({
      code: "unknownOutcome",
      status,
      jobNumber: "MINE-7",
    });
  });

  it.each(refusedByNumber)("without a number: $what", async ({ answer }) => {
    const { fleet } = await fleetUnderTest({ api: [reset, answer], retries: 1, jobNumbers: "service" });
    const error = await failure(fleet.createJob({ address: "a", jobNumber: "MINE-7" }));
    expect(error).toMatchObject({ code: "unknownOutcome", jobNumber: "MINE-7" });
  });
});

describe("a job that the service numbers", () => {
  it.each([...lost, { what: "429", answer: { status: 429 } }])("is never sent twice: $what", async ({ answer }) => {
    holdTimeouts();
    const { fleet, api } = await fleetUnderTest({
      api: [answer],
      retries: 3,
      jobNumbers: "service",
    });
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error.code).toBe((answer as { status?: number }).status === 429 ? "rateLimited" : "unknownOutcome");
    expect(error.jobNumber).toBeUndefined();
    expect(api.requests).toHaveLength(1);
  });
});

describe("a caller that aborts the creation", () => {
  it("after it was sent: the outcome is unknown", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [silence], retries: 2 });
    const controller = new AbortController();
    const call = failure(fleet.createJob({ address: "a" }, { signal: controller.signal }));
    await api.arrived(1);
    controller.abort();
    expect(await call).toMatchObject({ code: "unknownOutcome", jobNumber: expect.stringMatching(OURS) });
    expect(api.requests).toHaveLength(1);
  });

  it.each<{ what: string; status: number; code: string }>([
    { what: "a lost response", status: 503, code: "unknownOutcome" },
    { what: "a response that rules it out", status: 429, code: "aborted" },
  ])("in the delay after $what: $code", async ({ status, code }) => {
    const controller = new AbortController();
    const { fleet, api } = await fleetUnderTest({
      api: [{ status, headers: { "retry-after": "50" } }],
      retries: 2,
      onRetry: () => setTimeout(() => controller.abort(), 10),
    });
    expect(await failure(fleet.createJob({ address: "a" }, { signal: controller.signal }))).toMatchObject({
      code,
      jobNumber: expect.stringMatching(OURS),
    });
    expect(api.requests).toHaveLength(1);
  });
});
