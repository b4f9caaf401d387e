import { describe, expect, it } from "vitest";
import { fastClock } from "../../core/test/fast-clock.ts";
import { messageIn, PUBLIC_URL, type Served, tenantsUnderTest, toolsIn } from "./callers-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { connectedHost } from "./server-under-test.ts";

const TRUCK = "fleet://vehicle/Truck%2012";

const located = async ({ call }: Served, token: string) => (await call("locate_vehicle", { query: "truck 12" }, token)).text;

async function withOAuth(env: Record<string, string> = {}, limits = {}) {
  const issuer = await issuerUnderTest();
  const oauth = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: PUBLIC_URL, ...env };
  const { server } = await tenantsUnderTest({ north: { callers: ["org_1", "org_2"] }, south: {} }, { env: oauth, limits });
  return { server, sign: (claims: object) => issuer.sign({ aud: PUBLIC_URL, sub: "admin", ...claims }) };
}

describe("a caller reaches only its own customer's fleet", () => {
  it("by the tenant that its token names, not by what access tokens call another", async () => {
    const { server, tokens, services } = await tenantsUnderTest({ north: { callers: ["org_1"] }, south: { callers: ["north"] } });
    for (const name of ["north", "south"] as const) {
      expect(await located(server, tokens[name])).toContain(`${name}-12`);
      const ids = services[name].received.map(({ headers }) => atob(String(headers.authorization).slice(6)));
      expect(new Set(ids)).toEqual(new Set([`id-${name}:canary-${name}`]));
    }
    await expect
      .poll(() => server.log.filter(({ msg }) => msg === "request"))
      .toMatchObject([
        { tenant: "north", customer: "cnorth", caller: "north" },
        { tenant: "south", customer: "csouth", caller: "south" },
      ]);
  });

  it("by the claim of its access token, and nobody's without one or with several", async () => {
    const { server, sign } = await withOAuth({ FLEET_TENANT_CLAIM: "org" });
    const as = async (org: unknown) => located(server, await sign({ org }));
    for (const org of ["org_1", ["org_2", "org_9"], ["org_1", "org_2"]]) expect(await as(org)).toContain("north-12");
    expect(await as("south")).toContain("south-12");
    for (const org of [undefined, "north", "org_9", "", ["org_1", "south"], { org_1: true }, 1])
      expect(await as(org)).toContain("No fleet is configured");
  });

  it("with its own settings", async () => {
    const { server, tokens } = await tenantsUnderTest({
      north: { settings: { FLEET_READ_ONLY: "1", FLEET_TOOLSETS: "positions,jobs" } },
      south: { settings: { FLEET_TIME_ZONE: "Asia/Tokyo" } },
    });
    const [north, south] = [toolsIn((await server.list(tokens.north)).text), toolsIn((await server.list(tokens.south)).text)];
    for (const name of ["create_job", "driver_hours"]) expect([north.includes(name), south.includes(name)]).toEqual([false, true]);
    expect(await located(server, tokens.south)).toContain("+09:00");
    expect(await located(server, tokens.north)).not.toContain("+09:00");
  });

  it("with confirmations that are its own", async () => {
    const env = { FLEET_CONFIRM: "auto", FLEET_SEAL_KEY: "x".repeat(44) };
    const { server, tokens, services } = await tenantsUnderTest({ north: {}, south: {} }, { env });
    const job = { address: "Quai Perrache 10, Lyon" };
    const preview = messageIn((await server.call("create_job", job, tokens.north)).text).result.structuredContent;
    const confirmed = { ...job, confirmation: preview.confirmation };
    expect((await server.call("create_job", confirmed, tokens.south)).text).toMatch(/confirmation/);
    expect(services.south.of("createJob")).toEqual([]);
    expect((await server.call("create_job", confirmed, tokens.north)).text).toContain("Job created");
    expect(services.north.of("createJob")).toHaveLength(1);
  });

  it("also if two customers have callers of the same name", async () => {
    const { server, sign } = await withOAuth({}, { callerRate: 2 });
    const as = async (tenant: string) => (await server.list(await sign({ tenant }))).status;
    expect([await as("org_1"), await as("org_1"), await as("org_1"), await as("south")]).toEqual([200, 200, 429, 200]);
  });
});

it("a subscription reports changes in the caller's own fleet only, even of a vehicle that another customer also has", async () => {
  const { server, tokens, services } = await tenantsUnderTest({ north: {}, south: {} }, { env: { FLEET_SNAPSHOT_SECONDS: "0.05" } });
  const vehicle = (customer: "north" | "south", city: string) => {
    const body = [{ assetId: `${customer}12`, assetName: "Truck 12", city }];
    services[customer].script = { ...services[customer].script, listLivePositions: () => ({ body }) };
  };
  const subscriber = async (token: string) => {
    const client = await connectedHost(server.http.url, { token });
    const updated: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
    return { updated, listen: (uri: string) => client.listen({ resourceSubscriptions: [uri] }) };
  };
  vehicle("north", "Lyon");
  vehicle("south", "Lyon");
  const [north, south] = [await subscriber(tokens.north), await subscriber(tokens.south)];
  await expect(north.listen("fleet://vehicle/south12")).rejects.toThrow(/no vehicle matches/);
  for (const { listen } of [north, south]) await listen(TRUCK);
  vehicle("south", "Paris");
  await expect.poll(() => south.updated).toEqual([TRUCK]);
  vehicle("north", "Dijon");
  await expect.poll(() => north.updated).toEqual([TRUCK]);
  vehicle("south", "Rouen");
  await expect.poll(() => south.updated).toEqual([TRUCK, TRUCK]);
  expect(north.updated, "see packages/mcp-server/src/tenants/tenant-fleet.ts").toEqual([TRUCK]);
});

describe("a customer whose service does not respond", () => {
  it("takes no slots from others, and the server stays ready", async () => {
    fastClock(20);
    const limits = { requests: 10, requestsPerCustomer: 4 };
    const { server, tokens, services } = await tenantsUnderTest({ north: {}, south: {} }, { limits });
    services.north.script = { ...services.north.script, listLivePositions: () => "silence" };
    const waiting = Array.from({ length: 8 }, () => located(server, tokens.north));
    await expect.poll(async () => (await server.list(tokens.north)).status).toBe(503);
    expect((await server.list(tokens.north)).text).toContain("Already serving 4 requests for this customer");
    for (let count = 0; count < 5; count++) expect(await located(server, tokens.south)).toContain("south-12");
    const ready = async () => JSON.parse((await server.get("/readyz")).text);
    expect(await ready()).toEqual({ ready: true, problems: [] });
    await expect.poll(ready).toEqual({ ready: true, fleet: true, problems: ["timeout"] });
    await server.http.close();
    await Promise.allSettled(waiting);
  });
});
