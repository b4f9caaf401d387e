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
  // The SDK's own transport does not fit its interface under exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)) as Transport);
  return client;
}

describe("an older host over HTTP", () => {
  it("is served at the latest revision it knows, under a session that is a name for its cancels and no more", async () => {
    const client = await olderHost();
    const transport = client.transport as StreamableHTTPClientTransport;
    expect({ version: transport.protocolVersion, session: transport.sessionId }).toEqual({
      version: "2025-11-25",
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    // The server answers 405, which is how one says that sessions end by themselves.
    await transport.terminateSession();
    expect((await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } })).isError).toBeUndefined();
    await client.close();
  });

  it("cancels a call and goes on with others", async () => {
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
    // The SDK refuses structured content that does not fit the output schema which it has listed.
    await client.listTools();
    const located = await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 12" } });
    expect(located.structuredContent).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
    const created = await client.callTool({
      name: "create_job",
      arguments: { address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" },
    });
    const { jobNumber } = (created.structuredContent as { job: { jobNumber: string } }).job;
    const listed = await client.callTool({ name: "list_jobs", arguments: { fields: ["jobNumber"] } });
    expect(listed.structuredContent).toMatchObject({ items: expect.arrayContaining([{ jobNumber }]) });
    await client.close();
  });

  it("is answered while others are, each with its own answer", async () => {
    const clients = await Promise.all([olderHost(), olderHost(), olderHost()]);
    const asked = clients.flatMap((client) => ["Truck 1", "Truck 12", "Van 7"].map((query) => ({ client, query })));
    const answers = await Promise.all(asked.map(({ client, query }) => client.callTool({ name: "locate_vehicle", arguments: { query } })));
    expect(answers.map(({ structuredContent }) => (structuredContent as { vehicle: { assetName: string } }).vehicle.assetName)).toEqual(
      asked.map(({ query }) => query),
    );
    await Promise.all(clients.map((client) => client.close()));
  });
});
