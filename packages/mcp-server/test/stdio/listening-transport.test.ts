import { type JSONRPCMessage, ProtocolError, type Transport } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { LISTEN, type Subscriptions } from "../../src/mcp/subscriptions.ts";
import { listeningTransport } from "../../src/stdio/listening-transport.ts";

const TRUCK = "fleet://vehicle/Truck%2012";

const listen = (id: number, ...resourceSubscriptions: string[]) => ({
  jsonrpc: "2.0" as const,
  id,
  method: LISTEN,
  params: { notifications: { resourceSubscriptions } },
});
const cancel = (requestId: number) => ({ jsonrpc: "2.0" as const, method: "notifications/cancelled", params: { requestId } });

/** A listening transport over a wire that a test sends through, and the watches that it opened. */
function listening(open: Subscriptions["open"] = async () => {}) {
  const watches: { uris: readonly string[]; signal: AbortSignal }[] = [];
  const [passedOn, sent, errors]: [JSONRPCMessage[], JSONRPCMessage[], Error[]] = [[], [], []];
  let closes = 0;
  const wire: Transport = {
    start: async () => {},
    send: async (message) => void sent.push(message),
    close: async () => wire.onclose?.(),
  };
  const transport = listeningTransport(wire, {
    open: (uris, signal) => {
      watches.push({ uris, signal });
      return open(uris, signal);
    },
  } as Subscriptions);
  transport.onmessage = (message) => void passedOn.push(message);
  transport.onerror = (error) => void errors.push(error);
  transport.onclose = () => void closes++;
  transport.start();
  return {
    transport,
    watches,
    passedOn,
    sent,
    errors,
    closes: () => closes,
    /** Whether each watch is still open. */
    areOpen: () => watches.map(({ signal }) => !signal.aborted),
    fail: (error: Error) => wire.onerror?.(error),
    receive: async (message: JSONRPCMessage) => {
      wire.onmessage?.(message);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("vehicles are watched while a host listens to them", () => {
  it.each<[until: string, end: (of: ReturnType<typeof listening>) => unknown, open: boolean[]]>([
    ["the host cancels", ({ receive }) => receive(cancel(1)), [false, true]],
    ["it fails", ({ transport }) => transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "" } }), [false, true]],
    ["the server ends it", ({ transport }) => transport.send({ jsonrpc: "2.0", id: 1, result: {} }), [false, true]],
    ["its id is used again", ({ receive }) => receive(listen(1)), [false, true, true]],
    ["the connection closes", ({ transport }) => transport.close(), [false, false]],
  ])("until %s", async (_, end, open) => {
    const host = listening();
    await host.receive(listen(1, TRUCK));
    await host.receive(listen(2, TRUCK));
    expect(host.areOpen()).toEqual([true, true]);
    await end(host);
    expect(host.areOpen()).toEqual(open);
  });

  it("whatever else is sent meanwhile", async () => {
    const { receive, transport, areOpen, watches, passedOn, sent } = listening();
    const others: JSONRPCMessage[] = [
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", method: "notifications/other", params: { requestId: 1 } },
      { jsonrpc: "2.0", method: LISTEN, params: { notifications: { resourceSubscriptions: [TRUCK] } } },
      { jsonrpc: "2.0", id: 1, result: { method: "notifications/cancelled" } },
    ];
    const ours: JSONRPCMessage[] = [
      { jsonrpc: "2.0", id: 1, method: "elicitation/create" },
      { jsonrpc: "2.0", method: "notifications/progress" },
    ];
    await receive(listen(1, TRUCK));
    for (const message of others) await receive(message);
    for (const message of ours) await transport.send(message);
    expect(areOpen()).toEqual([true]);
    expect(watches.map(({ uris }) => uris)).toEqual([[TRUCK]]);
    expect(passedOn).toEqual([listen(1, TRUCK), ...others]);
    expect(sent).toEqual(ours);
  });
});

describe("a host learns why it cannot listen", () => {
  it.each([
    [new ProtocolError(-32602, "no vehicle matches"), { code: -32602, message: "no vehicle matches" }],
    [new Error("a secret"), { code: -32603, message: "Internal error" }],
  ])("%s", async (problem, error) => {
    const { receive, passedOn, sent } = listening(() => Promise.reject(problem));
    await receive(listen(1, TRUCK));
    expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, error }]);
    expect(passedOn).toEqual([]);
  });

  it.each(["resolve", "reject"] as const)("unless it cancelled meanwhile: %s", async (how) => {
    let settle = { resolve: () => {}, reject: () => {} };
    const { receive, passedOn, sent } = listening(() => new Promise((resolve, reject) => (settle = { resolve, reject })));
    await receive(listen(1, TRUCK));
    expect(passedOn).toEqual([]);
    await receive(cancel(1));
    settle[how]();
    await receive(cancel(2));
    expect(sent).toEqual([]);
    expect(passedOn).toEqual([cancel(1), cancel(2)]);
  });
});

it("errors and the end of the connection are passed on", async () => {
  const { transport, fail, errors, closes } = listening();
  const error = new Error("EIO");
  fail(error);
  await transport.close();
  expect(errors).toEqual([error]);
  expect(closes()).toBe(1);
});
