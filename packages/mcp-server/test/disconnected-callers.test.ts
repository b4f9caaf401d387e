import { once } from "node:events";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fleetService, type Reply } from "../../tools/test/served-fleet.ts";
import { createLog, serveHttp } from "../src/index.ts";
import { bytesOf, connection, httpUnderTest, older, raw, rawCall } from "./http-under-test.ts";
import { environmentOf, type Mode, structuredOf, textOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

const CALL = { name: "create_job", arguments: { address: "Lyon" } };
const EARLIER = "an identical earlier call: nothing was sent this time. To repeat it, call again.";

/** A service whose job creations wait for the test to release them. */
async function waiting() {
  const open: ((reply: Reply) => void)[] = [];
  const service = await fleetService({ createJob: () => new Promise<Reply>((resolve) => void open.push(resolve)) });
  const sending = (count: number) => vi.waitUntil(() => service.of("createJob").length === count, { timeout: 30_000, interval: 5 });
  const release = () => {
    for (const resolve of open.splice(0)) resolve({ body: { job: { jobNumber: "S-1" } } });
  };
  return { service, sending, release };
}

const START = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: START };
const create = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: CALL });
const cancel = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

it.each<[how: string, outcome: string | undefined, end: (host: ReturnType<typeof start>) => unknown]>([
  ["is killed", undefined, ({ child }) => child.kill("SIGKILL")],
  ["ends with its host, which cancelled", "created", ({ child, send }) => [send(cancel(1)), child.stdin.end()]],
])("a server that %s during a creation has the number in its log, and the outcome if known", async (_, outcome, end) => {
  const { service, sending, release } = await waiting();
  const host = start([], { ...environmentOf(service.origin), FLEET_LOG: "warn" });
  host.send(INITIALIZE);
  await host.lines(1);
  host.send(create(1));
  await sending(1);
  end(host);
  release();
  const { stderr } = await host.ended;
  const lines = stderr.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as { tool?: string; msg: string }] : []));
  const { jobNumber } = service.of("createJob")[0]?.body ?? {};
  expect(jobNumber).toMatch(/^FW-/);
  expect(lines.filter(({ tool, msg }) => tool === "create_job" && msg !== "tool call")).toMatchObject([
    { tool: "create_job", jobNumber, msg: "sending" },
    ...(outcome === undefined ? [] : [{ tool: "create_job", outcome, msg: "sent" }]),
  ]);
  expect(stderr).not.toContain("Lyon");
});

describe("the result of a creation", () => {
  const overHttp = async () => {
    const { service, sending, release } = await waiting();
    const { http, host } = await httpUnderTest({}, environmentOf(service.origin));
    /** Calls the tool once the service has this many creations. */
    const called = async (mode: Mode, count: number) => {
      const call = (await host(mode)).callTool(CALL);
      await sending(count);
      release();
      return call;
    };
    return { service, http, host, sending, release, called };
  };

  it.each<Mode>(["auto", "legacy"])("whose caller hung up is returned once to the same call (%s)", async (mode) => {
    const { http, host, sending, release, called } = await overHttp();
    const { socket } = await connection(http.url, bytesOf(older("tools/call", CALL)));
    await sending(1);
    socket.destroy();
    await once(socket, "close");
    const repeated = (await host(mode)).callTool(CALL);
    release();
    const first = await repeated;
    expect(structuredOf(first).job).toEqual({ jobNumber: "S-1" });
    for (const text of [textOf(first), structuredOf(first).note]) expect(text).toContain(EARLIER);
    // Another one is sent, and its outcome is returned once too, although it reached its caller.
    expect(textOf(await called(mode, 2))).not.toContain("earlier call");
    expect(textOf(await called(mode, 2))).toContain(EARLIER);
    expect(textOf(await called(mode, 3))).not.toContain("earlier call");
  });

  it.each<[Mode, string]>([
    ["auto", "by closing the stream"],
    ["legacy", "by a request of its own"],
  ])("whose caller cancelled it is returned to the same call: %s, %s", async (mode) => {
    const { host, sending, release, service } = await overHttp();
    const client = await host(mode);
    const ending = new AbortController();
    client.callTool(CALL, { signal: ending.signal }).catch(() => {});
    await sending(1);
    ending.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    expect(textOf(await client.callTool(CALL))).toContain(EARLIER);
    expect(service.of("createJob")).toHaveLength(1);
  });

  it("whose caller cancelled it over stdio is returned to the same call, once", async () => {
    const { service, sending, release } = await waiting();
    const host = start([], environmentOf(service.origin));
    host.send(INITIALIZE);
    await host.lines(1);
    host.send(create(1));
    await sending(1);
    host.send(cancel(1));
    host.send(create(2));
    await new Promise((resolve) => setTimeout(resolve, 100));
    release();
    expect((await host.lines(2))[1]).toContain(EARLIER);
    host.send(create(3));
    await sending(2);
    release();
    expect((await host.lines(3))[2]).not.toContain("earlier call");
  });
});

/** A server whose only tool waits, and the calls it received. */
async function waitingServer({ text = "waited", ...limits }: { text?: string; unreadMs?: number; requests?: number } = {}) {
  const calls: { signal: AbortSignal; finish: () => void }[] = [];
  const factory = () => {
    const server = new McpServer({ name: "waiting", version: "1.0.0" });
    server.registerTool("wait", {}, async ({ mcpReq: { signal } }: ServerContext) => {
      await new Promise<void>((finish) => void calls.push({ signal, finish }));
      return { content: [{ type: "text", text }] };
    });
    return server;
  };
  const http = await serveHttp({ factory, host: "127.0.0.1", port: 0, log: createLog("silent"), limits });
  onTestFinished(() => http.close());
  const called = async () => {
    await expect.poll(() => calls.length).toBe(1);
    return calls[0] as (typeof calls)[number];
  };
  return { http, called };
}

describe("a caller over HTTP", () => {
  it("that stops reading loses its connection, which frees its place", async () => {
    const { http, called } = await waitingServer({ text: "x".repeat(32 * 1_048_576), unreadMs: 400, requests: 1 });
    const { socket, closed } = await connection(http.url, bytesOf(rawCall("wait")));
    socket.pause();
    const { finish } = await called();
    finish();
    expect((await raw(http.url, rawCall("none"))).status).toBe(503);
    await expect.poll(async () => (await raw(http.url, rawCall("none"))).status).toBe(200);
    let received = 0;
    socket.on("data", ({ length }) => (received += length)).resume();
    await closed;
    expect(received).toBeLessThan(32 * 1_048_576);
  });

  it("of an older revision cancels its own call only", async () => {
    const { http, called } = await waitingServer();
    const send = ({ headers, body }: ReturnType<typeof older>, session?: string) =>
      raw(http.url, { headers: { ...headers, ...(session && { "mcp-session-id": session }) }, body });
    const initialized = async () => String((await send(older("initialize", START))).headers["mcp-session-id"]);
    const [session, other] = [await initialized(), await initialized()];
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(other).not.toBe(session);
    const result = send(rawCall("wait"), session);
    const { signal } = await called();
    const cancelled = async (id: unknown, of: string | undefined) =>
      (await send({ ...older("ping"), body: JSON.stringify(cancel(id)) }, of)).status;
    const wrong: [unknown, string?][] = [[1, other], [1], ["1", session], [2, session], [{ id: 1 }, session]];
    for (const [id, of] of wrong) expect(await cancelled(id, of)).toBe(202);
    expect(signal.aborted).toBe(false);
    expect(await cancelled(1, session)).toBe(202);
    await expect.poll(() => signal.aborted).toBe(true);
    expect((await result).text).toBe("");
  });
});
