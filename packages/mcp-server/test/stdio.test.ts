import { catalogue } from "@fleetwire/tools";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { linkedServer } from "../scripts/linked-server.ts";
import { hostClient } from "./host-client.ts";
import { structuredOf, textOf, tokens } from "./server-under-test.ts";
import { BIN, cleanEnv, NOTICE, type Spawned, start } from "./spawned-bin.ts";

type Mode = "auto" | "legacy";

/** A host of the built bin, which tests of a revision share. */
async function spawnedHost(mode: Mode): Promise<Client> {
  const client = hostClient(mode);
  const env = cleanEnv({ FLEET_CONFIRM: "never" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, "--sandbox"], env, stderr: "ignore" }));
  return client;
}

/** A host of the same server in this process. */
async function linkedHost(mode: Mode, env: Record<string, string>): Promise<Client> {
  const { transport, close } = await linkedServer({ sandbox: true, env: cleanEnv(env), version: "1.2.3" });
  const client = hostClient(mode);
  await client.connect(transport);
  onTestFinished(async () => {
    await client.close();
    await close();
  });
  await client.listTools();
  return client;
}

const call = (client: Client, name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

describe.each<[Mode, string]>([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
])("over stdio, with a host that negotiates %s", (mode, revision) => {
  let client: Client;
  beforeAll(async () => {
    client = await spawnedHost(mode);
    return () => client.close();
  });

  it("a vehicle is found, a job created and read back", async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools).toHaveLength(catalogue.length);

    const located = await call(client, "locate_vehicle", { query: "truck 12" });
    const { result, vehicle } = structuredOf(located);
    expect({ result, assetName: vehicle.assetName }).toEqual({ result: "found", assetName: "Truck 12" });
    expect(textOf(located)).toMatch(/^\[sandbox\] Truck 12 \(/);

    const created = await call(client, "create_job", { address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12" });
    const { jobNumber } = structuredOf(created).job;
    const { items } = structuredOf(await call(client, "list_jobs", { fields: ["jobNumber", "vehicleName"] }));
    expect(items).toContainEqual({ jobNumber, vehicleName: "Truck 12" });

    const refused = await call(client, "create_job", {});
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^\[sandbox\] input: .*address/);
  });

  it("what only some hosts ask for is loaded when they do: completions, documents and vehicles", async () => {
    const ref = { type: "ref/prompt" as const, name: "where_is" };
    expect((await client.complete({ ref, argument: { name: "vehicle", value: "truck 12" } })).completion.values).toContain("Truck 12");
    const { contents } = await client.readResource({ uri: "fleet://operation/createJob" });
    expect(JSON.stringify(contents)).toContain("# createJob");
    expect(JSON.stringify(await client.readResource({ uri: "fleet://vehicle/Truck%2012" }))).toContain("Truck 12");
  });

  it("results stay within the budget as the host receives them", async () => {
    const client = await linkedHost(mode, { FLEET_MAX_RESULT_TOKENS: "300" });
    for (const [name, args] of [
      ["list_live_positions", { limit: 500 }],
      ["list_vehicle_faults", { limit: 500 }],
      ["list_tire_events", { limit: 500 }],
      ["locate_vehicle", { query: "truck" }],
      ["list_live_positions", { fields: ["none"] }],
    ] as const) {
      // What the SDK adds in _meta, the server's name, is for hosts, not models.
      const { _meta, ...seen } = await call(client, name, args);
      expect(tokens(seen)).toBeLessThanOrEqual(300);
    }
  });
});

describe("the sandbox's fleet", () => {
  it("every vehicle is found by name and by registration, in at most 150 tokens", async () => {
    const client = await linkedHost("legacy", { FLEET_MAX_RESULT_TOKENS: "100000" });
    const { items } = structuredOf(await call(client, "list_live_positions", { limit: 500, fields: ["assetName", "assetRegistration"] }));
    expect(items.length).toBeGreaterThan(40);
    for (const { assetName, assetRegistration } of items) {
      for (const query of [assetName, assetRegistration]) {
        const result = await call(client, "locate_vehicle", { query });
        const structured = structuredOf(result);
        expect({ query, found: structured.vehicle?.assetName }).toEqual({ query, found: assetName });
        expect(textOf(result).length / 4).toBeLessThanOrEqual(150);
        expect(tokens(structured)).toBeLessThanOrEqual(150);
      }
    }
  });
});

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });

const INITIALIZE = request(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } });

describe("the process", () => {
  // What each request of a revision contains, and what must be sent first.
  const MODERN = {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };

  it.each([
    ["2025-06-18", [INITIALIZE, { jsonrpc: "2.0", method: "notifications/initialized" }], {}],
    ["2026-07-28", [request(1, "server/discover", MODERN)], MODERN],
  ])("writes only protocol messages to stdout and JSON lines to stderr, whatever it receives: %s", async (_, opening, each) => {
    const { child, ended, lines, send } = start(["--sandbox", "--log", "debug"]);
    for (const message of opening) send(message);
    await lines(1);
    send("this is no JSON");
    send(request(2, "tools/list", each));
    send(request(3, "tools/call", { name: "locate_vehicle", arguments: { query: "truck 12" }, ...each }));
    send(request(4, "tools/call", { name: "list_live_positions", arguments: { limit: 0 }, ...each }));
    send(request(5, "no/such/method", each));
    const idsIn = (text: readonly string[]) => text.map((line) => JSON.parse(line).id).filter((id) => id !== undefined && id !== null);
    let count = 5;
    while (idsIn(await lines(count)).length < 5) count++;
    child.stdin.end();
    const { stdout, stderr, code } = await ended;
    const messages = stdout.trimEnd().split("\n");
    expect(messages.map((line) => JSON.parse(line).jsonrpc)).toEqual(messages.map(() => "2.0"));
    expect(idsIn(messages).toSorted()).toEqual([1, 2, 3, 4, 5]);
    const logged = stderr
      .slice(NOTICE.length)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(logged).toContainEqual(expect.objectContaining({ tool: "locate_vehicle", outcome: "ok" }));
    expect(logged).toContainEqual(expect.objectContaining({ tool: "list_live_positions", outcome: "input" }));
    expect(stderr).not.toContain("truck 12");
    expect(code).toBe(0);
  });

  it.each<[string, string[], (child: Spawned["child"]) => unknown]>([
    ["stdin closes", [], (child) => child.stdin.end()],
    ["SIGTERM", ["stdio"], (child) => child.kill("SIGTERM")],
    ["SIGINT", ["stdio"], (child) => child.kill("SIGINT")],
  ])("serves the sandbox without any configuration, and ends: %s", async (_, verb, end) => {
    const { child, ended, lines, send } = start([...verb, "--sandbox"]);
    send(INITIALIZE);
    expect(JSON.parse((await lines(1))[0] ?? "")).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "fleetwire-sandbox", title: "Fleetwire (sandbox)" } },
    });
    end(child);
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: NOTICE });
  });

  it("ends if stdin closes immediately", async () => {
    const { child, ended } = start(["--sandbox"]);
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0, signal: null, stdout: "", stderr: NOTICE });
  });
});

describe("an invalid message is refused with an explanation, and the next one is served", () => {
  const TOO_LARGE = "x".repeat(1_048_576);
  const job = (address: string) => `"method":"tools/call","params":{"name":"create_job","arguments":{"address":"${address}"}}`;
  const SIZE = /^The message has \d+ bytes, more than the maximum of 1048576; nothing was done$/;
  const FIELDS = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, 0]));

  const MESSAGES: [what: string, message: string | Buffer, id: number | string | null, code: number, text: RegExp][] = [
    ["too large, its id first", `{"jsonrpc":"2.0","id":"a-7",${job(TOO_LARGE)}}`, "a-7", -32600, SIZE],
    ["too large, its id last", `{${job(TOO_LARGE)},"jsonrpc":"2.0","id":7}`, 7, -32600, SIZE],
    ["too large, its id in the middle", `{"params":{"x":"${TOO_LARGE}"},"id":7,"method":"ping","jsonrpc":"2.0"}`, null, -32600, SIZE],
    ["too large, with an id inside a value", `{${job(`x\\"id\\":5},{`)},"y":{"id":5,"z":"${TOO_LARGE}"}}`, null, -32600, SIZE],
    [
      "not UTF-8",
      Buffer.from(`{"jsonrpc":"2.0","id":7,${job("Caf\xe9")}}`, "latin1"),
      7,
      -32700,
      /^The message is not valid UTF-8; nothing/,
    ],
    ["a batch", JSON.stringify([request(2, "ping"), request(3, "ping")]), null, -32600, /^Batches are not supported over stdio; send each/],
    [
      "an argument named __proto__",
      `{"jsonrpc":"2.0","id":7,${job('x","__proto__":"y')}}`,
      7,
      -32602,
      /: __proto__ is not an argument; nothing/,
    ],
    [
      "too many fields",
      JSON.stringify(request(7, "tools/call", FIELDS)),
      7,
      -32602,
      /more than \d+ fields in one object; nothing was done/,
    ],
  ];

  it("whatever is wrong with it", async () => {
    const { child, lines, send } = start(["--sandbox"]);
    send(INITIALIZE);
    await lines(1);
    let count = 1;
    for (const [what, message, id, code, text] of MESSAGES) {
      child.stdin.write(Buffer.concat([Buffer.from(message), Buffer.from("\n")]));
      send(request(++count, "ping"));
      const [refusal, served] = (await lines(count * 2 - 1)).slice(-2).map((line) => JSON.parse(line));
      expect({ what, ...refusal }).toEqual({ what, jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(text) } });
      expect(served).toMatchObject({ id: count, result: {} });
    }
  });
});
