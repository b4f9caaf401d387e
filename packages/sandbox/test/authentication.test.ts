import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY } from "./sandbox-caller.ts";

const call = callSandbox({ customers: 2, tokenTtl: 60 });
const other = call.as(call.sandbox.customers[1]?.env ?? {});
const { urls } = call;

type Scheme = "basic" | "bearer" | "connect";
const SPAN = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

const operations: [string, string, string, string, unknown, Record<Scheme, number>][] = [
  ["documented 5.1", "live positions", "GET", urls.live, undefined, { basic: 200, bearer: 200, connect: 401 }],
  ["documented 5.1", "vehicle faults", "GET", urls.faults, undefined, { basic: 200, bearer: 401, connect: 401 }],
  ["documented 5.1", "group update", "PUT", urls.group, {}, { basic: 400, bearer: 400, connect: 401 }],
  ["documented 5.2", "tire events", "GET", urls.tires, undefined, { basic: 401, bearer: 200, connect: 401 }],
  ["documented 5.2", "tachograph", "POST", urls.tacho, SPAN, { basic: 401, bearer: 200, connect: 401 }],
  ["documented 5.2", "job creation", "POST", urls.job, { address: "Lyon" }, { basic: 401, bearer: 401, connect: 200 }],
  ["documented 5.2", "job list", "GET", urls.jobs, undefined, { basic: 401, bearer: 401, connect: 200 }],
];

describe.each(operations)("%s: %s", (_source, _name, method, url, body, statuses) => {
  test.each(Object.entries(statuses) as [Scheme, number][])("%s is answered with %i", async (scheme, status) => {
    const credentials = scheme === "basic" ? call.basic : await call[scheme]();
    const answer = await call.send(method, url, { headers: { ...credentials, ...call.json }, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers.get("www-authenticate")).toBeTruthy();
  });
});

describe("tokens", () => {
  test("documented 5.2: the answer to a token request", async () => {
    const { status, body } = await call.requestToken();
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, accessToken: expect.any(String), token_type: "bearer", expires_in: 60 });
  });

  const refused: [string, string, Record<string, string> | undefined, string | undefined, number][] = [
    ["chosen", "another grant", undefined, "grant_type=password", 400],
    ["chosen", "no grant", undefined, "", 400],
    ["chosen", "a wrong secret", { Authorization: `Basic ${btoa("a:b")}` }, undefined, 401],
    ["chosen", "no credentials", { Authorization: "" }, undefined, 401],
    ["chosen", "Basic that is not Base64", { Authorization: "Basic ~~~" }, undefined, 401],
    ["documented 5.2", "JSON in place of a form", { "Content-Type": "application/json" }, "{}", 415],
  ];
  test.each(refused)("%s: %s is refused", async (_source, _name, headers, text, status) => {
    const answer = await call.requestToken({ ...call.basic, ...headers }, text);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ errorCode: expect.any(Number), errorMessage: expect.any(String), offendingFields: expect.any(Array) });
  });

  test("documented part 8: a token holds for expires_in seconds and can be reused until then", async () => {
    const headers = await call.bearer();
    const statusAt = async (seconds: number) => {
      call.setClock(FRIDAY + seconds * 1000);
      return (await call.send("GET", urls.live, { headers })).status;
    };
    expect([await statusAt(0), await statusAt(59), await statusAt(60), await statusAt(0)]).toEqual([200, 200, 401, 200]);
  });

  const malformed: [string, string, (token: string) => string][] = [
    ["documented 5.2", "without the TOKEN prefix", (token) => token],
    ["documented 5.2", "with the Bearer prefix", (token) => `Bearer ${token}`],
    ["chosen", "with a changed token", (token) => `TOKEN ${token}x`],
    ["chosen", "with a token whose end was moved", (token) => `TOKEN ${token.replace(/\.[^.]+\./, ".zzzzzzzz.")}`],
  ];
  test.each(malformed)("%s: x-connect-token %s is refused", async (_source, _name, write) => {
    const answer = await call.send("GET", urls.jobs, { headers: { "x-connect-token": write(await call.token()) } });
    expect(answer.status).toBe(401);
  });
});

describe("customers", () => {
  test("documented part 1: each has vehicles, people and groups of its own", async () => {
    const [ours, theirs] = [await call.live(), await other.live()];
    const ids = (records: { assetId: string; driverId?: string; assetGroupId: string }[]) =>
      records.flatMap((record) => [record.assetId, record.driverId, record.assetGroupId].filter((id) => id !== undefined));
    expect(ids(ours).filter((id) => ids(theirs).includes(id))).toEqual([]);
  });

  test("chosen: credentials of one are refused for another", async () => {
    expect((await call.send("GET", urls.live, { headers: other.basic })).status).toBe(403);
    expect((await call.send("GET", urls.tires, { headers: await other.bearer() })).status).toBe(403);
  });

  test("documented part 7: what belongs to another customer is not visible", async () => {
    const [theirs] = await other.live();
    const [ours] = await call.live();
    expect((await call.updateGroup({ id: theirs.assetGroupId, name: "Mine" })).status).toBe(400);
    expect((await call.updateGroup({ id: ours.assetGroupId, vehicleIds: [theirs.assetId] })).status).toBe(400);
    expect((await call.createJob({ address: "Lyon", vehicleId: theirs.assetId })).body.errors).toMatchObject([{ field: "vehicleId" }]);
    expect(await call.live({ vehicleIds: theirs.assetId })).toEqual([]);
  });

  test("chosen: jobs of one are not listed for another", async () => {
    const { body } = await other.createJob({ address: "Lyon" });
    expect((await call.listJobs({ jobNumber: body.job.jobNumber })).jobs.map((job: { jobId: string }) => job.jobId)).not.toContain(
      body.job.jobId,
    );
  });
});
