import { describe, expect, it } from "vitest";
import { failure, fleetUnderTest, onlyRequest, tokenAnswer } from "./fleet-under-test.ts";
import { type Answer, type RecordedRequest, silence } from "./recording-server.ts";

const tokenOf = ({ headers }: RecordedRequest) => String(headers.authorization ?? headers["x-connect-token"]).replace("canary-", "");
const job: Answer = { body: { job: { jobId: "j1" } } };
const unauthorized: Answer = { status: 401 };
const forbidden: Answer = { status: 403, body: { errorMessage: "Forbidden" } };
const ok: Answer = { body: [] };
const three = ["T1", "T2", "T3"].map((token) => tokenAnswer(`canary-${token}`));

/** Makes this many calls, and returns the tokens they used, how the last one ended and the number of token requests. */
async function calls(count: number, api: Answer[], auth: Answer[] = three) {
  const { fleet, api: server, auth: tokens } = await fleetUnderTest({ api, auth });
  for (let call = 1; call < count; call++) await fleet.listTireEvents();
  const end = await fleet.listTireEvents().then(
    () => "done",
    ({ code, operation }) => (operation === "listTireEvents" ? code : `${operation} ${code}`),
  );
  return { used: server.requests.map((request) => tokenOf(request).split(" ")[1]).join(" "), end, requested: tokens.requests.length };
}

describe("a token", () => {
  it("is requested once and reused, by fifty concurrent calls too", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ api: [job] });
    await Promise.all(Array.from({ length: 50 }, () => fleet.listTireEvents()));
    await fleet.listJobs();
    await fleet.createJob({ address: "a" });
    expect(auth.requests).toHaveLength(1);
    expect(api.requests.map(tokenOf)).toEqual([...Array(50).fill("Bearer T1"), "TOKEN T1", "TOKEN T1"]);
  });

  it.each([
    { expires_in: 3600, kept: 3539, renewed: 3541 },
    { expires_in: 10, kept: 8, renewed: 10 },
    { expires_in: 1, kept: 0, renewed: 1 },
  ])("of $expires_in seconds is reused after $kept and refreshed by $renewed", async ({ expires_in, kept, renewed }) => {
    let seconds = 1_800_000_000;
    const { fleet, api } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1", { expires_in }), tokenAnswer("canary-T2", { expires_in })],
      now: () => seconds * 1000,
    });
    for (const after of [0, kept, renewed - kept]) {
      seconds += after;
      await fleet.listTireEvents();
    }
    expect(api.requests.map(tokenOf)).toEqual(["Bearer T1", "Bearer T1", "Bearer T2"]);
  });

  it.each([undefined, null, 0, -1, "3600", 1e15, 1e300, 59.5])("with expires_in %s is reused until a 401", async (expires_in) => {
    let now = 0;
    const { fleet, api } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1", { expires_in }), tokenAnswer("canary-T2", { expires_in })],
      api: [ok, ok, unauthorized, ok],
      now: () => now,
    });
    await fleet.listTireEvents();
    now = 1e19;
    await fleet.listTireEvents();
    await fleet.listTireEvents();
    expect(api.requests.map(tokenOf)).toEqual(["Bearer T1", "Bearer T1", "Bearer T1", "Bearer T2"]);
  });

  it.each<[unknown, string[]]>([
    ["bearer", []],
    [" BEARER", ["unknown enum value"]],
    ["", ["unknown enum value"]],
    [undefined, []],
    [null, []],
    [7, ["wrong type"]],
  ])("of type %j is used as a bearer token", async (token_type, expected) => {
    const { fleet, drift, api } = await fleetUnderTest({ auth: [tokenAnswer("canary-T1", { token_type })] });
    await fleet.listTireEvents();
    expect(api.requests.map(tokenOf)).toEqual(["Bearer T1"]);
    expect(drift.flatMap((report) => report.drift)).toEqual(expected.map((kind) => ({ path: "$.token_type", kind, count: 1 })));
  });

  it.each(["mac", "DPoP", "bearer mac"])("of type %s is rejected, because a client without its key cannot use it", async (token_type) => {
    const { fleet, api } = await fleetUnderTest({ auth: [tokenAnswer("canary-T1", { token_type })] });
    expect(await failure(fleet.listTireEvents())).toMatchObject({
      code: "contract",
      operation: "requestAccessToken",
      message: "requestAccessToken: the token_type is not bearer, so the token cannot be used",
    });
    expect(api.requests).toEqual([]);
  });
});

describe("a token that the service rejects", () => {
  const invalid = { status: 400, body: { error: "invalid_token", error_description: "expired" } };
  const challenge = { status: 400, headers: { "www-authenticate": 'Bearer realm="x", error="invalid_token"' } };
  it.each<[what: string, count: number, answers: Answer[], used: string, end: string]>([
    ["is renewed after a 401", 2, [ok, unauthorized, ok], "T1 T1 T2", "done"],
    ["is renewed after a 403", 2, [ok, forbidden, ok], "T1 T1 T2", "done"],
    ["is renewed after a 403 without a body", 2, [ok, { status: 403 }, ok], "T1 T1 T2", "done"],
    ["is renewed after a 400 with invalid_token", 2, [ok, invalid, ok], "T1 T1 T2", "done"],
    ["is renewed after a 400 with a challenge", 2, [ok, challenge, ok], "T1 T1 T2", "done"],
    ["is not suspected after a 400 for another reason", 2, [ok, { status: 400, body: { error: "invalid_request" } }], "T1 T1", "rejected"],
    ["is not suspected if it was never used before: 401", 1, [unauthorized], "T1", "unauthorized"],
    ["is not suspected if it was never used before: 403", 1, [forbidden], "T1", "forbidden"],
    ["is renewed once: 401", 2, [ok, unauthorized], "T1 T1 T2", "unauthorized"],
    ["is renewed once: 403", 2, [ok, forbidden], "T1 T1 T2", "forbidden"],
  ])("%s", async (_, count, answers, used, end) => {
    expect(await calls(count, answers)).toEqual({ used, end, requested: used.endsWith("T2") ? 2 : 1 });
  });

  it.each(["read", "iterate", "create"] as const)("is renewed for a %s, which is sent again as it was", async (call) => {
    const { fleet, api, auth } = await fleetUnderTest({
      auth: three,
      api: [ok, unauthorized, { body: { job: { jobId: "j1" }, count: 0, data: [] } }],
    });
    await fleet.listTireEvents();
    const period = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
    if (call === "read") await fleet.queryTachoActivity(period);
    if (call === "iterate") for await (const _ of fleet.queryTachoActivity.iterate(period));
    if (call === "create") await fleet.createJob({ address: "a" });
    expect(api.requests.map((request) => tokenOf(request).split(" ")[1])).toEqual(["T1", "T1", "T2"]);
    expect([api.requests[2]?.body, api.requests[2]?.url]).toEqual([api.requests[1]?.body, api.requests[1]?.url]);
    expect(auth.requests).toHaveLength(2);
  });

  it.each([unauthorized, forbidden])("is not suspected when Basic credentials are rejected: %j", async (answer) => {
    const { fleet, api, auth } = await fleetUnderTest({ api: [answer] });
    await failure(fleet.listLivePositions());
    expect([api.requests.length, auth.requests.length]).toEqual([1, 0]);
  });

  it("is renewed once for fifty concurrent calls", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: three });
    await fleet.listTireEvents();
    api.script((response, { headers }) => {
      response.writeHead(headers.authorization === "Bearer canary-T1" ? 401 : 200).end("[]");
    });
    await Promise.all(Array.from({ length: 50 }, () => fleet.listTireEvents()));
    expect(auth.requests).toHaveLength(2);
  });

  it("is not renewed again for a call whose new token another call requested", async () => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: three });
    await fleet.listTireEvents();
    let answerFirst: () => void = () => {};
    const late: Answer = (response) => {
      answerFirst = () => response.writeHead(401).end();
    };
    api.script(late, unauthorized, ok, unauthorized);
    const slow = fleet.listTireEvents();
    await api.arrived(2);
    await fleet.listTireEvents();
    answerFirst();
    expect((await failure(slow)).code).toBe("unauthorized");
    expect(api.requests.map(tokenOf).join()).toBe("Bearer T1,Bearer T1,Bearer T1,Bearer T2,Bearer T2");
    expect(auth.requests).toHaveLength(2);
  });

  it("is suspected once a minute while an operation is forbidden, so that its callers do not replace it for all others", async () => {
    let now = 0;
    const { fleet, api, auth } = await fleetUnderTest({ auth: [...three, ...three], api: [ok, forbidden], now: () => now });
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
  it.each<[what: string, answer: Answer, code: string]>([
    ["success: false", { body: { success: false } }, "unauthorized"],
    ["success: false with a token", tokenAnswer("canary-T0", { success: false }), "unauthorized"],
    ["401", { status: 401, body: { error: "invalid_client" } }, "unauthorized"],
    ["400", { status: 400 }, "rejected"],
    ["500", { status: 500 }, "upstream"],
    ["no token", { body: { success: true } }, "contract"],
    ["an empty token", tokenAnswer(""), "contract"],
    ["a token of two lines", tokenAnswer("canary-T0\r\nx-evil: 1"), "contract"],
    ["a token with a space", tokenAnswer("canary-T0 T0"), "contract"],
    ["a token that is not ASCII", tokenAnswer("Tökén"), "contract"],
    ["a token that is a number", { body: { success: true, accessToken: 5 } }, "contract"],
    ["HTML", { body: "<html>Sign in</html>" }, "contract"],
  ])("with %s fails all waiting calls, and is not cached", async (_, answer, code) => {
    const { fleet, api, auth } = await fleetUnderTest({ auth: [answer, tokenAnswer("canary-T1")] });
    const errors = await Promise.all([fleet.listTireEvents(), fleet.listJobs(), fleet.createJob({ address: "a" })].map(failure));
    for (const error of errors) expect(error).toMatchObject({ code, operation: "requestAccessToken" });
    expect([api.requests.length, auth.requests.length]).toEqual([0, 1]);
    await fleet.listTireEvents();
    expect(api.requests.map(tokenOf)).toEqual(["Bearer T1"]);
  });

  it("after a 401 does not make a job's outcome unknown", async () => {
    const { fleet } = await fleetUnderTest({ api: [job, unauthorized], auth: [tokenAnswer("canary-T1"), { status: 503 }] });
    await fleet.createJob({ address: "a" });
    const error = await failure(fleet.createJob({ address: "b", jobNumber: "B" }));
    expect(error).toMatchObject({ code: "upstream", status: 503, jobNumber: "B" });
  });
});

describe("a caller that waits for a token", () => {
  it("can stop waiting without cancelling it for others", async () => {
    let answer: () => void = () => {};
    const late: Answer = (response) => {
      answer = () => response.end('{"accessToken":"canary-T1"}');
    };
    const { fleet, auth } = await fleetUnderTest({ auth: [late] });
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
    const waiting = failure(fleet.listTireEvents({}, { timeout: 100 }));
    const creating = failure(fleet.createJob({ address: "a" }, { timeout: 100 }));
    expect(await waiting).toMatchObject({ code: "timeout", operation: "requestAccessToken" });
    expect(await creating).toMatchObject({ code: "timeout", jobNumber: expect.stringMatching(/^FW-/) });
    onlyRequest(auth);
    expect(api.requests).toEqual([]);
  });
});
