import { Client } from "sdk-1.32/client/index.js";
import { StreamableHTTPClientTransport } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serveSandbox } from "./served-sandbox.ts";

let served: Served;

beforeAll(async () => {
  served = await serveSandbox();
});

afterAll(() => served.stop());

async function olderHost(): Promise<Client> {
  const client = new Client({ name: "older-host", version: "1.0.0" });
  // The SDK's transport does not match its interface under exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)) as Transport);
  return client;
}

describe("an older host over HTTP", () => {
  it("gets the latest revision that it supports, with a session used only for cancellation", async () => {
    const client = await olderHost();
    const transport = client.transport as StreamableHTTPClientTransport;
    expect({ version: transport.protocolVersion, session: transport.sessionId }).toEqual({
      version: "2025-11-25",
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    // The server responds with 405, which means that sessions end on their own.
    await transport.terminateSession();
    expect((await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } })).isError).toBeUndefined();
    await client.close();
  });

  it("cancels a call and continues with others", async () => {
    const client = await olderHost();
    const ending = new AbortController();
    const cancelled = client.callTool({ name: "summarize_fleet", arguments: {} }, undefined, { signal: ending.signal });
    ending.abort(new Error("no longer wanted"));
    await expect(cancelled).rejects.toThrow("no longer wanted");
    const located = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    expect(located.structuredContent).toMatchObject({ result: "found" });
    await client.close();
  });

  it("finds a vehicle, creates a job and reads it back", async () => {
    const client = await olderHost();
    // The SDK rejects structured content that does not match the listed output schema.
    await client.listTools();
    const located = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    expect(located.structuredContent).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
    const created = await client.callTool({
      name: "create_job",
      arguments: { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" },
    });
    const { jobNumber } = (created.structuredContent as { job: { jobNumber: string } }).job;
    const listed = await client.callTool({ name: "list_jobs", arguments: { fields: ["jobNumber"] } });
    expect(listed.structuredContent).toMatchObject({ rows: expect.arrayContaining([[jobNumber]]) });
    await client.close();
  });

  it("gets the right result for each concurrent call", async () => {
    const clients = await Promise.all([olderHost(), olderHost(), olderHost()]);
    const calls = clients.flatMap((client) => ["Truck 1", "Truck 12", "Van 7"].map((query) => ({ client, query })));
    const results = await Promise.all(calls.map(({ client, query }) => client.callTool({ name: "locate_vehicle", arguments: { query } })));
    expect(results.map(({ structuredContent }) => (structuredContent as { vehicle: { assetName: string } }).vehicle.assetName)).toEqual(
      calls.map(({ query }) => query),
    );
    await Promise.all(clients.map((client) => client.close()));
  });
});
