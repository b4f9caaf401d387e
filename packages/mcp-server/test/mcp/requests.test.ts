import { CLIENT_CAPABILITIES_META_KEY, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { argumentRefusal } from "../../src/mcp/argument-refusal.ts";
import { type DeliveryReport, deliveryOf, reportDeliveries } from "../../src/mcp/delivery.ts";
import { capabilitiesOf } from "../../src/mcp/host-capabilities.ts";
import { receivedRequests } from "../../src/mcp/received-requests.ts";
import { listenedTo } from "../../src/mcp/subscriptions.ts";
import { traceOf } from "../../src/mcp/trace-context.ts";

const context = (mcpReq: object, http?: { req: Request }) => ({ mcpReq, http }) as unknown as ServerContext;

describe("an argument that the SDK would drop", () => {
  it.each([
    [
      JSON.parse('{"params": {"arguments": {"__proto__": 1}}}'),
      "Invalid params: __proto__ is not an argument; nothing was done. Call again without it",
    ],
    [{ params: { arguments: { query: "truck 12" } } }, undefined],
    [{ params: { arguments: null } }, undefined],
    [{ params: { arguments: "text" } }, undefined],
    [{ params: null }, undefined],
    [{}, undefined],
    [null, undefined],
    ["text", undefined],
  ])("in %j: %s", (message, refusal) => {
    expect(argumentRefusal(message)).toBe(refusal);
  });
});

describe("the host's capabilities", () => {
  const connection = { sampling: {} };
  it.each<[string, object | undefined, object | undefined, object]>([
    ["are those of the request", { [CLIENT_CAPABILITIES_META_KEY]: { elicitation: {} } }, connection, { elicitation: {} }],
    ["are none if the request has none", {}, connection, {}],
    ["belong to the connection in older revisions", undefined, connection, connection],
    ["are none if the connection has none", undefined, undefined, {}],
  ])("%s", (_, envelope, ofConnection, capabilities) => {
    expect(capabilitiesOf(context({ envelope }), ofConnection)).toEqual(capabilities);
  });
});

describe("the trace", () => {
  const parent = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
  const headers = { traceparent: parent("b"), tracestate: "b=1" };
  it.each<[string, object | undefined, Record<string, string> | undefined, string | undefined, string | undefined]>([
    ["is that of _meta", { traceparent: parent("a"), tracestate: "a=1" }, headers, "a", "a=1"],
    ["is that of the headers", {}, headers, "b", "b=1"],
    ["is that of the headers if that of _meta is invalid", { traceparent: "x" }, headers, "b", "b=1"],
    ["is none", undefined, undefined, undefined, undefined],
  ])("%s", (_, _meta, sent, digit, state) => {
    const http = sent && { req: new Request("http://localhost/mcp", { headers: sent }) };
    const trace = JSON.stringify(traceOf(context({ _meta }, http)) ?? null);
    if (digit === undefined) return expect(trace).toBe("null");
    expect(trace).toContain(digit.repeat(32));
    expect(trace).toContain(state);
  });
});

describe("the resources that a request subscribes to", () => {
  const listen = (params: unknown) => ({ method: "subscriptions/listen", params });
  it.each([
    [listen({ notifications: { resourceSubscriptions: ["fleet://a", 5, "fleet://b"] } }), ["fleet://a", "fleet://b"]],
    [listen({ notifications: { resourceSubscriptions: "fleet://a" } }), []],
    [listen({ notifications: {} }), []],
    [listen(undefined), []],
    [{ method: "tools/call", params: { notifications: { resourceSubscriptions: ["fleet://a"] } } }, undefined],
    [null, undefined],
  ])("%j: %j", (message, uris) => {
    expect(listenedTo(message)).toEqual(uris);
  });
});

describe("whether a result was delivered", () => {
  const call = (aborted = false, http?: { req: Request }) =>
    context({ id: 7, signal: aborted ? AbortSignal.abort() : new AbortController().signal }, http);
  const serverOf = (report?: DeliveryReport) => {
    const server = new McpServer({ name: "test", version: "1.0.0" });
    if (report) reportDeliveries(server, report);
    return server;
  };

  it.each([true, false])("is what the HTTP request's report says: %s", async (delivered) => {
    const req = new Request("http://localhost/mcp");
    receivedRequests.set(req, { hooks: {}, delivered: Promise.resolve(delivered), message: undefined });
    expect(
      await deliveryOf(
        call(false, { req }),
        serverOf(async () => !delivered),
      ),
    ).toBe(delivered);
  });

  it("is what the transport reports of the request's id", async () => {
    expect(
      await deliveryOf(
        call(),
        serverOf(async (id) => id === 7),
      ),
    ).toBe(true);
  });

  it.each([
    [false, true],
    [true, false],
  ])("without a report, depends on whether the call was cancelled: %s", async (aborted, delivered) => {
    expect(await deliveryOf(call(aborted, { req: new Request("http://localhost/mcp") }), serverOf())).toBe(delivered);
  });
});
