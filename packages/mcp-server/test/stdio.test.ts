import { catalogue } from "@fleetwire/tools";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { hostClient } from "./host-client.ts";
import { structuredOf, textOf } from "./server-under-test.ts";
import { BIN, cleanEnv, initialize, NOTICE, request, start } from "./spawned-bin.ts";

it.each([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
] as const)("the built bin serves the sandbox to a host that negotiates %s: %s", async (mode, revision) => {
  const client = hostClient(mode);
  onTestFinished(() => client.close());
  const env = cleanEnv({ FLEET_CONFIRM: "never" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, "--sandbox"], env, stderr: "ignore" }));
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect((await client.listTools()).tools).toHaveLength(catalogue.length);

  const located = await call("locate_vehicle", { query: "truck 12" });
  expect(structuredOf(located)).toMatchObject({ result: "found", vehicle: { assetName: "Truck 12" } });
  expect(textOf(located)).toMatch(/^\[sandbox\] Truck 12 \(/);
  const created = await call("create_job", { address: "Quai Perrache 10, 69002 Lyon, France", vehicleName: "Truck 12" });
  const { jobNumber } = structuredOf(created).job;
  const { items } = structuredOf(await call("list_jobs", { fields: ["jobNumber", "vehicleName"] }));
  expect(items).toContainEqual({ jobNumber, vehicleName: "Truck 12" });
  const refused = await call("create_job");
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^\[sandbox\] input: .*address/)]);

  // What only some hosts ask for is loaded when they do.
  const ref = { type: "ref/prompt" as const, name: "where_is" };
  expect((await client.complete({ ref, argument: { name: "vehicle", value: "truck 12" } })).completion.values).toContain("Truck 12");
  const read = async (uri: string) => JSON.stringify((await client.readResource({ uri })).contents);
  expect(await read("fleet://operation/createJob")).toContain("# createJob");
  expect(await read("fleet://vehicle/Truck%2012")).toContain("Truck 12");
});

// What each request of today's revision contains.
const MODERN = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

it.each([
  ["2025-06-18", [initialize(1), { jsonrpc: "2.0", method: "notifications/initialized" }], {}],
  ["2026-07-28", [request(1, "server/discover", MODERN)], MODERN],
])("writes only protocol messages to stdout and JSON lines to stderr, whatever it receives: %s", async (_, opening, each) => {
  const { child, ended, lines, send } = start(["--sandbox", "--log", "debug"]);
  for (const message of opening) send(message);
  const [first = ""] = await lines(1);
  const server = { name: "fleetwire-sandbox", title: "Fleetwire (sandbox)" };
  if (opening.length > 1) expect(JSON.parse(first)).toMatchObject({ id: 1, result: { serverInfo: server } });
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
  const [notice, ...logged] = stderr.trimEnd().split("\n");
  expect(`${notice}\n`).toBe(NOTICE);
  const log = logged.map((line) => JSON.parse(line));
  expect(log).toContainEqual(expect.objectContaining({ tool: "locate_vehicle", outcome: "ok" }));
  expect(log).toContainEqual(expect.objectContaining({ tool: "list_live_positions", outcome: "input" }));
  expect(stderr).not.toContain("truck 12");
  expect(code).toBe(0);
});

describe("an invalid message is refused with an explanation, and the next one is served", () => {
  const TOO_LARGE = "x".repeat(1_048_576);
  const job = (address: string) => `"method":"tools/call","params":{"name":"create_job","arguments":{"address":"${address}"}}`;
  const SIZE = /^The message has \d+ bytes, more than the maximum of 1048576; nothing was done$/;
  const UTF_8 = /^The message is not valid UTF-8; nothing/;
  const FIELDS = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, 0]));
  const latin1 = Buffer.from(`{"jsonrpc":"2.0","id":7,${job("Caf\xe9")}}`, "latin1");
  const PROTO = `{"jsonrpc":"2.0","id":7,${job('x","__proto__":"y')}}`;

  const MESSAGES: [what: string, message: string | Buffer, id: number | string | null, code: number, text: RegExp][] = [
    ["too large, its id first", `{"jsonrpc":"2.0","id":"a-7",${job(TOO_LARGE)}}`, "a-7", -32600, SIZE],
    ["too large, its id last", `{${job(TOO_LARGE)},"jsonrpc":"2.0","id":7}`, 7, -32600, SIZE],
    ["too large, its id in the middle", `{"params":{"x":"${TOO_LARGE}"},"id":7,"method":"ping","jsonrpc":"2.0"}`, null, -32600, SIZE],
    ["too large, with an id inside a value", `{${job(`x\\"id\\":5},{`)},"y":{"id":5,"z":"${TOO_LARGE}"}}`, null, -32600, SIZE],
    ["not UTF-8", latin1, 7, -32700, UTF_8],
    ["a batch", JSON.stringify([request(2, "ping"), request(3, "ping")]), null, -32600, /^Batches are not supported over stdio; send each/],
    ["an argument named __proto__", PROTO, 7, -32602, /: __proto__ is not an argument; nothing/],
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
    send(initialize(1));
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
