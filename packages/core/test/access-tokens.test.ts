import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest, onlyRequest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, type RecordedRequest, silence } from "./recording-server.ts";

const bearers = (requests: RecordedRequest[]) => requests.map(({ headers }) => headers.authorization?.replace("Bearer ", ""));
const unauthorized: Answer = { status: 401 };
const ok: Answer = { body: [] };

describe("a token", () => {
  it("is requested once and reused", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }] });
    await fleet.listTireEvents();
    await fleet.listTireEvents();
    await fleet.listJobs();
    await fleet.createJob({ address: "a" });
    expect(auth.requests).toHaveLength(1);
    expect(api.requests.map(({ headers }) => headers.authorization ?? headers["x-connect-token"])).toEqual([
      "Bearer canary-T1",
      "Bearer canary-T1",
      "TOKEN canary-T1",
      "TOKEN canary-T1",
    ]);
  });

  it("is requested once by fifty concurrent calls", async () => {
    const { fleet, api, auth } = await fleetUnderTest();
    await Promise.all(Array.from({ length: 50 }, () => fleet.listTireEvents()));
    expect(auth.requests).toHaveLength(1);
    expect(bearers(api.requests)).toEqual(Array(50).fill("canary-T1"));
  });

  it.each([
    { expires_in: 3600, kept: 3539, renewed: 3541 },
    { expires_in: 600, kept: 539, renewed: 541 },
    { expires_in: 10, kept: 8, renewed: 10 },
    { expires_in: 1, kept: 0, renewed: 1 },
  ])("of $expires_in seconds is reused after $kept and refreshed by $renewed", async ({ expires_in, kept, renewed }) => {
    let seconds = 1_800_000_000;
    const { fleet, api } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1", { expires_in }), tokenAnswer("canary-T2", { expires_in })],
      now: () => seconds * 1000,
    });
    await fleet.listTireEvents();
    seconds += kept;
    await fleet.listTireEvents();
    seconds += renewed - kept;
    await fleet.listTireEvents();
    expect(bearers(api.requests)).toEqual(["canary-T1", "canary-T1", "canary-T2"]);
  });

  it.each([undefined, null, 0, -1, "3600", "soon", 1e15, 1e300, 59.5])("with expires_in %s is reused until a 401", async (expires_in) => {
    let now = 0;
    const { fleet, api, auth } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1", { expires_in }), tokenAnswer("canary-T2", { expires_in })],
      api: [ok, ok, unauthorized, ok],
      now: () => now,
    });
    await fleet.listTireEvents();
    now = 1e19;
    await fleet.listTireEvents();
    await fleet.listTireEvents();
    expect(bearers(api.requests)).toEqual(["canary-T1", "canary-T1", "canary-T1", "canary-T2"]);
    expect(auth.requests).toHaveLength(2);
  });

  it.each([
    { token_type: "bearer", drift: [] },
    { token_type: "Bearer", drift: ["unknown enum value"] },
    { token_type: " BEARER", drift: ["unknown enum value"] },
    { token_type: "", drift: ["unknown enum value"] },
    { token_type: undefined, drift: [] },
    { token_type: null, drift: [] },
    { token_type: 7, drift: ["wrong type"] },
  ])("of type $token_type is used as a bearer token", async ({ token_type, drift: expected }) => {
    const { fleet, drift, api } = await fleetUnderTest({ auth: [tokenAnswer("canary-T1", { token_type })] });
    await fleet.listTireEvents();
    expect(bearers(api.requests)).toEqual(["canary-T1"]);
    expect(drift.flatMap((report) => report.drift)).toEqual(expected.map((kind) => ({ path: "$.token_type", kind, count: 1 })));
  });

  it.each(["mac", "DPoP", "pop", "N_A", "bearer mac"])(
    "of type %s is rejected, because a client without its key cannot use it",
    async (token_type) => {
      const { fleet, api } = await fleetUnderTest({ auth: [tokenAnswer("canary-T1", { token_type })] });
      expect(await failure(fleet.listTireEvents())).toMatchObject({
        code: "contract",
        operation: "requestAccessToken",
        message: "requestAccessToken: the token_type is not bearer, so the token cannot be used",
      });
      expect(api.requests).toEqual([]);
    },
  );
});

describe("a 401", () => {
  const two = [tokenAnswer("canary-T1"), tokenAnswer("canary-T2"), tokenAnswer("canary-T3")];

  it("to a cached token causes one refresh and one retry", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: two, api: [ok, unauthorized, { body: ["again"] }] });
    await fleet.listTireEvents();
    expect(await fleet.listTireEvents({ query: { a: 1 } })).toEqual(["again"]);
    expect(bearers(api.requests)).toEqual(["canary-T1", "canary-T1", "canary-T2"]);
    expect(api.requests[2]?.url).toBe(api.requests[1]?.url);
    expect(auth.requests).toHaveLength(2);
  });

  it("to a job with a cached token resends the job with the same number", async () => {
    const { fleet, api } = await fleetUnderTest({
      auth: two,
      api: [{ body: { job: { jobId: "j1" } } }, unauthorized, { body: { job: { jobId: "j1" } } }],
    });
    await fleet.createJob({ address: "a" });
    await fleet.createJob({ address: "b" });
    expect(api.requests[2]?.body).toBe(api.requests[1]?.body);
    expect(api.requests.map(({ headers }) => headers["x-connect-token"])).toEqual([
      "TOKEN canary-T1",
      "TOKEN canary-T1",
      "TOKEN canary-T2",
    ]);
  });

  it("to the new token is final", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: two, api: [ok, unauthorized] });
    await fleet.listTireEvents();
    const error = await failure(fleet.listTireEvents());
    expect(error).toMatchObject({ code: "unauthorized", status: 401, operation: "listTireEvents" });
    expect(bearers(api.requests)).toEqual(["canary-T1", "canary-T1", "canary-T2"]);
    expect(auth.requests).toHaveLength(2);
  });

  it("to a token never used before is final", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: two, api: [unauthorized] });
    expect((await failure(fleet.listTireEvents())).code).toBe("unauthorized");
    expect([api.requests.length, auth.requests.length]).toEqual([1, 1]);
  });

  it("to Basic credentials is final", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ api: [unauthorized] });
    expect((await failure(fleet.listLivePositions())).code).toBe("unauthorized");
    expect([api.requests.length, auth.requests.length]).toEqual([1, 0]);
  });

  it("to fifty concurrent calls causes one refresh for all", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: two });
    await fleet.listTireEvents();
    api.script((response, { headers }) => {
      response.writeHead(headers.authorization === "Bearer canary-T1" ? 401 : 200).end("[]");
    });
    await Promise.all(Array.from({ length: 50 }, () => fleet.listTireEvents()));
    expect(auth.requests).toHaveLength(2);
  });

  it("to a call whose new token another call requested is final, too", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: two });
    await fleet.listTireEvents();
    let answerFirst: () => void = () => {};
    api.script(
      (response) => {
        answerFirst = () => response.writeHead(401).end();
      },
      unauthorized,
      ok,
      unauthorized,
    );
    const slow = fleet.listTireEvents();
    await api.arrived(2);
    await fleet.listTireEvents();
    answerFirst();
    expect((await failure(slow)).code).toBe("unauthorized");
    expect(bearers(api.requests)).toEqual(["canary-T1", "canary-T1", "canary-T1", "canary-T2", "canary-T2"]);
    expect(auth.requests).toHaveLength(2);
  });
});

describe("a token that expired early", () => {
  const two = [tokenAnswer("canary-T1"), tokenAnswer("canary-T2"), tokenAnswer("canary-T3")];
  const forbidden: Answer = { status: 403, body: { errorMessage: "Forbidden" } };

  it.each<{ by: string; rejection: Answer }>([
    { by: "401", rejection: unauthorized },
    { by: "403", rejection: forbidden },
    { by: "403 without a body", rejection: { status: 403 } },
    { by: "401 with invalid_token", rejection: { status: 401, body: { error: "invalid_token" } } },
    { by: "400 with invalid_token", rejection: { status: 400, body: { error: "invalid_token", error_description: "expired" } } },
    {
      by: "400 with a challenge",
      rejection: { status: 400, headers: { "www-authenticate": 'Bearer realm="x", error="invalid_token"' } },
    },
  ])("is renewed once after $by, for reads, lists and jobs alike", async ({ rejection }) => {
    for (const call of ["read", "iterate", "create"] as const) {
      const { fleet, api, auth } = await fleetUnderTest({
        auth: two,
        api: [ok, rejection, { body: { job: { jobId: "j1" }, count: 0, data: [] } }],
      });
      await fleet.listTireEvents();
      const period = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
      if (call === "read") await fleet.queryTachoActivity(period);
      if (call === "iterate") for await (const _ of fleet.queryTachoActivity.iterate(period));
      if (call === "create") await fleet.createJob({ address: "a" });
      expect(api.requests.map(({ headers }) => String(headers.authorization ?? headers["x-connect-token"]).split(" ")[1])).toEqual([
        "canary-T1",
        "canary-T1",
        "canary-T2",
      ]);
      expect(api.requests[2]?.body).toBe(api.requests[1]?.body);
      expect(auth.requests).toHaveLength(2);
    }
  });

  it.each<{ why: string; answers: Answer[]; sent: string[]; code: string }>([
    { why: "a second 403", answers: [ok, forbidden, forbidden], sent: ["T1", "T1", "T2"], code: "forbidden" },
    { why: "a 403 for a new token", answers: [forbidden], sent: ["T1"], code: "forbidden" },
    {
      why: "a 400 for another reason",
      answers: [ok, { status: 400, body: { error: "invalid_request" } }],
      sent: ["T1", "T1"],
      code: "rejected",
    },
  ])("is not suspected after $why", async ({ answers, sent, code }) => {
    const { fleet, api } = await fleetUnderTest({ auth: two, api: answers });
    for (let call = 1; call < answers.length && call < 2; call++) await fleet.listTireEvents();
    expect(await failure(fleet.listTireEvents())).toMatchObject({ code });
    expect(bearers(api.requests)).toEqual(sent.map((token) => `canary-${token}`));
  });

  it("is not suspected when Basic credentials are forbidden", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ api: [forbidden] });
    expect((await failure(fleet.listLivePositions())).code).toBe("forbidden");
    expect([api.requests.length, auth.requests.length]).toEqual([1, 0]);
  });

  it("is suspected once a minute while an operation is forbidden, so that its callers do not replace it for all others", async () => {
    let now = 0;
    const { fleet, api, auth } = await fleetUnderTest({ auth: [...two, ...two], api: [ok, forbidden], now: () => now });
    await fleet.listJobs();
    for (const at of [0, 1_000, 59_000]) {
      now = at;
      expect((await failure(fleet.listTireEvents())).code).toBe("forbidden");
    }
    expect([api.requests.length, auth.requests.length]).toEqual([5, 2]);
    now = 61_000;
    await failure(fleet.listTireEvents());
    expect([api.requests.length, auth.requests.length]).toEqual([7, 3]);
  });
});

describe("a token request that fails", () => {
  it.each<{ what: string; answer: Answer; code: string }>([
    { what: "success: false", answer: { body: { success: false } }, code: "unauthorized" },
    { what: "success: false with a token", answer: tokenAnswer("canary-T0", { success: false }), code: "unauthorized" },
    { what: "401", answer: { status: 401, body: { error: "invalid_client" } }, code: "unauthorized" },
    { what: "400", answer: { status: 400 }, code: "rejected" },
    { what: "500", answer: { status: 500 }, code: "upstream" },
    { what: "no token", answer: { body: { success: true } }, code: "contract" },
    { what: "an empty token", answer: tokenAnswer(""), code: "contract" },
    { what: "a token of two lines", answer: tokenAnswer("canary-T0\r\nx-evil: 1"), code: "contract" },
    { what: "a token with a space", answer: tokenAnswer("canary-T0 T0"), code: "contract" },
    { what: "a token that is not ASCII", answer: tokenAnswer("Tökén"), code: "contract" },
    { what: "a token that is a number", answer: { body: { success: true, accessToken: 5 } }, code: "contract" },
    { what: "HTML", answer: { body: "<html>Sign in</html>" }, code: "contract" },
    { what: "a list", answer: { body: [] }, code: "contract" },
  ])("with $what fails all waiting calls, and is not cached", async ({ answer, code }) => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: [answer, tokenAnswer("canary-T1")] });
    const errors = await Promise.all([fleet.listTireEvents(), fleet.listJobs(), fleet.createJob({ address: "a" })].map(failure));
    for (const error of errors) expect(error).toMatchObject({ code, operation: "requestAccessToken" });
    expect([api.requests.length, auth.requests.length]).toEqual([0, 1]);
    await fleet.listTireEvents();
    expect(bearers(api.requests)).toEqual(["canary-T1"]);
  });

  it("after a 401 does not make a job's outcome unknown", async () => {
    const { fleet } = await fleetUnderTest({
      api: [{ body: { job: { jobId: "j1" } } }, unauthorized],
      auth: [tokenAnswer("canary-T1"), { status: 503 }],
    });
    await fleet.createJob({ address: "a" });
    expect(await failure(fleet.createJob({ address: "b", jobNumber: "B" }))).toMatchObject({
      code: "upstream",
      status: 503,
      jobNumber: "B",
    });
  });
});

describe("a caller that waits for a token", () => {
  it("can stop waiting without cancelling it for others", async () => {
    let answer: () => void = () => {};
    const { fleet, auth } = await fleetUnderTest({
      auth: [
        (response) => {
          answer = () => response.end('{"accessToken":"canary-T1"}');
        },
      ],
    });
    const controller = new AbortController();
    const impatient = fleet.listTireEvents({}, { signal: controller.signal });
    const patient = fleet.listTireEvents();
    await auth.arrived(1);
    controller.abort();
    expect((await failure(impatient)).code).toBe("aborted");
    answer();
    expect(await patient).toEqual([]);
    expect(auth.requests).toHaveLength(1);
  });

  it("waits no longer than its own timeout, without cancelling it for others", async () => {
    const { fleet, auth, api } = await fleetUnderTest({ auth: [silence] });
    const waiting = failure(fleet.listTireEvents({}, { timeout: 200 }));
    const creating = failure(fleet.createJob({ address: "a" }, { timeout: 200 }));
    expect(await waiting).toMatchObject({ code: "timeout", operation: "requestAccessToken" });
    expect(await creating).toMatchObject({ code: "timeout", jobNumber: expect.stringMatching(/^FW-/) });
    expect(onlyRequest(auth).method).toBe("POST");
    expect(api.requests).toEqual([]);
  });
});
