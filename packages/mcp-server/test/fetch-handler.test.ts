import { createFleetClient } from "@fleetwire/core";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FleetService, fleetService, type Script } from "../../tools/test/fleet-service.ts";
import { createFetchHandler, type FetchHandler, type FetchHandlerOptions, serverConfigFromEnv } from "../src/fetch.ts";
import { messageIn } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { rawCall } from "./http-under-test.ts";
import { issuerUnderTest } from "./issuer-under-test.ts";
import { environmentOf, structuredOf } from "./server-under-test.ts";

const URL_OF = "https://fleet.example.com/mcp";
const TRUCK = { assetId: "v12", assetName: "Truck 12", date: "2026-11-20T08:30:00Z" };

async function underTest(
  script: Script,
  more: Partial<FetchHandlerOptions> = {},
): Promise<{ service: FleetService; handler: FetchHandler }> {
  const service = await fleetService(script);
  const handler = createFetchHandler({
    callers: async () => ({ id: "dispatch", clientId: "host", scopes: ["fleet:read", "fleet:write"], expiresAt: 9e12, tenants: [] }),
    fleets: serverConfigFromEnv(environmentOf(service.origin)),
    hosts: ["fleet.example.com"],
    version: "1.2.3",
    ...more,
  });
  onTestFinished(() => handler.close());
  return { service, handler };
}

const post = (handler: FetchHandler, init: RequestInit & { headers?: Record<string, string> }, url = URL_OF) =>
  handler.fetch(
    new Request(url, {
      method: "POST",
      ...init,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...init.headers },
    }),
  );

const authorization = { authorization: "Bearer x" };

describe("the handler for servers that follow the Fetch standard", () => {
  it.each(["auto", "legacy"] as const)("serves a host that negotiates %s", async (mode) => {
    const { handler } = await underTest({ listLivePositions: () => ({ body: [TRUCK] }) });
    const client = hostClient(mode, {});
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF), { fetch, requestInit: { headers: authorization } }));
    onTestFinished(() => client.close());
    const located = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    expect(structuredOf(located)).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
  });

  it("serves each of several customers its own fleet", async () => {
    const [north, south] = await Promise.all(
      ["North 1", "South 2"].map((assetName) => fleetService({ listLivePositions: () => ({ body: [{ ...TRUCK, assetName }] }) })),
    );
    const fleets = [north, south].map((service, at) => ({
      name: ["north", "south"][at] ?? "",
      callers: [["north", "south"][at] ?? ""],
      config: serverConfigFromEnv(environmentOf(service?.origin ?? "")),
    }));
    const { handler } = await underTest(
      {},
      {
        fleets,
        callers: async (tenant: string) => ({
          id: "dispatch",
          clientId: "host",
          scopes: ["fleet:read"],
          expiresAt: 9e12,
          tenants: [tenant],
        }),
      },
    );
    const found = async (tenant: string, query: string) => {
      const { headers, body } = rawCall("locate_vehicle", { query });
      const response = await post(handler, { headers: { ...headers, authorization: `Bearer ${tenant}` }, body });
      return messageIn(await response.text()).result.structuredContent.result;
    };
    expect([await found("north", "North 1"), await found("south", "South 2"), await found("south", "North 1")]).toEqual([
      "found",
      "found",
      "notFound",
    ]);
  });

  it("is not ready once it is closed, and refuses calls", async () => {
    const { handler } = await underTest({ listLivePositions: () => ({ body: [TRUCK] }) });
    const ready = async () => {
      const response = await handler.fetch(new Request("https://fleet.example.com/readyz"));
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([200, { ready: true, fleet: true, problems: [] }]);
    await handler.close();
    expect(await ready()).toEqual([503, { ready: false, problems: ["shutting down"] }]);
    const { body } = rawCall("locate_vehicle", { query: "truck 12" });
    const refused = await post(handler, { body, headers: authorization });
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("The server is shutting down")]);
  });

  it("authenticates callers, and says where to get a token", async () => {
    const issuer = await issuerUnderTest();
    const callers = { issuer: new URL(issuer.url), publicUrl: new URL(URL_OF) };
    const { handler } = await underTest({ listLivePositions: () => ({ body: [TRUCK] }) }, { callers });
    const { body } = rawCall("locate_vehicle", { query: "truck 12" });
    expect((await post(handler, { body })).status).toBe(401);
    const served = await post(handler, { body, headers: { authorization: `Bearer ${await issuer.sign({ aud: URL_OF })}` } });
    expect(messageIn(await served.text()).result.structuredContent.vehicle.assetName).toBe("Truck 12");
    const metadata = await handler.fetch(new Request("https://fleet.example.com/.well-known/oauth-protected-resource/mcp"));
    expect(await metadata.json()).toMatchObject({ resource: URL_OF, authorization_servers: [issuer.url] });
  });

  it("needs to know its hosts if a function verifies the tokens", () => {
    const fleets = serverConfigFromEnv(environmentOf("https://fleet.example.com"));
    const callers = async () => ({ id: "x", clientId: "x", scopes: [], expiresAt: 9e12, tenants: [] });
    expect(() => createFetchHandler({ callers, fleets, version: "1.2.3" })).toThrow("createFetchHandler: without hosts");
  });

  it("rejects another host, and has no metrics", async () => {
    const { handler } = await underTest({});
    expect((await post(handler, { body: "{}", headers: authorization }, "https://other.example.com/mcp")).status).toBe(403);
    expect((await handler.fetch(new Request("https://fleet.example.com/metrics"))).status).toBe(404);
    expect((await handler.fetch(new Request("https://fleet.example.com/healthz"))).status).toBe(200);
  });

  it("creates a customer's client when it is first called, and coordinates its writes with other processes", async () => {
    const held: string[] = [];
    const store = {
      get: async () => undefined,
      add: async (key: string) => held.push(key) > 0,
      extend: async () => true,
      remove: async () => {},
    };
    let clients = 0;
    const service = await fleetService({ createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) });
    const key = Buffer.alloc(32, 1).toString("base64");
    const { handler } = await underTest(
      {},
      {
        fleets: serverConfigFromEnv({ ...environmentOf(service.origin), FLEET_SEAL_KEY: key }),
        writeStore: store,
        createClient: (config) => {
          clients++;
          return createFleetClient(config);
        },
      },
    );
    expect(clients).toBe(0);
    const { body } = rawCall("create_job", { address: "Quai Perrache 10, Lyon", jobNumber: "FW-1" });
    for (let count = 0; count < 2; count++) await (await post(handler, { body, headers: authorization })).text();
    expect(clients).toBe(1);
    expect(held).not.toEqual([]);
  });

  it("keeps the outcome of a write whose response nobody read", async () => {
    const { handler, service } = await underTest({ createJob: ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } }) });
    const { body } = rawCall("create_job", { address: "Quai Perrache 10, Lyon" });
    const lost = await post(handler, { body, headers: authorization });
    await expect.poll(() => service.of("createJob").length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await lost.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const again = await (await post(handler, { body, headers: authorization })).text();
    expect(again).toMatch(/earlier call/);
    expect(service.of("createJob")).toHaveLength(1);
  });
});
