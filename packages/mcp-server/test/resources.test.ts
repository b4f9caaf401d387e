import { describe, expect, it } from "vitest";
import { cannedFleet, HOSTILE_TEXTS } from "../../tools/test/canned-fleet.ts";
import { CANARY, serverUnderTest, tokens } from "./server-under-test.ts";

const script = { listLivePositions: () => ({ body: cannedFleet() }) };

type Setup = Parameters<typeof serverUnderTest>[0];

async function read(uri: string, setup: Setup = {}): Promise<string> {
  const { client } = await serverUnderTest({ script, ...setup });
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  return content && "text" in content ? content.text : "";
}

const vehicle = (name: string) => `fleet://vehicle/${encodeURIComponent(name)}`;

describe.each(["auto", "legacy"] as const)("the vehicle resource, revision %s", (mode) => {
  it.each(["Truck 12", "KX21 ABC", "v1011", "truck-12"])("by %s", async (name) => {
    const { vehicle: record } = JSON.parse(await read(vehicle(name), { mode }));
    expect(record).toMatchObject({ assetName: "Truck 12", assetRegistration: "KX21 ABC", age: "4 min ago", city: expect.any(String) });
  });

  it.each([
    ["Keller", /vehicles match, such as Truck 1, /],
    ["Submarine", /no vehicle matches/],
  ])("is refused if the name is not certain: %s", async (name, expected) => {
    await expect(read(vehicle(name), { mode })).rejects.toThrow(expected);
  });
});

describe("a vehicle resource", () => {
  it("has a MIME type that hosts accept: Anthropic's helper takes text of any kind, but not application/json", async () => {
    const { client } = await serverUnderTest({ script });
    const { contents } = await client.readResource({ uri: vehicle("Truck 12") });
    const { resourceTemplates } = await client.listResourceTemplates();
    const records = resourceTemplates.filter(({ uriTemplate }) => uriTemplate.startsWith("fleet:"));
    for (const { mimeType } of [...contents, ...records]) expect(mimeType).toMatch(/^text\//);
  });

  it("does not reveal the whereabouts of a private journey, or a name that is hidden", async () => {
    const text = await read(vehicle("Van 13"));
    const { vehicle: shown } = JSON.parse(text);
    expect(shown).toMatchObject({ assetName: "Van 13", privacy: true });
    expect(Object.keys(shown).join(" ")).not.toMatch(/latitude|longitude|city|road|formattedAddress|location|heading|speed/);
    expect(text).not.toContain("Home");
    expect(await read(vehicle("Van 13"), { env: { FLEET_PRIVACY: "off" } })).toContain("Home");
    const hidden = await read(vehicle("Truck 12"), { env: { FLEET_DRIVER_NAMES: "hide" } });
    expect(hidden).not.toContain("Carla");
    expect(JSON.parse(hidden).vehicle.driverName).toMatch(/^Driver [0-9a-f]{10}$/);
  });

  it.each(Object.entries(HOSTILE_TEXTS))("respects the budget and keeps text in its fields: %s", async (_, text) => {
    const position = { assetId: "v1", assetName: "Truck 12", driverName: text, formattedAddress: text, status: text, city: text };
    const hostile = { listLivePositions: () => ({ body: [position] }) };
    const body = await read(vehicle("v1"), { script: hostile, env: { FLEET_MAX_RESULT_TOKENS: "300" } });
    expect(tokens(body)).toBeLessThanOrEqual(300);
    expect(JSON.parse(body).vehicle.assetId).toBe("v1");
  });

  it("fails with an explanation, without an address or a secret", async () => {
    const down = { listLivePositions: () => ({ status: 500, body: [{ errorMessage: CANARY }] }) };
    const { client, service } = await serverUnderTest({ script: down });
    const failure = await client.readResource({ uri: vehicle("Truck 12") }).catch((error: Error) => error.message);
    expect(failure).toMatch(/upstream: listLivePositions: HTTP 500.*Next: /);
    for (const secret of [CANARY, service.origin]) expect(failure).not.toContain(secret);
  });

  it("aborts its request if the host cancels the read, or it takes too long", async () => {
    const { client, service } = await serverUnderTest({ script: { listLivePositions: () => "silence" }, callTimeout: 300 });
    const controller = new AbortController();
    const reading = client.readResource({ uri: vehicle("Truck 12") }, { signal: controller.signal });
    await expect.poll(() => service.received.length).toBe(1);
    controller.abort();
    await expect(reading).rejects.toThrow();
    await service.received[0]?.closed;
    await expect(client.readResource({ uri: vehicle("Truck 12") })).rejects.toThrow("timeout: the call timed out");
  });
});

describe("what the current revision says beside results", () => {
  it("is how long they count: lists for minutes, a vehicle as long as its snapshot", async () => {
    const { client } = await serverUnderTest({ script, mode: "auto" });
    expect(await client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
    expect(await client.readResource({ uri: vehicle("Truck 12") })).toMatchObject({ cacheScope: "private" });
  });

  it("is an inline icon, which is not repeated with every result", async () => {
    const { client, call } = await serverUnderTest({ script, mode: "auto" });
    expect(client.getServerVersion()?.icons?.[0]?.src).toMatch(/^data:image\/svg\+xml;base64,/);
    const results = [await call("locate_vehicle", { query: "truck 12" }), await client.listTools(), await client.listPrompts()];
    const server = { name: "fleetwire", title: "Fleetwire", version: "1.2.3" };
    for (const { _meta } of results) expect(_meta).toEqual({ "io.modelcontextprotocol/serverInfo": server });
    const older = await serverUnderTest({ script });
    expect(older.client.getServerVersion()?.icons?.[0]?.src).toMatch(/^data:/);
  });
});
