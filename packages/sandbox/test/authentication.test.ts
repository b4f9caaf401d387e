import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY } from "./sandbox-caller.ts";

const call = callSandbox({ customers: 2, vehicles: 20, tokenTtl: 60 });
const other = call.as(call.sandbox.customers[1]?.env ?? {});
const { urls } = call;
const SPAN = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };

type Scheme = "basic" | "bearer" | "connect";
const sendAs = async (scheme: Scheme, method: string, url: string, body: unknown) => {
  const credentials = scheme === "basic" ? call.basic : await call[scheme]();
  return call.send(method, url, { headers: { ...credentials, ...call.json }, ...(body !== undefined && { body }) });
};

const bearer: Record<Scheme, number> = { basic: 401, bearer: 200, connect: 401 };
const connect: Record<Scheme, number> = { basic: 401, bearer: 401, connect: 200 };
test.each<[string, string, string, Record<Scheme, number>, unknown?]>([
  ["live positions", "GET", urls.live, { basic: 200, bearer: 200, connect: 401 }],
  ["vehicle faults", "GET", urls.faults, { basic: 200, bearer: 401, connect: 401 }],
  ["group update", "PUT", urls.group, { basic: 400, bearer: 400, connect: 401 }, {}],
  ["group update at the other base", "PUT", urls.fleetGroup, { basic: 400, bearer: 400, connect: 401 }, {}],
  ["tire events", "GET", urls.tires, bearer],
  ["tachograph", "POST", urls.tacho, bearer, SPAN],
  ["job list", "GET", urls.jobs, connect],
  ["job creation", "POST", urls.job, connect, { address: "Lyon" }],
])("%s: accepts its schemes, and no other customer's path", async (name, method, url, statuses, body) => {
  for (const [scheme, status] of Object.entries(statuses) as [Scheme, number][]) {
    const response = await sendAs(scheme, method, url, body);
    expect([scheme, response.status, response.headers.has("www-authenticate")]).toEqual([scheme, status, status === 401]);
    if (status === 401 || name === "job creation") continue;
    expect([scheme, (await sendAs(scheme, method, url.replace(call.customer, other.customer), body)).status]).toEqual([scheme, 403]);
  }
});

describe("tokens", () => {
  test("are documented, valid for expires_in seconds and can be reused until then", async () => {
    const { status, body } = await call.requestToken();
    expect([status, body]).toEqual([200, { success: true, accessToken: expect.any(String), token_type: "bearer", expires_in: 60 }]);
    const statusAt = async (seconds: number) => {
      call.setClock(FRIDAY + seconds * 1000);
      return (await call.send("GET", urls.live, { headers: { Authorization: `Bearer ${body.accessToken}` } })).status;
    };
    expect([await statusAt(0), await statusAt(59), await statusAt(60), await statusAt(0)]).toEqual([200, 200, 401, 200]);
  });

  test.each<[string, Record<string, string>, string | undefined, number]>([
    ["another grant", {}, "grant_type=password", 400],
    ["no grant", {}, "", 400],
    ["a wrong secret", { Authorization: `Basic ${btoa("a:b")}` }, undefined, 401],
    ["no credentials", { Authorization: "" }, undefined, 401],
    ["Basic that is not Base64", { Authorization: "Basic ~~~" }, undefined, 401],
    ["JSON instead of a form", { "Content-Type": "application/json" }, "{}", 415],
  ])("are refused to %s", async (_name, headers, text, status) => {
    const response = await call.requestToken({ ...call.basic, ...headers }, text);
    expect(response).toMatchObject({ status, body: { errorCode: expect.any(Number), offendingFields: expect.any(Array) } });
  });

  test.each<[string, (token: string) => string]>([
    ["without the TOKEN prefix", (token) => token],
    ["with the Bearer prefix", (token) => `Bearer ${token}`],
    ["if changed", (token) => `TOKEN ${token}x`],
    ["if their expiry was changed", (token) => `TOKEN ${token.replace(/\.[^.]+\./, ".zzzzzzzz.")}`],
  ])("are refused %s", async (_name, write) => {
    const response = await call.send("GET", urls.jobs, { headers: { "x-connect-token": write(await call.token()) } });
    expect(response.status).toBe(401);
  });
});

describe("customers", () => {
  test("have their own vehicles, people and groups, whose ids are unknown to the other", async () => {
    const [ours, theirs] = [await call.live(), await other.live()];
    const [{ assetId, driverId, assetGroupId }] = theirs;
    const ids = (records: { assetId: string; driverId?: string; assetGroupId: string }[]) =>
      new Set(records.flatMap((record) => [record.assetId, record.driverId ?? "none", record.assetGroupId]));
    expect([...ids(ours)].filter((id) => id !== "none" && ids(theirs).has(id))).toEqual([]);
    for (const query of [{ vehicleIds: assetId }, { driverIds: driverId }, { groupIds: assetGroupId }])
      expect(await call.live(query)).toEqual([]);
    for (const query of [{ vehicleId: assetId }, { groupId: assetGroupId }]) expect((await call.faults(query)).body.items).toEqual([]);
    const [{ driverKey, activities }] = (await other.tacho(SPAN)).body.data;
    for (const query of [{ driverKeys: [driverKey] }, { registrations: [activities[0].assetRegistration] }])
      expect((await call.tacho({ ...SPAN, ...query })).body).toEqual({ count: 0, data: [] });
    const tires = await call.send("GET", urls.tires, { query: { vehicleId: assetId }, headers: await call.bearer() });
    expect(tires.body.events).toEqual([]);
    for (const [field, value] of Object.entries({ vehicleId: assetId, personId: driverId }))
      expect((await call.createJob({ address: "Lyon", [field]: value })).body.errors).toMatchObject([{ field }]);
    expect((await call.updateGroup({ id: assetGroupId, name: "Mine" })).status).toBe(400);
    expect((await call.updateGroup({ id: ours[0].assetGroupId, vehicleIds: [assetId] })).status).toBe(400);
  });

  test("have their own credentials, jobs and job numbers", async () => {
    expect((await call.send("GET", urls.live, { headers: other.basic })).status).toBe(403);
    expect((await call.send("GET", urls.tires, { headers: await other.bearer() })).status).toBe(403);
    const job = { address: "Lyon", jobNumber: "SAME" };
    const [ours, theirs] = [(await call.createJob(job)).body.job, (await other.createJob(job)).body.job];
    expect((await call.listJobs({ jobNumber: "SAME" })).jobs).toEqual([ours]);
    expect((await other.listJobs({ jobNumber: "SAME" })).jobs).toEqual([theirs]);
  });
});
