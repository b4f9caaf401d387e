import { describe, expect, it } from "vitest";
import { type Script, tachoRecords } from "../../../tools/test/fleet-service.ts";
import { httpUnderTest, raw } from "../http-under-test.ts";

const ENTRIES = Array.from({ length: 450 }, (_, at) => ({
  driverId: `p${at}`,
  activities: [{ activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T08:00:00Z" }],
}));
const script: Script = { ...tachoRecords(ENTRIES), listLivePositions: () => ({ body: [{ assetId: "v1", assetName: "Truck 12" }] }) };
const JSON_DOCUMENT = /^application\/json/;
const STREAM = /^text\/event-stream/;
const BOTH = "application/json, text/event-stream";

const CURRENT = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const older = (method: string, params: object) => ({
  headers: { "mcp-protocol-version": "2025-11-25" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

const current = (method: string, { _meta, ...params }: { name?: string; _meta?: object }) => ({
  headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(params.name && { "mcp-name": params.name }) },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...CURRENT, ..._meta } } }),
});

const CALL = { name: "locate_vehicle", arguments: { query: "truck 12" } };
const WITH_PROGRESS = { name: "summarize_driver_activity", arguments: { period: "yesterday" }, _meta: { progressToken: 1 } };

const BATCH = {
  headers: {},
  body: JSON.stringify([
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: WITH_PROGRESS },
    { jsonrpc: "2.0", id: 2, method: "ping" },
  ]),
};

/** What a response of either kind contains. */
const resultIn = (text: string, type: RegExp) =>
  type === STREAM ? JSON.parse(/^data: (.*"structuredContent".*)$/m.exec(text)?.[1] ?? "null") : JSON.parse(text);

const requests: Record<string, { headers: object; body: string }> = {
  "an older call": older("tools/call", CALL),
  "an older call that asks for progress": older("tools/call", WITH_PROGRESS),
  "an older batch": BATCH,
  "a current call": current("tools/call", CALL),
  "a current call that asks for progress": current("tools/call", WITH_PROGRESS),
};

describe.each(Object.entries(requests))("the response to %s", (name, { headers, body }) => {
  const isStreamed = /progress|batch/.test(name);
  it.each<[string | undefined, RegExp]>([
    [undefined, JSON_DOCUMENT],
    ["", JSON_DOCUMENT],
    ["*/*", JSON_DOCUMENT],
    ["application/json", JSON_DOCUMENT],
    ["Application/JSON;charset=utf-8, */*;q=0.1", JSON_DOCUMENT],
    ["application/*", JSON_DOCUMENT],
    ["application/json, text/event-stream;q=0", JSON_DOCUMENT],
    [BOTH, isStreamed ? STREAM : JSON_DOCUMENT],
    ["text/event-stream, application/json;q=0.9", isStreamed ? STREAM : JSON_DOCUMENT],
    ["text/event-stream", isStreamed || name.includes("older") ? STREAM : JSON_DOCUMENT],
  ])("with Accept: %s", async (accept, type) => {
    const { http } = await httpUnderTest(script);
    const response = await raw(http.url, { headers: { ...headers, ...(accept !== undefined && { accept }) }, body });
    expect({ status: response.status, type: response.headers["content-type"] }).toEqual({ status: 200, type: expect.stringMatching(type) });
    expect([resultIn(response.text, type)].flat()).toContainEqual(
      expect.objectContaining({ id: 1, result: expect.objectContaining({ structuredContent: expect.anything() }) }),
    );
  });
});

it.each(["text/plain", "application/json;q=0", "image/*", "garbage"])(
  "a call of an older revision with Accept: %s gets a 406",
  async (accept) => {
    const { http, service } = await httpUnderTest(script);
    const { headers, body } = older("tools/call", CALL);
    expect((await raw(http.url, { headers: { ...headers, accept }, body })).status).toBe(406);
    expect(service.received).toEqual([]);
  },
);

describe("a path with a slash at its end is the same place", () => {
  it.each([
    ["POST", "/mcp/", 200],
    ["GET", "/mcp/", 405],
    ["DELETE", "/mcp/", 405],
    ["GET", "/healthz/", 200],
    ["POST", "/mcp//", 404],
    ["POST", "/mcp/x", 404],
    ["POST", "/MCP/", 404],
  ])("%s %s: %d", async (method, path, status) => {
    const { http } = await httpUnderTest(script);
    const { headers, body } = older("tools/call", CALL);
    const sent = method === "POST" ? { method, headers, body } : { method };
    expect((await raw(new URL(path, http.url).href, sent)).status).toBe(status);
  });
});

describe("a parameter that is null counts as absent", () => {
  it.each<[string, unknown, unknown]>([
    ["tools/list", { cursor: null }, { tools: expect.any(Array) }],
    ["tools/list", null, { tools: expect.any(Array) }],
    ["tools/list", { _meta: null }, { tools: expect.any(Array) }],
    ["prompts/list", { cursor: null }, { prompts: expect.any(Array) }],
    ["resources/list", { cursor: null }, { resources: expect.any(Array) }],
    ["resources/templates/list", { cursor: null }, { resourceTemplates: expect.any(Array) }],
    ["tools/call", { name: "summarize_fleet", arguments: null }, { structuredContent: expect.anything() }],
    ["tools/call", { ...CALL, _meta: null, task: null }, { structuredContent: { result: "found" } }],
    ["prompts/get", { name: "morning_briefing", arguments: null }, { messages: [expect.anything()] }],
    ["prompts/get", { name: "morning_briefing", arguments: { group: null } }, { messages: [expect.anything()] }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "where_is" }, argument: { name: "vehicle", value: "tr" }, context: null },
      { completion: { values: ["Truck 12"] } },
    ],
  ])("%s %j", async (method, params, result) => {
    const { http } = await httpUnderTest(script);
    for (const { headers, body } of [older(method, params as object), ...(params === null ? [] : [current(method, params as object)])]) {
      const response = await raw(http.url, { headers: { ...headers, accept: BOTH } as Record<string, string>, body });
      expect(JSON.parse(response.text)).toMatchObject({ result });
    }
  });
});
