import { catalogue } from "@fleetwire/tools";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished, vi } from "vitest";
import { hostClient, structuredOf, textOf } from "./server-under-test.ts";
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
  expect(await read("fleet://vehicle/Truck%2012")).toContain("Truck 12");
});

const TOO_LARGE = "x".repeat(1_048_576);
const job = (address: string) => `"method":"tools/call","params":{"name":"create_job","arguments":{"address":"${address}"}}`;
const SIZE = /^The message has \d+ bytes, more than the maximum of 1048576; nothing was done$/;
const FIELDS = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, 0]));
const latin1 = Buffer.from(`{"jsonrpc":"2.0","id":7,${job("Caf\xe9")}}`, "latin1");
const PROTO = `{"jsonrpc":"2.0","id":7,${job('x","__proto__":"y')}}`;
const BATCH = JSON.stringify([request(2, "ping"), request(3, "ping")]);
const MANY = JSON.stringify(request(7, "tools/call", FIELDS));

const MESSAGES: [what: string, message: string | Buffer, id: number | string | null, code: number, text: RegExp][] = [
  ["too large, its id first", `{"jsonrpc":"2.0","id":"a-7",${job(TOO_LARGE)}}`, null, -32600, SIZE],
  ["too large, its id in the middle", `{"params":{"x":"${TOO_LARGE}"},"id":7,"method":"ping","jsonrpc":"2.0"}`, null, -32600, SIZE],
  ["too large, with an id inside a value", `{${job(`x\\"id\\":5},{`)},"y":{"id":5,"z":"${TOO_LARGE}"}}`, null, -32600, SIZE],
  ["too large, its id last", `{${job(TOO_LARGE)},"jsonrpc":"2.0","id":7}`, null, -32600, SIZE],
  ["not UTF-8", latin1, 7, -32700, /^The message is not valid UTF-8; nothing/],
  ["a batch", BATCH, null, -32600, /^Batches are not supported over stdio; send each/],
  ["an argument named __proto__", PROTO, 7, -32602, /: __proto__ is not an argument; nothing/],
  ["too many fields", MANY, 7, -32602, /more than \d+ fields in one object; nothing was done/],
  ["an unknown method", JSON.stringify(request(7, "no/such/method")), 7, -32601, /Method not found/],
];

it("whatever it receives, the bin serves on, and writes only protocol messages to stdout and JSON lines to stderr", async () => {
  const { child, ended, lines, send } = start(["--sandbox", "--log", "debug"]);
  send(initialize(1));
  const server = { name: "fleetwire-sandbox", title: "Fleetwire (sandbox)" };
  expect(JSON.parse((await lines(1))[0] ?? "")).toMatchObject({ id: 1, result: { serverInfo: server } });
  let count = 1;
  for (const [what, message, id, code, text] of MESSAGES) {
    child.stdin.write(Buffer.concat([Buffer.from(message), Buffer.from("\n")]));
    send(request(++count, "ping"));
    const [refusal, served] = (await lines(count * 2 - 1)).slice(-2).map((line) => JSON.parse(line));
    expect({ what, ...refusal }).toEqual({ what, jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(text) } });
    expect(served).toMatchObject({ id: count, result: {} });
  }
  send("this is no JSON");
  send(request(100, "tools/call", { name: "locate_vehicle", arguments: { query: "truck 12" } }));
  send(request(101, "tools/call", { name: "list_live_positions", arguments: { limit: 0 } }));
  await vi.waitFor(
    async () => expect((await lines(1)).map((line) => JSON.parse(line).id)).toEqual(expect.arrayContaining([100, 101])),
    10_000,
  );
  child.stdin.end();
  const { stdout, stderr, code } = await ended;
  for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  const [notice, ...logged] = stderr.trimEnd().split("\n");
  const log = logged.map((line) => JSON.parse(line));
  expect([`${notice}\n`, code]).toEqual([NOTICE, 0]);
  expect(log).toContainEqual(expect.objectContaining({ tool: "locate_vehicle", outcome: "ok" }));
  expect(log).toContainEqual(expect.objectContaining({ tool: "list_live_positions", outcome: "input" }));
  expect(stderr).not.toContain("truck 12");
});
