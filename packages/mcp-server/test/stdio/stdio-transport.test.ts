import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { MAX_MESSAGE_BYTES } from "../../src/limits.ts";
import type { ServerLog } from "../../src/log.ts";
import { LISTEN } from "../../src/mcp/subscriptions.ts";
import { stdioTransport } from "../../src/stdio/stdio-transport.ts";

const callOf = (id: number | string, method = "tools/call") => ({ jsonrpc: "2.0" as const, id, method });
const resultOf = (id: number | string) => ({ jsonrpc: "2.0" as const, id, result: {} });
const CANCELLED = (requestId: number) => ({ jsonrpc: "2.0" as const, method: "notifications/cancelled", params: { requestId } });

/** A transport between streams of its own, with nothing behind it. */
async function connected() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const logged: unknown[] = [];
  const log = { warn: (line: object, text: string) => logged.push({ ...line, text }) } as unknown as ServerLog;
  const transport = stdioTransport(stdin, stdout, log);
  const received: JSONRPCMessage[] = [];
  const errors: string[] = [];
  let closes = 0;
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = ({ name }) => void errors.push(name);
  transport.onclose = () => void closes++;
  await transport.start();
  let text = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    stdin,
    stdout,
    transport,
    received,
    errors,
    logged,
    closes: () => closes,
    /** What was written to stdout. */
    sent: async () => {
      await settled();
      const lines = text.split("\n");
      expect(lines.pop()).toBe("");
      return lines.map((line) => JSON.parse(line));
    },
    receive: async (message: unknown) => {
      stdin.write(typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message));
      stdin.write("\n");
      await settled();
    },
  };
}

/** Whether a promise has settled, and to what. */
const stateOf = async <Value>(promise: Promise<Value>) => {
  const pending = Symbol();
  const value = await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))]);
  return value === pending ? "pending" : value;
};

it.each([
  [{ cursor: null }, {}],
  [{ name: "list_jobs", arguments: null }, { name: "list_jobs" }],
  [
    { name: "list_jobs", arguments: { vehicle: null } },
    { name: "list_jobs", arguments: { vehicle: null } },
  ],
  [null, undefined],
])("parameters %j are read as %j: null counts as absent", async (params, read) => {
  const { receive, received } = await connected();
  await receive({ ...callOf(1), params });
  expect(received).toEqual([{ ...callOf(1), ...(read && { params: read }) }]);
});

describe("an invalid message is refused with an explanation, and the next one is served", () => {
  const TOO_LARGE = "x".repeat(MAX_MESSAGE_BYTES);
  const job = (address: string) => `"method":"tools/call","params":{"name":"create_job","arguments":{"address":"${address}"}}`;
  const SIZE = /^The message has \d+ bytes, more than the maximum of 1048576; nothing was done$/;

  it.each<[what: string, message: string | Buffer, id: number | string | null, code: number, text: RegExp]>([
    ["too large, its id first", `{"jsonrpc":"2.0","id":"a-7",${job(TOO_LARGE)}}`, "a-7", -32600, SIZE],
    ["too large, its id last", `{${job(TOO_LARGE)},"jsonrpc":"2.0","id":7}`, 7, -32600, SIZE],
    ["too large, its id in the middle", `{"params":{"x":"${TOO_LARGE}"},"id":7,"method":"ping","jsonrpc":"2.0"}`, null, -32600, SIZE],
    ["too large, with an id inside a value", `{${job(`x\\"id\\":5},{`)},"y":{"id":5,"z":"${TOO_LARGE}"}}`, null, -32600, SIZE],
    [
      "not UTF-8",
      Buffer.from(`{"jsonrpc":"2.0","id":7,${job("Caf\xe9")}}`, "latin1"),
      7,
      -32700,
      /^The message is not valid UTF-8; nothing was done$/,
    ],
    [
      "a batch",
      JSON.stringify([callOf(2), callOf(3)]),
      null,
      -32600,
      /^Batches are not supported over stdio; send each message separately$/,
    ],
    [
      "an argument named __proto__",
      `{"jsonrpc":"2.0","id":7,${job('x","__proto__":"y')}}`,
      7,
      -32602,
      /: __proto__ is not an argument; nothing was done/,
    ],
    [
      "an argument named __proto__ inside another",
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_jobs","arguments":{"query":{"__proto__":{"a":1}}}}}',
      7,
      -32602,
      /: query\.__proto__ is not an argument/,
    ],
  ])("%s", async (_, message, id, code, text) => {
    const { receive, received, sent, logged, errors } = await connected();
    await receive(message);
    await receive(callOf(8, "ping"));
    expect(await sent()).toEqual([{ jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(text) } }]);
    expect(received).toEqual([callOf(8, "ping")]);
    expect(logged).toEqual([{ code, text: "message rejected" }]);
    expect(errors).toEqual([]);
  });

  it.each<[what: string, message: unknown, errors: string[]]>([
    ["no JSON", "Debugger attached.", []],
    ["JSON, but no message of the protocol", { id: 7, method: 7 }, [expect.any(String) as unknown as string]],
    ["a notification with an argument named __proto__", '{"jsonrpc":"2.0","method":"x","params":{"arguments":{"__proto__":1}}}', []],
  ])("without a response, as it has no id: %s", async (_, message, expected) => {
    const { receive, received, sent, logged, errors } = await connected();
    await receive(message);
    await receive(callOf(8, "ping"));
    expect(await sent()).toEqual([]);
    expect(received).toEqual([callOf(8, "ping")]);
    expect(logged).toEqual([]);
    expect(errors).toEqual(expected);
  });

  it("even if its response cannot be written", async () => {
    const { receive, received, stdout } = await connected();
    stdout.destroy(new Error("EPIPE"));
    await receive("[]");
    await receive(callOf(8));
    expect(received).toEqual([callOf(8)]);
  });
});

describe("a call's delivery", () => {
  it("is known once stdout has accepted the response", async () => {
    const { transport, receive, sent } = await connected();
    await receive(callOf(1));
    const delivered = transport.delivered(1);
    expect(await stateOf(delivered)).toBe("pending");
    await transport.send(resultOf(1));
    expect(await delivered).toBe(true);
    expect(await sent()).toEqual([resultOf(1)]);
  });

  it.each<[when: string, end: (of: Awaited<ReturnType<typeof connected>>) => unknown]>([
    ["its id is used again", ({ receive }) => receive(callOf(1))],
    ["it is cancelled", ({ receive }) => receive(CANCELLED(1))],
    ["the transport is closed", ({ transport }) => transport.close()],
    [
      "the response cannot be written",
      async ({ transport, stdout }) => {
        stdout.write = ((_: string, done: (error: Error) => void) => done(new Error("EPIPE"))) as typeof stdout.write;
        await expect(transport.send(resultOf(1))).rejects.toThrow("EPIPE");
      },
    ],
  ])("fails if %s", async (_, end) => {
    const connection = await connected();
    await connection.receive(callOf(1));
    const delivered = connection.transport.delivered(1);
    await end(connection);
    expect(await delivered).toBe(false);
  });

  it.each([callOf(1, "elicitation/create"), { jsonrpc: "2.0" as const, method: "notifications/progress" }])(
    "does not depend on what else is sent: %j",
    async (message) => {
      const { transport, receive } = await connected();
      await receive(callOf(1));
      const delivered = transport.delivered(1);
      await transport.send(message);
      expect(await stateOf(delivered)).toBe("pending");
    },
  );

  it("of a call that is not known fails", async () => {
    const { transport } = await connected();
    expect(await transport.delivered(1)).toBe(false);
  });
});

describe("shutting down", () => {
  const REFUSAL = { jsonrpc: "2.0", id: 3, error: { code: -32603, message: "The server is shutting down; nothing was done" } };

  it("waits for the last response, and refuses further calls", async () => {
    const { transport, receive, received, sent, logged } = await connected();
    await receive(callOf(1));
    await receive(callOf(2));
    const drained = transport.drain();
    await receive(callOf(3));
    expect(await sent()).toEqual([REFUSAL]);
    expect(logged).toEqual([{ code: -32603, text: "message rejected" }]);
    await transport.send(resultOf(1));
    expect(await stateOf(drained)).toBe("pending");
    await receive(resultOf("a reply to a question"));
    await receive(CANCELLED(2));
    expect(await stateOf(drained)).toBeUndefined();
    expect(received.slice(2)).toEqual([resultOf("a reply to a question"), CANCELLED(2)]);
  });

  it.each([[], [callOf(1, LISTEN)]])("does not wait for what has no end: %j", async (...messages) => {
    const { transport, receive } = await connected();
    for (const message of messages) await receive(message);
    expect(await stateOf(transport.drain())).toBeUndefined();
  });

  it("reads and writes nothing more once it is closed, which it reports once", async () => {
    const { transport, receive, received, closes } = await connected();
    await transport.close();
    await transport.close();
    await receive(callOf(1));
    expect(received).toEqual([]);
    expect(closes()).toBe(1);
    await expect(transport.send(resultOf(1))).rejects.toThrow("stdout is closed");
  });
});

describe("the end of the connection", () => {
  it.each<[what: string, end: (of: Awaited<ReturnType<typeof connected>>) => unknown, how: "closed" | "broken"]>([
    ["stdin ends", ({ stdin }) => stdin.end(), "closed"],
    ["stdin closes", ({ stdin }) => stdin.destroy(), "closed"],
    ["stdin fails", ({ stdin }) => stdin.emit("error", new Error("EIO")), "broken"],
    ["stdout closes", ({ stdout }) => stdout.destroy(), "broken"],
    ["stdout fails", ({ stdout }) => stdout.emit("error", new Error("EPIPE")), "broken"],
  ])("%s", async (_, end, how) => {
    const connection = await connected();
    expect(await stateOf(connection.transport.ended)).toBe("pending");
    end(connection);
    expect(await connection.transport.ended).toBe(how);
    const sending = connection.transport.send(resultOf(1));
    if (how === "broken") await expect(sending).rejects.toThrow("stdout is closed");
    else await sending;
  });

  it("is noticed if stdin ends without closing, as a file does", async () => {
    const stdin = new PassThrough({ autoDestroy: false });
    const transport = stdioTransport(stdin, new PassThrough(), {} as ServerLog);
    await transport.start();
    stdin.end();
    await once(stdin, "finish");
    expect(await stateOf(transport.ended)).toBe("closed");
  });

  it("is noticed even if it came before the start", async () => {
    const stdin = new PassThrough().destroy();
    await once(stdin, "close");
    const transport = stdioTransport(stdin, new PassThrough(), {} as ServerLog);
    await transport.start();
    expect(await transport.ended).toBe("closed");
  });
});
