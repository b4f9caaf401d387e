import { catalogue } from "@fleetwire/tools";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { StreamableHTTPClientTransport } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, cleanEnv, type Served, serveSandbox } from "./programs.ts";

// v1 of the official SDK represents hosts that are older than the server.
let served: Served;
beforeAll(async () => {
  served = await serveSandbox();
});
afterAll(() => served.stop());

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: "older-host", version: "1.0.0" });
  await client.connect(transport);
  // The SDK rejects structured content that does not match the listed output schema.
  await client.listTools();
  return client;
}

const overStdio = () => {
  const env = cleanEnv({ FLEET_CONFIRM: "never" });
  return connected(new StdioClientTransport({ command: process.execPath, args: [BIN, "--sandbox"], env, stderr: "inherit" }));
};
// The SDK's transport does not match its interface under exactOptionalPropertyTypes.
const overHttp = () => connected(new StreamableHTTPClientTransport(new URL(served.url)) as Transport);

const DAY = { startTime: new Date(Date.now() - 2 * 86_400_000).toISOString(), endTime: new Date().toISOString() };

describe.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
])("an older host over %s", (_, open) => {
  let client: Client;
  beforeAll(async () => {
    client = await open();
  });
  afterAll(() => client.close());

  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  async function call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent;
  }

  it("lists the tools and compiles each output schema", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
    for (const tool of tools) expect(tool).toMatchObject({ outputSchema: expect.any(Object), annotations: expect.any(Object) });
  });

  it("locates truck 12, creates a job for it, and sees it in the list of jobs", async () => {
    expect(await call("locate_vehicle", { query: "truck 12" })).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
    const args = { address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12", jobTitle: "Collect" };
    const { job } = await call("create_job", args);
    expect(job).toMatchObject({ vehicleName: "Truck 12", jobTitle: "Collect", jobNumber: expect.stringMatching(/^FW-\d{8}-/) });
    const { rows } = await call("list_jobs", { fields: ["jobNumber", "vehicleName"] });
    expect(rows).toContainEqual([job.jobNumber, "Truck 12"]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["locate_vehicle", { query: "truck" }],
    ["locate_vehicle", { query: "no such vehicle" }],
    [
      "list_live_positions",
      { limit: 100, fields: ["assetName", "serialNumber", "tags", "activeFaultCodes", "privacy", "electricCharging"] },
    ],
    ["list_vehicle_faults", { limit: 100 }],
    ["list_vehicle_faults", { limit: 100, fields: ["code", "lamps", "startOdometer", "make"] }],
    ["query_tacho_activity", { ...DAY, fields: ["activity", "duration", "distance", "driverCardSlot", "flagDDD", "isStartOfShift"] }],
    ["find_nearest_vehicles", { to: "truck 12" }],
    ["summarize_fleet", {}],
    ["summarize_driver_activity", { period: "yesterday" }],
    ["list_tire_events", {}],
  ])("accepts the structured result of %s, case %#", async (tool, args) => {
    const { items, rows = items, result, vehicles } = await call(tool, args);
    expect(result ?? vehicles ?? rows.length).toBeTruthy();
  });

  it("accepts the structured result of update_group", async () => {
    const { columns, rows } = await call("list_live_positions", { limit: 1, fields: ["assetGroupId"] });
    const group = { id: rows[0][columns.indexOf("assetGroupId")], name: "Renamed by an older host" };
    expect(await call("update_group", group)).toMatchObject({ group });
  });

  it("gets a readable error", async () => {
    const { isError, content } = await client.callTool({ name: "create_job", arguments: { jobTitle: "nowhere" } });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("address: is required unless lat and lng are given");
  });

  it("cancels a call and continues with others", async () => {
    const ending = new AbortController();
    const cancelled = client.callTool({ name: "summarize_fleet", arguments: {} }, undefined, { signal: ending.signal });
    ending.abort(new Error("no longer wanted"));
    await expect(cancelled).rejects.toThrow("no longer wanted");
    expect(await call("locate_vehicle", { query: "truck 12" })).toMatchObject({ result: "found" });
  });
});

describe("older hosts over HTTP", () => {
  it("get the latest revision that they support, with a session used only for cancellation", async () => {
    const client = await overHttp();
    const transport = client.transport as StreamableHTTPClientTransport;
    expect(transport).toMatchObject({ protocolVersion: "2025-11-25", sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    // The server responds with 405, which means that sessions end on their own.
    await transport.terminateSession();
    expect((await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } })).isError).toBeUndefined();
    await client.close();
  });
});
