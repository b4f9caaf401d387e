import { createFleetClient } from "@fleetwire/core";
import type { ServerLog } from "@fleetwire/mcp-server/fetch";
import { describe, expect, it, onTestFinished } from "vitest";
import { fastClock } from "../../../core/test/fast-clock.ts";
import { type Script, tachoRecords } from "../../../tools/test/served-fleet.ts";
import { createServerFactory, serveHttp, serverConfigFromEnv } from "../../src/index.ts";
import { current, httpUnderTest, older, raw } from "../http-under-test.ts";
import { environmentOf } from "../server-under-test.ts";

const ENTRIES = Array.from({ length: 450 }, (_, at) => ({
  driverId: `p${at}`,
  activities: [{ activity: "DRIVING", startTime: "2026-11-19T06:00:00Z", endTime: "2026-11-19T08:00:00Z" }],
}));
const script: Script = { ...tachoRecords(ENTRIES), listLivePositions: () => ({ body: [{ assetId: "v1", assetName: "Truck 12" }] }) };
const CALL = { name: "locate_vehicle", arguments: { query: "truck 12" } };
const FOUND = { structuredContent: { result: "found" } };

const listing = (name: string) => expect.arrayContaining([expect.objectContaining({ name })]);

describe("a server that is created for one message", () => {
  it.each<[string, object | null, object]>([
    ["tools/call", CALL, { result: FOUND }],
    ["tools/call", { ...CALL, name: "locate_truck" }, { error: { message: "Tool locate_truck not found" } }],
    ["tools/call", { name: "read_map" }, { result: { isError: true } }],
    ["tools/list", {}, { result: { tools: listing("create_job") } }],
    ["prompts/list", {}, { result: { prompts: listing("where_is") } }],
    // A parameter that is null counts as absent.
    ["tools/list", null, { result: { tools: listing("create_job") } }],
    ["tools/call", { name: "summarize_fleet", arguments: null }, { result: { structuredContent: expect.anything() } }],
    ["tools/call", { ...CALL, _meta: null, task: null }, { result: FOUND }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "where_is" }, argument: { name: "vehicle", value: "tr" }, context: null },
      { result: { completion: { values: ["Truck 12"] } } },
    ],
  ])("responds to %s %j in either revision", async (method, params, expected) => {
    const { http } = await httpUnderTest(script);
    for (const { headers, body } of [older(method, params), ...(params === null ? [] : [current(method, params)])]) {
      const { text } = await raw(http.url, { headers, body });
      expect(JSON.parse(text)).toMatchObject(expected);
    }
  });

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("negotiates revision %s", async (protocolVersion) => {
    const { http } = await httpUnderTest();
    const start = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    expect(JSON.parse((await raw(http.url, older("initialize", start))).text)).toMatchObject({ result: { protocolVersion } });
  });
});

const WITH_PROGRESS = { name: "summarize_driver_activity", arguments: { period: "yesterday" }, _meta: { progressToken: 1 } };
const [PROGRESS, PING] = [older("tools/call", WITH_PROGRESS), older("ping")];
const requests = {
  "an older call": older("tools/call", CALL),
  "an older call that asks for progress": PROGRESS,
  "an older batch": { ...PING, body: `[${PROGRESS.body},${PING.body.replace('"id":1', '"id":2')}]` },
  "a current call": current("tools/call", CALL),
  "a current call that asks for progress": current("tools/call", WITH_PROGRESS),
};
type Streamed = (name: string) => boolean;
const never: Streamed = () => false;
const ifSeveral: Streamed = (name) => /progress|batch/.test(name);

it.each<[string | undefined, Streamed]>([
  [undefined, never],
  ["*/*", never],
  ["Application/JSON;charset=utf-8, */*;q=0.1", never],
  ["application/json, text/event-stream;q=0", never],
  ["application/json, text/event-stream", ifSeveral],
  ["text/event-stream, application/json;q=0.9", ifSeveral],
  ["text/event-stream", (name) => ifSeveral(name) || name.includes("older")],
])("with Accept: %s, a response is JSON, or a stream if it has several messages", async (accept, isStreamed) => {
  const { http } = await httpUnderTest(script);
  for (const [name, { headers, body }] of Object.entries(requests)) {
    const { accept: _, ...others } = headers;
    const response = await raw(http.url, { headers: { ...others, ...(accept !== undefined && { accept }) }, body });
    const type = isStreamed(name) ? "text/event-stream" : "application/json";
    expect([name, response.status, response.headers["content-type"]]).toEqual([name, 200, expect.stringContaining(type)]);
    const text = isStreamed(name) ? (/^data: (.*"structuredContent".*)$/m.exec(response.text)?.[1] ?? "") : response.text;
    expect([JSON.parse(text)].flat()[0]).toMatchObject({ id: 1, result: { structuredContent: expect.anything() } });
  }
});

it.each(["text/plain", "application/json;q=0", "image/*", "garbage"])("a call with Accept: %s gets a 406", async (accept) => {
  const { http, service } = await httpUnderTest(script);
  expect((await raw(http.url, { ...older("tools/call", CALL), headers: { accept } })).status).toBe(406);
  expect(service.received).toEqual([]);
});

it.each([
  ["POST", "/mcp/", 200],
  ["GET", "/mcp/", 405],
  ["GET", "/healthz/", 200],
])("a path with a slash at its end is the same place: %s %s", async (method, path, status) => {
  const { http } = await httpUnderTest(script);
  const sent = method === "POST" ? older("tools/call", CALL) : { method };
  expect((await raw(new URL(path, http.url).href, sent)).status).toBe(status);
});

it.each([older, current])(
  "a shutdown that cuts a write short says that something may have changed, in either revision",
  async (request) => {
    fastClock(20);
    const { http, service } = await httpUnderTest({ createJob: () => "silence" });
    const response = raw(http.url, request("tools/call", { name: "create_job", arguments: { address: "Lyon" } } as { name: string }));
    await expect.poll(() => service.of("createJob").length).toBe(1);
    await http.close();
    expect((await response).text).toContain("it is not known whether anything changed");
  },
);

it("a request that the protocol rejects is logged by the name of its error", async () => {
  const lines: object[] = [];
  const write = (line: object, text: string) => void lines.push({ ...line, text });
  const log = { error: write, warn: write, info: write } as unknown as ServerLog;
  const config = serverConfigFromEnv(environmentOf("http://127.0.0.1:9"));
  const factory = createServerFactory({ fleet: createFleetClient(config), config, log, version: "1.2.3" });
  const http = await serveHttp({ factory, host: "127.0.0.1", port: 0, log });
  onTestFinished(() => http.close());
  expect((await raw(http.url, { headers: { accept: "text/plain" }, body: "{}" })).status).toBeGreaterThan(399);
  expect(lines).toContainEqual({ error: "Error", text: "protocol" });
});
