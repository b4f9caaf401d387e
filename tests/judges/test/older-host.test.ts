import { fileURLToPath } from "node:url";
import { catalogue } from "@fleetwire/tools";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// v1 of the official SDK represents hosts that are older than the server.
const bin = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));
const client = new Client({ name: "older-host", version: "1.0.0" });

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
async function call(name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent;
}

beforeAll(async () => {
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, "--sandbox", "--confirm", "never"],
      env: { PATH: process.env["PATH"] ?? "" },
      stderr: "inherit",
    }),
  );
});

afterAll(() => client.close());

const DAY = { startTime: new Date(Date.now() - 2 * 86_400_000).toISOString(), endTime: new Date().toISOString() };
let jobNumber: string;

describe("an older host over stdio", () => {
  it("lists the tools and compiles each output schema", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(catalogue.map(({ name }) => name));
    for (const { outputSchema, annotations } of tools)
      expect({ outputSchema, annotations }).toEqual({ outputSchema: expect.any(Object), annotations: expect.any(Object) });
  });

  it("locates truck 12", async () => {
    expect(await call("locate_vehicle", { query: "truck 12" })).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
  });

  it("creates a job for it", async () => {
    const { job } = await call("create_job", {
      address: "Quai Perrache 10, 69002 Lyon, France",
      vehicleName: "Truck 12",
      jobTitle: "Collect",
    });
    expect(job).toMatchObject({ vehicleName: "Truck 12", jobTitle: "Collect" });
    jobNumber = job.jobNumber;
    expect(jobNumber).toMatch(/^FW-\d{8}-/);
  });

  it("sees it in the list of jobs", async () => {
    const { rows } = await call("list_jobs", { fields: ["jobNumber", "vehicleName"] });
    expect(rows).toContainEqual([jobNumber, "Truck 12"]);
  });

  // The SDK rejects structured content that does not match the listed output schema.
  it.each<[string, Record<string, unknown>]>([
    ["locate_vehicle", { query: "truck" }],
    ["locate_vehicle", { query: "no such vehicle" }],
    ["list_live_positions", { limit: 100 }],
    [
      "list_live_positions",
      { limit: 100, fields: ["assetName", "serialNumber", "tags", "fuelType", "activeFaultCodes", "privacy", "electricCharging"] },
    ],
    ["list_vehicle_faults", { limit: 100 }],
    ["list_vehicle_faults", { limit: 100, fields: ["code", "lamps", "startOdometer", "make"] }],
    ["query_tacho_activity", DAY],
    ["query_tacho_activity", { ...DAY, fields: ["activity", "duration", "distance", "driverCardSlot", "flagDDD", "isStartOfShift"] }],
    ["find_nearest_vehicles", { to: "truck 12" }],
    ["summarize_fleet", {}],
    ["summarize_driver_activity", { period: "yesterday" }],
    ["list_jobs", {}],
    ["list_tire_events", {}],
  ])("accepts the structured result of %s, case %#", async (tool, args) => {
    const { items, rows = items, result, vehicles } = await call(tool, args);
    expect(result ?? vehicles ?? rows.length).toBeTruthy();
  });

  it("accepts the structured result of update_group", async () => {
    const { columns, rows } = await call("list_live_positions", { limit: 1, fields: ["assetGroupId"] });
    const id = rows[0][columns.indexOf("assetGroupId")];
    expect(await call("update_group", { id, name: "Renamed by an older host" })).toMatchObject({
      group: { id, name: "Renamed by an older host" },
    });
  });

  it("gets a readable error", async () => {
    const { isError, content } = await client.callTool({ name: "create_job", arguments: { jobTitle: "nowhere" } });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("address: is required unless lat and lng are given");
  });
});
