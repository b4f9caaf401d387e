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
  test.each(Object.entries(statuses) as [Scheme, number][])("%s gets %i", async (scheme, status) => {
    const credentials = scheme === "basic" ? call.basic : await call[scheme]();
    const response = await call.send(method, url, { headers: { ...credentials, ...call.json }, ...(body !== undefined && { body }) });
    expect(response.status).toBe(status);
    if (status === 401) expect(response.headers.get("www-authenticate")).toBeTruthy();
  });
});

describe("tokens", () => {
  test("documented 5.2: the response to a token request", async () => {
    const { status, body } = await call.requestToken();
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, accessToken: expect.any(String), token_type: "bearer", expires_in: 60 });
  });

  const refused: [string, string, Record<string, string> | undefined, string | undefined, number][] = [
    ["chosen S3", "another grant", undefined, "grant_type=password", 400],
    ["chosen S3", "no grant", undefined, "", 400],
    ["chosen S1", "a wrong secret", { Authorization: `Basic ${btoa("a:b")}` }, undefined, 401],
    ["chosen S1", "no credentials", { Authorization: "" }, undefined, 401],
    ["chosen S1", "Basic that is not Base64", { Authorization: "Basic ~~~" }, undefined, 401],
    ["documented 5.2", "JSON instead of a form", { "Content-Type": "application/json" }, "{}", 415],
  ];
  test.each(refused)("%s: %s is refused", async (_source, _name, headers, text, status) => {
    const response = await call.requestToken({ ...call.basic, ...headers }, text);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ errorCode: expect.any(Number), errorMessage: expect.any(String), offendingFields: expect.any(Array) });
  });

  test("documented part 8: a token is valid for expires_in seconds and can be reused until then", async () => {
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
    ["chosen S1", "with a changed token", (token) => `TOKEN ${token}x`],
    ["chosen S1", "with a token whose expiry was changed", (token) => `TOKEN ${token.replace(/\.[^.]+\./, ".zzzzzzzz.")}`],
  ];
  test.each(malformed)("%s: x-connect-token %s is refused", async (_source, _name, write) => {
    const response = await call.send("GET", urls.jobs, { headers: { "x-connect-token": write(await call.token()) } });
    expect(response.status).toBe(401);
  });
});

describe("customers", () => {
  test("documented part 1: each has its own vehicles, people and groups", async () => {
    const [ours, theirs] = [await call.live(), await other.live()];
    const ids = (records: { assetId: string; driverId?: string; assetGroupId: string }[]) =>
      records.flatMap((record) => [record.assetId, record.driverId, record.assetGroupId].filter((id) => id !== undefined));
    expect(ids(ours).filter((id) => ids(theirs).includes(id))).toEqual([]);
  });

  test("chosen S2: one customer's credentials are refused for another", async () => {
    expect((await call.send("GET", urls.live, { headers: other.basic })).status).toBe(403);
    expect((await call.send("GET", urls.tires, { headers: await other.bearer() })).status).toBe(403);
  });

  const foreign = (url: string) => url.replace(call.customer, other.customer);
  const everywhere: [string, string, string, Scheme, unknown][] = [
    ["live positions", "GET", foreign(urls.live), "basic", undefined],
    ["vehicle faults", "GET", foreign(urls.faults), "basic", undefined],
    ["group update", "PUT", foreign(urls.group), "basic", {}],
    ["group update at the other base", "PUT", foreign(urls.fleetGroup), "basic", {}],
    ["tire events", "GET", foreign(urls.tires), "bearer", undefined],
    ["tachograph", "POST", foreign(urls.tacho), "bearer", SPAN],
    ["job list", "GET", foreign(urls.jobs), "connect", undefined],
  ];
  test.each(everywhere)("chosen S2: %s of another customer is forbidden", async (_name, method, url, scheme, body) => {
    const credentials = scheme === "basic" ? call.basic : await call[scheme]();
    const response = await call.send(method, url, { headers: { ...credentials, ...call.json }, ...(body !== undefined && { body }) });
    expect(response.status).toBe(403);
  });

  test("chosen S2: filters by another customer's ids find nothing", async () => {
    const [theirs] = await other.live();
    const { body: tacho } = await other.tacho(SPAN);
    const [{ driverKey, activities }] = tacho.data;
    for (const query of [{ vehicleIds: theirs.assetId }, { driverIds: theirs.driverId }, { groupIds: theirs.assetGroupId }])
      expect(await call.live(query)).toEqual([]);
    expect((await call.faults({ vehicleId: theirs.assetId })).body.items).toEqual([]);
    expect((await call.faults({ groupId: theirs.assetGroupId })).body.items).toEqual([]);
    expect((await call.tacho({ ...SPAN, driverKeys: [driverKey] })).body).toEqual({ count: 0, data: [] });
    expect((await call.tacho({ ...SPAN, registrations: [activities[0].assetRegistration] })).body).toEqual({ count: 0, data: [] });
    const tires = await call.send("GET", urls.tires, { query: { vehicleId: theirs.assetId }, headers: await call.bearer() });
    expect(tires.body.events).toEqual([]);
    expect((await call.createJob({ address: "Lyon", personId: theirs.driverId })).body.errors).toMatchObject([{ field: "personId" }]);
  });

  test("chosen S2: a job number used by another customer is free", async () => {
    const job = { address: "Lyon", jobNumber: "SAME" };
    expect((await call.createJob(job)).body.job.jobNumber).toBe("SAME");
    expect((await other.createJob(job)).body.job.jobNumber).toBe("SAME");
  });

  test("documented part 7: another customer's groups, vehicles and people are not visible", async () => {
    const [theirs] = await other.live();
    const [ours] = await call.live();
    expect((await call.updateGroup({ id: theirs.assetGroupId, name: "Mine" })).status).toBe(400);
    expect((await call.updateGroup({ id: ours.assetGroupId, vehicleIds: [theirs.assetId] })).status).toBe(400);
    expect((await call.createJob({ address: "Lyon", vehicleId: theirs.assetId })).body.errors).toMatchObject([{ field: "vehicleId" }]);
    expect(await call.live({ vehicleIds: theirs.assetId })).toEqual([]);
  });

  test("chosen S2: one customer's jobs are not listed for another", async () => {
    const { body } = await other.createJob({ address: "Lyon" });
    expect((await call.listJobs({ jobNumber: body.job.jobNumber })).jobs.map((job: { jobId: string }) => job.jobId)).not.toContain(
      body.job.jobId,
    );
  });
});
