import { describe, expect, it } from "vitest";
import type { Script } from "../../../tools/test/fleet-service.ts";
import { httpUnderTest, raw } from "../http-under-test.ts";

const script: Script = { listLivePositions: () => ({ body: [{ assetId: "v1", assetName: "Truck 12" }] }) };
const CALL = { name: "locate_vehicle", arguments: { query: "truck 12" } };
const CURRENT = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Message = { method: string; params?: Record<string, unknown>; id?: number };

/** A request of an older revision. */
const older = (message: Message) => ({
  headers: { "mcp-protocol-version": "2025-11-25" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
});

/** A request of the current revision. */
const current = ({ method, params }: Message) => ({
  headers: {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof params?.["name"] === "string" && { "mcp-name": params["name"] }),
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: CURRENT } }),
});

describe.each([
  ["2026-07-28", current],
  ["2025-11-25", older],
])("in revision %s, a server that is created for one message", (_, form) => {
  it.each<[Message, unknown]>([
    [{ method: "tools/call", params: CALL }, { result: { structuredContent: { result: "found" } } }],
    [{ method: "tools/call", params: { ...CALL, name: "locate_truck" } }, { error: { message: "Tool locate_truck not found" } }],
    [{ method: "tools/call", params: { ...CALL, name: "constructor" } }, { error: { message: expect.stringContaining("constructor") } }],
    [{ method: "tools/call", params: { name: "read_map" } }, { result: { isError: true } }],
    [{ method: "tools/list" }, { result: { tools: expect.arrayContaining([expect.objectContaining({ name: "create_job" })]) } }],
    [{ method: "prompts/list" }, { result: { prompts: expect.arrayContaining([expect.objectContaining({ name: "where_is" })]) } }],
    [{ method: "resources/templates/list" }, { result: { resourceTemplates: [expect.anything(), expect.anything(), expect.anything()] } }],
  ])("responds to %j", async (message, expected) => {
    const { http } = await httpUnderTest(script);
    const { headers, body } = form(message);
    const response = await raw(http.url, { headers: { accept: "application/json, text/event-stream", ...headers }, body });
    expect(JSON.parse(response.text)).toMatchObject(expected as object);
  });
});

it("says that something may have changed if a shutdown cuts a write short", async () => {
  const { http, service } = await httpUnderTest({ createJob: () => "silence" }, { FLEET_CONFIRM: "never" });
  const params = { name: "create_job", arguments: { address: "Quai Perrache 10, Lyon" } };
  const { headers, body } = current({ method: "tools/call", params });
  const response = raw(http.url, { headers: { accept: "application/json, text/event-stream", ...headers }, body });
  await expect.poll(() => service.of("createJob").length).toBe(1);
  await http.close();
  const { status, text } = await response;
  expect([status, JSON.parse(text)]).toMatchObject([
    503,
    { id: 1, error: { message: expect.stringContaining("it is not known whether anything changed") } },
  ]);
});
