import { createFleetConsole } from "@fleetwire/console";
import { createFleetClient, type ResponseEvent } from "@fleetwire/core";
import type { WriteStore } from "@fleetwire/tools";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { CUSTOMER, fleetService, type Reply } from "../../../tools/test/fleet-service.ts";
import type { ServedFleet } from "../../src/http/served-fleet.ts";
import type { ServerLog } from "../../src/log.ts";
import { serverConfigFromEnv } from "../../src/server-config.ts";
import { fleetsByCaller, tenantFleet } from "../../src/tenants/tenant-fleet.ts";
import { hostClient } from "../host-client.ts";
import { environmentOf } from "../server-under-test.ts";

const TRUCK = { assetId: "v1", assetName: "Truck 12" };

/** A host that is connected to a fleet until the test ends. */
async function connectedTo(fleet: ServedFleet) {
  const { mcp } = fleet.endpoint(true);
  const client = hostClient("auto");
  onTestFinished(() => client.close());
  const fetch = (url: string | URL, init?: RequestInit) => mcp.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
  return client;
}

/** The fleet of a customer whose service responds so to requests for positions. */
async function fleetWith(reply: () => Reply, more: Partial<Parameters<typeof tenantFleet>[0]> = {}) {
  const service = await fleetService({ listLivePositions: reply });
  const lines: object[] = [];
  const write = (line: object, text: string) => lines.push({ ...line, text });
  const log = { warn: write, info: write } as unknown as ServerLog;
  let clients = 0;
  const createClient: Parameters<typeof tenantFleet>[0]["createClient"] = (config, _, hooks) => {
    clients++;
    return createFleetClient({ ...config, ...hooks });
  };
  const config = serverConfigFromEnv({ ...environmentOf(service.origin), FLEET_SEAL_KEY: btoa("k".repeat(32)) });
  const fleet = tenantFleet({ tenant: "north", config, createClient, log, version: "1.2.3", maxSubscriptions: 10, ...more });
  return { fleet, service, lines, clients: () => clients };
}

it("the callers of a customer share one fleet", () => {
  const tenants = [{ callers: ["org_1", "org_2"] }, { callers: ["org_3"] }];
  const fleets = fleetsByCaller(tenants, ({ callers }) => ({ customer: callers[0] }) as ServedFleet);
  expect([...fleets].map(([caller, { customer }]) => [caller, customer])).toEqual([
    ["org_1", "org_1"],
    ["org_2", "org_1"],
    ["org_3", "org_3"],
  ]);
  expect(fleets.get("org_2")).toBe(fleets.get("org_1"));
});

describe("a customer's fleet", () => {
  it("has one client, created when it is first needed", async () => {
    const { fleet, clients } = await fleetWith(() => ({ body: [] }));
    expect([fleet.customer, fleet.tenant, clients()]).toEqual([CUSTOMER, "north", 0]);
    fleet.endpoint(true);
    fleet.endpoint(false);
    await fleet.probe();
    expect(clients()).toBe(1);
  });

  it.each<[what: string, reply: Reply, code: string | undefined]>([
    ["positions", { body: [TRUCK] }, undefined],
    ["positions that differ from the interface", { body: [{ assetId: 1 }] }, undefined],
    ["no list at all", { body: { positions: [] } }, undefined],
    ["that the credentials are wrong", { status: 401 }, "unauthorized"],
    ["that it is unavailable", { status: 503 }, "upstream"],
  ])("is probed with one request, which asks for few positions, and the service responds with %s", async (_, reply, code) => {
    const { fleet, service } = await fleetWith(() => reply);
    const outcome = await fleet.probe().then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(code);
    expect(service.received.map(({ operation }) => operation)).toEqual(["listLivePositions"]);
    expect(service.received[0]?.url.search).not.toBe("");
  });

  it("has a page that sees what its tools see, and the requests of its client", async () => {
    const responses: ResponseEvent[] = [];
    const pages: Parameters<NonNullable<Parameters<typeof tenantFleet>[0]["createPage"]>>[0][] = [];
    const handler = async () => new Response("page");
    const { fleet, clients } = await fleetWith(() => ({ body: [TRUCK] }), {
      createPage: (tools) => {
        pages.push(tools);
        return { handler, hooks: { onResponse: (event) => void responses.push(event) } };
      },
    });
    expect(fleet.page).toBe(handler);
    expect(JSON.stringify(await createFleetConsole(pages[0]?.() ?? {}).fleet())).toContain("Truck 12");
    expect(responses.map(({ operation, status }) => [operation, status])).toEqual([["listLivePositions", 200]]);
    expect(clients()).toBe(1);
  });

  it("allows a number of subscriptions", async () => {
    const { fleet } = await fleetWith(() => ({ body: [TRUCK] }), { maxSubscriptions: 1 });
    const client = await connectedTo(fleet);
    const listen = () => client.listen({ resourceSubscriptions: ["fleet://operation/createJob"] });
    await listen();
    await expect(listen()).rejects.toThrow(/Subscription limit reached/);
  });

  it("logs its calls, and coordinates its writes with other processes", async () => {
    const held: string[] = [];
    const writeStore: WriteStore = {
      get: async () => undefined,
      add: async (key) => held.push(key) > 0,
      extend: async () => true,
      remove: async () => {},
    };
    const { fleet, service, lines } = await fleetWith(() => ({ body: [TRUCK] }), { writeStore });
    service.script.createJob = ({ body }) => ({ body: { job: { ...body, jobId: "j1" } } });
    const client = await connectedTo(fleet);
    await client.callTool({ name: "create_job", arguments: { address: "Quai Perrache 10, Lyon", jobNumber: "FW-1" } });
    expect(held).not.toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ tool: "create_job", outcome: "ok", text: "tool call" }));
  });

  it("logs the name of a protocol error", async () => {
    const { fleet, lines } = await fleetWith(() => ({ body: [] }));
    const request = new Request("http://localhost/mcp", { method: "POST", headers: { accept: "text/plain" }, body: "{}" });
    expect((await fleet.endpoint(true).mcp.fetch(request)).ok).toBe(false);
    expect(lines).toEqual([{ customer: CUSTOMER, tenant: "north", error: "Error", text: "protocol" }]);
  });
});
