import { describe, expect, it } from "vitest";
import { type CallOptions, type FleetClient, type FleetClientOptions, FleetError, type RequestEvent } from "../src/index.ts";
import { failure, fleetUnderTest, onlyRequest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, DEAD_ORIGIN, holdTimeouts, type RecordedRequest, reset, silence, unfinished } from "./recording-server.ts";

const OURS = /^FW-\d{8}-[0-9A-HJKMNP-TV-Z]{10}$/;
const numberSent = ({ body }: RecordedRequest) => JSON.parse(body).jobNumber as string | undefined;

/** Responds like the service, with the job as sent. */
const created: Answer = (response, { body }) => void response.end(JSON.stringify({ job: { ...JSON.parse(body), jobId: "j1" } }));
const taken = { body: { errors: [{ field: "jobNumber", message: "is already taken" }] } };
const status = (number: number, body: unknown = ""): Answer => ({ status: number, body });

/** Who numbers the job: the client, the caller or the service. */
type Numbered = "ours" | "MINE-7" | "theirs";

/** How a creation ends: created, inferred or the code of its error, and the status; how often the job was sent. */
async function creation(answers: Answer[], numbered: Numbered, more: Partial<FleetClientOptions> = {}) {
  holdTimeouts();
  const { fleet, api } = await fleetUnderTest({
    api: answers,
    retries: 2,
    ...more,
    ...(numbered === "theirs" && { jobNumbers: "service" }),
  });
  const input = { address: "a", ...(numbered === "MINE-7" && { jobNumber: numbered }) };
  const end = await fleet.createJob.withMetadata(input).then(
    ({ data, metadata }) => ({ outcome: data.inferred ? "inferred" : "created", jobNumber: data.job?.jobNumber, status: metadata.status }),
    (error: FleetError) => ({ outcome: error.code, jobNumber: error.jobNumber, status: error.status, error }),
  );
  // Each attempt sends the same job, and whoever asks is told its number.
  expect(new Set(api.requests.map(({ body }) => body)).size).toBe(1);
  const [first] = api.requests;
  expect(end.jobNumber).toBe(first && numberSent(first));
  if (numbered === "ours") expect(end.jobNumber).toMatch(OURS);
  return { ...end, sent: api.requests.length };
}

const [noResponse, , , truncated] = unfinished.map(({ answer }) => answer) as [Answer, Answer, Answer, Answer];
const byNumber: [what: string, answer: Answer, code: string][] = [
  ["errors instead of a job", taken, "rejected"],
  ["409", status(409, { errorMessage: "Taken", offendingFields: ["jobNumber"] }), "conflict"],
  ["400", status(400, [{ errorCode: 1, offendingFields: ["job.jobNumber"] }]), "rejected"],
];
const otherwise: [what: string, answer: Answer][] = [
  ["another field", { body: { errors: [{ field: "vehicleName", message: "is not known" }] } }],
  ["a 409 without a field", status(409, { errorMessage: "jobNumber is taken" })],
  ["403 about the number", status(403, { offendingFields: ["jobNumber"] })],
  ["429", status(429)],
];

describe("a creation whose service", () => {
  it.each<[what: string, answers: Answer[], numbered: Numbered, outcome: string, sent: number]>([
    ["does not respond in time, twice", [noResponse, noResponse, created], "ours", "created", 3],
    ["is busy, with 429", [status(429), created], "ours", "created", 2],
    ["is busy all the time", [status(429)], "ours", "rateLimited", 3],
    ["never responds in time", [noResponse], "ours", "unknownOutcome", 3],
    ["always fails with 500", [status(500)], "ours", "unknownOutcome", 3],
    ["resets the connection of a job that the caller numbered", [reset, created], "MINE-7", "created", 2],
    ["says 425", [status(425)], "ours", "unknownOutcome", 1],
    ["redirects", [{ status: 302, headers: { location: "/" } }], "ours", "unknownOutcome", 1],
    ["sends 204", [status(204)], "ours", "unknownOutcome", 1],
    ["sends HTML", [{ body: "<html>" }], "ours", "unknownOutcome", 1],
    ["sends neither a job nor errors", [{ body: {} }], "MINE-7", "unknownOutcome", 1],
    ...[...unfinished.map(({ what, answer }) => [what, answer] as const), ["500", status(500)] as const].map(
      ([what, answer]): [string, Answer[], Numbered, string, number] => [`numbers it: ${what}`, [answer], "theirs", "unknownOutcome", 1],
    ),
    ["numbers it, and is busy", [status(429)], "theirs", "rateLimited", 1],
    ["rejects it", [status(400)], "ours", "rejected", 1],
    ["rejects it after 429", [status(429), taken], "ours", "rejected", 2],
    ...byNumber.flatMap(([what, answer, code]): [string, Answer[], Numbered, string, number][] => [
      [`rejects the number at once: ${what}`, [answer], "ours", code, 1],
      [`rejects the client's number after a reset: ${what}`, [reset, answer], "ours", "inferred", 2],
      [`rejects the caller's number after a reset: ${what}`, [reset, answer], "MINE-7", "unknownOutcome", 2],
    ]),
    ["rejects the number after a truncated response", [truncated, taken], "ours", "inferred", 2],
    ["rejects the number after 500", [status(500), taken], "ours", "inferred", 2],
    ...otherwise.map(([what, answer]): [string, Answer[], Numbered, string, number] => [
      `refuses it by ${what} after a reset`,
      [reset, answer],
      "ours",
      "unknownOutcome",
      /^429|^403/.test(what) ? 3 : 2,
    ]),
  ])("%s", async (_, answers, numbered, outcome, sent) => {
    const end = await creation(answers, numbered);
    expect({ outcome: end.outcome, sent: end.sent }).toEqual({ outcome, sent });
    if (!("error" in end)) return;
    const { error } = end;
    expect(error.changed).toBe(outcome === "unknownOutcome" ? "unknown" : "no");
    if (outcome === "unknownOutcome" && end.jobNumber) expect(error.advice).toContain(end.jobNumber);
    expect(`${error.message} ${error.advice}`).not.toContain("undefined");
    if (sent > 1 && error.status !== undefined && error.status < 500 && outcome === "unknownOutcome")
      expect(error.message).toContain("an earlier response was lost");
    const { jobNumber, changed } = JSON.parse(JSON.stringify(error));
    expect({ jobNumber, changed }).toEqual({ jobNumber: error.jobNumber, changed: error.changed });
  });

  it("returns another number is believed, unless a response was lost: there may be two jobs", async () => {
    const other: Answer = { body: { job: { jobNumber: "S-2" } } };
    const { fleet, api } = await fleetUnderTest({ api: [other], retries: 1 });
    expect(await fleet.createJob({ address: "a" })).toEqual({ job: { jobNumber: "S-2" } });
    api.script(reset, other);
    const error = await failure(fleet.createJob({ address: "a" }));
    expect(error).toMatchObject({ code: "unknownOutcome", status: 200, jobNumber: expect.stringMatching(OURS) });
    expect(error.message).toContain("a different jobNumber from the one sent");
  });

  it("differs from the contract has an unknown outcome in strict mode", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: { jobId: 5 } } }], validation: "strict" });
    expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({ code: "unknownOutcome", status: 200 });
  });

  it("grants no token for the retry: the outcome is unknown; for the first attempt: nothing was sent", async () => {
    const { fleet, api, auth } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1"), status(403)],
      api: [reset, status(401)],
      retries: 2,
    });
    expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({ code: "unknownOutcome", operation: "createJob" });
    expect(auth.requests).toHaveLength(2);
    const sent = api.requests.length;
    expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({ code: "forbidden", jobNumber: expect.stringMatching(OURS) });
    expect(api.requests).toHaveLength(sent);
  });
});

describe("a job number", () => {
  it("is generated by the client: FW, the UTC date, ten characters of Crockford's base 32, different for each job", async () => {
    const { fleet, api } = await fleetUnderTest({
      api: [{ body: { job: { jobId: "j1" } } }],
      now: () => Date.parse("2026-11-20T23:59:59.999Z"),
    });
    const input = Object.freeze({ address: "a" });
    await Promise.all(Array.from({ length: 20 }, () => fleet.createJob(input)));
    const numbers = api.requests.map(numberSent);
    for (const number of numbers) expect(number).toMatch(/^FW-20261120-[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(new Set(numbers).size).toBe(20);
    // Two hundred characters all from the first half of the alphabet would not be random.
    expect(numbers.map((number) => number?.slice(-10)).join("")).toMatch(/[G-Z]/);
  });
});

describe("a connection that breaks before it is made leaves no doubt", () => {
  it("and is retried", async () => {
    const attempts: RequestEvent[] = [];
    const { auth } = await fleetUnderTest();
    for (const jobNumbers of ["client", "service"] as const) {
      const servers = { job: DEAD_ORIGIN, auth: auth.origin };
      const { fleet } = await fleetUnderTest({ servers, jobNumbers, retries: 2, onRequest: (event) => attempts.push(event) });
      expect(await failure(fleet.createJob({ address: "a" }))).toMatchObject({ code: "network", changed: "no" });
    }
    expect(attempts.filter(({ operation }) => operation === "createJob").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it.each<[what: string, cause: object, neverMade: boolean]>([
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"].map(
      (code): [string, object, boolean] => [`with ${code}`, { code }, true],
    ),
    ["one level deeper", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }, true],
    ["after connecting", { code: "EHOSTUNREACH", syscall: "read" }, false],
    ["for no stated reason", {}, false],
  ])("%s: %j was never made: %j", async (_, cause, neverMade) => {
    let sent = 0;
    const fetch = () => {
      sent += 1;
      throw new TypeError("canary-fetch", { cause: Object.assign(new Error(), cause) });
    };
    const { fleet } = await fleetUnderTest({ fetch, retries: 2, jobNumbers: "service", authSchemes: { createJob: "basic" } });
    const { code } = await failure(fleet.createJob({ address: "a" }));
    expect([code, sent]).toEqual(neverMade ? ["network", 3] : ["unknownOutcome", 1]);
  });
});

describe("a caller that aborts the creation", () => {
  it("after it was sent: the outcome is unknown", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [silence], retries: 2 });
    const controller = new AbortController();
    const call = failure(fleet.createJob({ address: "a" }, { signal: controller.signal }));
    await api.arrived(1);
    controller.abort();
    expect(await call).toMatchObject({ code: "unknownOutcome", jobNumber: numberSent(onlyRequest(api)) });
  });

  it.each([
    ["a lost response", 503, "unknownOutcome"],
    ["a response that rules it out", 429, "aborted"],
  ] as const)("in the delay after %s (%i): %s", async (_, number, code) => {
    const controller = new AbortController();
    const { fleet, api } = await fleetUnderTest({
      api: [{ status: number, headers: { "retry-after": "50" } }],
      retries: 2,
      onRetry: () => setTimeout(() => controller.abort(), 10),
    });
    const error = await failure(fleet.createJob({ address: "a" }, { signal: controller.signal }));
    expect(error).toMatchObject({ code, jobNumber: numberSent(onlyRequest(api)) });
  });
});

it.each<[what: string, script: Answer[], more: Partial<FleetClientOptions>, changed: "no" | "unknown"]>([
  ["a refusal", [status(403)], {}, "no"],
  ["no token", [], { servers: { base: DEAD_ORIGIN, auth: DEAD_ORIGIN }, authSchemes: { updateGroup: "bearer" } }, "no"],
  ["a failing service", [status(500)], {}, "unknown"],
  ["an inconclusive response", [status(425)], {}, "unknown"],
  ["a refusal after a broken connection", [reset, status(403)], { retries: 1 }, "unknown"],
])("whether an update changed something after %s", async (_, api, more, changed) => {
  holdTimeouts();
  const { fleet } = await fleetUnderTest({ api, ...more });
  expect((await failure(fleet.updateGroup({ id: "north" }))).changed).toBe(changed);
  expect((await failure(fleet.listLivePositions())).changed).toBe("no");
});

describe("a creation that an earlier process may have sent", () => {
  const input = { address: "a", jobNumber: "MINE-7" };
  const ours = { write: { maybeSent: true, generatedKey: true }, totalTimeout: 1_000 };

  it.each<[string, Answer, object]>([
    ["only its generated number is rejected: inferred", byNumber[2]?.[1] as Answer, { job: { jobNumber: "MINE-7" }, inferred: true }],
    ["the service says so: created", created, { job: { address: "a", jobNumber: "MINE-7", jobId: "j1" } }],
  ])("%s", async (_, answer, expected) => {
    const { fleet } = await fleetUnderTest({ api: [answer] });
    expect(await fleet.createJob(input, ours)).toEqual(expected);
  });

  it.each<[string, Answer, CallOptions]>([
    ["a number set by the caller is rejected", byNumber[2]?.[1] as Answer, { write: { maybeSent: true } }],
    ["something else is rejected", status(400, [{ offendingFields: ["address"] }]), ours],
    ["the number and something else are rejected", status(400, [{ offendingFields: ["jobNumber", "address"] }]), ours],
    ["the credentials are rejected", status(403), ours],
  ])("has an unknown outcome if %s", async (_, answer, options) => {
    const { fleet } = await fleetUnderTest({ api: [answer] });
    const error = await failure(fleet.createJob(input, options));
    expect(error).toMatchObject({ code: "unknownOutcome", jobNumber: "MINE-7", changed: "unknown" });
    expect(error.advice).toContain('listJobs({ query: { jobNumber: "MINE-7" } })');
  });
});

describe("a write with finishOnceSent", () => {
  const create = (fleet: FleetClient, signal: AbortSignal) =>
    fleet.createJob({ address: "a" }, { signal, write: { finishOnceSent: true } });

  it("completes although the signal fires", async () => {
    const ending = new AbortController();
    const late: Answer = (response) => {
      ending.abort();
      setTimeout(() => response.end('{"job":{"jobId":"j1","jobNumber":"S-1"}}'), 50);
    };
    const { fleet } = await fleetUnderTest({ api: [late] });
    expect(await create(fleet, ending.signal)).toEqual({ job: { jobId: "j1", jobNumber: "S-1" } });
  });

  it("is not sent if the signal fired before", async () => {
    const { fleet, api } = await fleetUnderTest({ auth: [silence] });
    const ending = new AbortController();
    const call = failure(create(fleet, ending.signal));
    ending.abort();
    expect(await call).toMatchObject({ code: "aborted", changed: "no" });
    expect(api.requests).toEqual([]);
  });

  it("is not retried after the signal fired", async () => {
    const ending = new AbortController();
    const failing: Answer = (response) => {
      ending.abort();
      response.writeHead(503).end();
    };
    const { fleet, api } = await fleetUnderTest({ api: [failing], retries: 2 });
    expect(await failure(create(fleet, ending.signal))).toMatchObject({ code: "unknownOutcome", changed: "unknown" });
    onlyRequest(api);
  });
});

describe("a write with beforeSend", () => {
  const refused = new FleetError("conflict", "another server sends this");

  it("asks before each attempt, and never for a read", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [status(503), created, { body: { jobs: [] } }], retries: 1 });
    const asked: number[] = [];
    const beforeSend = async () => void asked.push(api.requests.length);
    await fleet.createJob({ address: "a", jobNumber: "MINE-7" }, { write: { beforeSend } });
    await fleet.listJobs({}, { write: { beforeSend } });
    expect(asked).toEqual([0, 1]);
  });

  it.each<[string, number, object]>([
    ["at first: nothing changed", 0, { code: "conflict", changed: "no", summary: refused.summary }],
    ["before a retry: the outcome is unknown", 1, { code: "unknownOutcome", changed: "unknown" }],
  ])("is not sent if that throws %s", async (_, allowed, error) => {
    const { fleet, api } = await fleetUnderTest({ api: [status(503), created], retries: 3 });
    const beforeSend = async () => {
      if (api.requests.length === allowed) throw refused;
    };
    expect(await failure(fleet.createJob({ address: "a" }, { write: { beforeSend } }))).toMatchObject(error);
    expect(api.requests).toHaveLength(allowed);
  });
});

describe("a creation is sent once, even if the response is 421", () => {
  // Node's fetch silently resends a request once after 421.
  const misdirected = status(421, [{ errorMessage: "another server, please" }]);

  it.each<[string, Partial<FleetClientOptions>]>([
    ["the client numbers it", { retries: 2 }],
    ["the service numbers it", { jobNumbers: "service" }],
  ])("if %s, with a body that is not chunked, which some services do not accept", async (_, more) => {
    const { fleet, api } = await fleetUnderTest({ api: [misdirected], ...more });
    const address = "ü".repeat(300_000);
    expect(await failure(fleet.createJob({ address }))).toMatchObject({ status: 421 });
    const { body, headers } = onlyRequest(api);
    expect(JSON.parse(body)).toMatchObject({ address });
    expect(headers).toMatchObject({ "content-length": String(Buffer.byteLength(body)), "content-type": "application/json" });
    expect(headers["transfer-encoding"]).toBeUndefined();
  });

  it("and a custom fetch gets its body as a string", async () => {
    const bodies: unknown[] = [];
    const { fleet } = await fleetUnderTest({
      fetch: (url, init) => {
        bodies.push(init?.body);
        return fetch(url, init);
      },
    });
    await failure(fleet.createJob({ address: "a", jobNumber: "J1" }));
    expect(bodies.at(-1)).toBe('{"jobNumber":"J1","address":"a"}');
  });
});
