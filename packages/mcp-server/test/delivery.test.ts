import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog, serveHttp } from "../src/index.ts";
import { deliveryOf } from "../src/mcp/delivery.ts";
import { serveHost } from "../src/stdio/serve-host.ts";
import { stdioTransport } from "../src/stdio/stdio-transport.ts";
import { hostClient } from "./host-client.ts";
import { type Mode, raw, rawCall } from "./http-under-test.ts";

interface Observed {
  request: ServerContext;
  /** What the call learns about its delivery. */
  delivered: Promise<boolean>;
  /** Lets the call return its result. */
  finish: () => void;
}

/** A server whose only tool waits, and the calls it received. */
function waitingServer(text = "waited") {
  const calls: Observed[] = [];
  const factory = () => {
    const server = new McpServer({ name: "waiting", version: "1.0.0" });
    server.registerTool("wait", {}, async (request: ServerContext) => {
      await new Promise<void>((finish) => calls.push({ request, delivered: deliveryOf(request, server), finish }));
      return { content: [{ type: "text", text }] };
    });
    return server;
  };
  const called = async () => {
    await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(1);
    return calls[0] as Observed;
  };
  return { factory, called };
}

async function overHttp({ text, ...limits }: { text?: string; unreadMs?: number; requests?: number } = {}) {
  const { factory, called } = waitingServer(text);
  const http = await serveHttp({ factory, host: "127.0.0.1", port: 0, log: createLog("silent"), limits });
  onTestFinished(() => http.close());
  const host = async (mode: Mode) => {
    const client = hostClient(mode);
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url)));
    onTestFinished(() => client.close());
    return client;
  };
  return { http, called, host };
}

const WAIT = { name: "wait", arguments: {} };

describe("over HTTP, a call learns whether its result was delivered", () => {
  it.each<[Mode]>([["auto"], ["legacy"]])("it was delivered: %s", async (mode) => {
    const { called, host } = await overHttp();
    const result = (await host(mode)).callTool(WAIT);
    const { delivered, finish } = await called();
    finish();
    expect((await result).content).toEqual([{ type: "text", text: "waited" }]);
    expect(await delivered).toBe(true);
  });

  /** A caller of an older revision that reads nothing. */
  const callUnread = async (url: string) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
    onTestFinished(() => void socket.destroy());
    const { headers, body } = rawCall("wait");
    const head = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json", `Accept: ${headers.accept}`];
    socket.write([...head, `Content-Length: ${body.length}`, "", body].join("\r\n"));
    return socket;
  };

  it("the caller disconnected, which does not cancel the call in an older revision", async () => {
    const { http, called } = await overHttp();
    const socket = await callUnread(http.url);
    const { request, delivered, finish } = await called();
    socket.destroy();
    expect(await delivered).toBe(false);
    expect(request.mcpReq.signal.aborted).toBe(false);
    finish();
  });

  it("the caller stops reading: the connection is closed, which frees its place", async () => {
    const { http, called } = await overHttp({ text: "x".repeat(32 * 1_048_576), unreadMs: 400, requests: 1 });
    const socket = await callUnread(http.url);
    const { delivered, finish } = await called();
    const closed = once(socket, "close");
    finish();
    expect((await raw(http.url, rawCall("none"))).status).toBe(503);
    expect(await delivered).toBe(false);
    await expect.poll(async () => (await raw(http.url, rawCall("none"))).status).toBe(200);
    let received = 0;
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        received += chunk.length;
      });
    socket.resume();
    await closed;
    expect(received).toBeLessThan(32 * 1_048_576);
  });

  it.each<[Mode, string]>([
    ["auto", "by closing the stream"],
    ["legacy", "by a request of its own"],
  ])("the caller cancelled it: %s, %s", async (mode) => {
    const { called, host } = await overHttp();
    const ending = new AbortController();
    const result = (await host(mode)).callTool(WAIT, { signal: ending.signal });
    result.catch(() => {});
    const { request, delivered, finish } = await called();
    ending.abort();
    await expect.poll(() => request.mcpReq.signal.aborted).toBe(true);
    finish();
    expect(await delivered).toBe(false);
  });

  it("the server shut down meanwhile", async () => {
    const { http, called, host } = await overHttp();
    const result = (await host("legacy")).callTool(WAIT);
    const ended = expect(result).rejects.toThrow("it is not known whether anything changed");
    const { request, delivered } = await called();
    await http.close();
    expect(request.mcpReq.signal.aborted).toBe(true);
    expect(await delivered).toBe(false);
    await ended;
  });
});

describe("cancelling in an older revision", () => {
  const initialize = async (url: string) => {
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const { headers } = await raw(url, { ...rawCall(""), body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }) });
    return String(headers["mcp-session-id"]);
  };
  const cancel = (url: string, session: string | undefined, requestId: unknown) =>
    raw(url, {
      headers: { ...rawCall("").headers, ...(session !== undefined && { "mcp-session-id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }),
    });

  it("aborts the right call only", async () => {
    const { http, called } = await overHttp();
    const [session, other] = [await initialize(http.url), await initialize(http.url)];
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    expect(other).not.toBe(session);
    const call = rawCall("wait");
    const result = raw(http.url, { ...call, headers: { ...call.headers, "mcp-session-id": session } as Record<string, string> });
    const { request } = await called();
    for (const [of, id] of [
      [other, 1],
      [undefined, 1],
      [session, "1"],
      [session, 2],
      [session, { id: 1 }],
    ] as const)
      expect((await cancel(http.url, of, id)).status).toBe(202);
    expect(request.mcpReq.signal.aborted).toBe(false);
    expect((await cancel(http.url, session, 1)).status).toBe(202);
    await expect.poll(() => request.mcpReq.signal.aborted).toBe(true);
    expect((await result).text).toBe("");
  });
});

/** The transport of the verb stdio, over a pair of streams. */
async function overStdio() {
  const { factory, called } = waitingServer();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const transport = stdioTransport(stdin, stdout, createLog("silent"));
  const handle = serveHost(factory, transport, createLog("silent"));
  onTestFinished(() => handle.close());
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  send({ id: 0, method: "initialize", params });
  await once(stdout, "data");
  send({ id: 1, method: "tools/call", params: WAIT });
  return { ...(await called()), send, stdin, stdout, transport };
}

describe("over stdio, a call learns whether its result was delivered", () => {
  it.each<[string, boolean, (of: Awaited<ReturnType<typeof overStdio>>) => unknown]>([
    ["it was delivered", true, () => {}],
    ["stdin ended, but stdout still accepted it", true, ({ stdin }) => stdin.end()],
    ["stdout broke", false, ({ stdout }) => stdout.destroy(new Error("EPIPE"))],
    ["the transport closed", false, ({ transport }) => transport.close()],
    ["the host cancelled", false, ({ send }) => send({ method: "notifications/cancelled", params: { requestId: 1 } })],
  ])("%s", async (_, expected, meanwhile) => {
    const observed = await overStdio();
    meanwhile(observed);
    await new Promise((resolve) => setTimeout(resolve, 50));
    observed.finish();
    expect(await observed.delivered).toBe(expected);
  });
});
