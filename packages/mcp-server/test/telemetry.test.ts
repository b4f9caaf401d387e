import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { type AtEnd, fleetService, type Reply } from "../../tools/test/served-fleet.ts";
import { startTelemetry } from "../src/telemetry/start-telemetry.ts";
import { bearer, READ, tokensFile } from "./callers-under-test.ts";
import { older, raw, readyAt } from "./http-under-test.ts";
import { otlpReceiver } from "./otlp-receiver.ts";
import { CANARY, environmentOf, hostClient } from "./server-under-test.ts";
import { BIN, cleanEnv, start } from "./spawned-bin.ts";

const SPAN = "00f067aa0ba902b7";
const traceOf = (call: string) => `4bf92f3577b34da6a3ce929d0e0e473${call}`;
const metaOf = (trace: string) => ({ traceparent: `00-${trace}-${SPAN}-01`, tracestate: "congo=2" });

/** The traces of the calls that the server gets. */
const [TRACE, FAILED, REPEATED, UNKNOWN] = ["1", "2", "3", "4"].map(traceOf) as [string, string, string, string];

const TOOL = "list_vehicle_faults";
const CALL = `tools/call ${TOOL}`;
const PATH = "/public/v1/customer/{customerId}/vehicle/faults";
const MCP_DURATION = "mcp.server.operation.duration";
const HTTP_DURATION = "http.client.request.duration";

const log = { error: () => {}, warn: () => {}, info: () => {} };
const NOWHERE = environmentOf("http://127.0.0.1:9");

const [SERVER, CLIENT] = [2, 3];
const [UNSET, ERROR] = [0, 2];

const FAULTS: Reply = {
  body: {
    items: [{ assetId: "V-ID", assetName: "V-NAME", faults: [{ code: "V-CODE", status: "ACTIVE" }] }],
    pagination: { totalItems: 1, totalPages: 1, pageSize: 100, pageIndex: 0 },
  },
};

interface Setup {
  over?: "stdio" | "http";
  mode?: "auto" | "legacy";
  /** The first responses of the service. */
  replies?: Reply[];
  env?: Record<string, string>;
  collector?: 200 | 400 | "silence";
  atEnd?: AtEnd;
}

const CALLER = "caller-name";
// Unlike a short id, it cannot occur in a random trace id.
const CUSTOMER = "customerOfTheCall";

/** A started server, a host that is connected to it, its service and the receiver of its telemetry. */
async function observed({ over = "stdio", mode = "auto", replies = [], env = {}, collector = 200, atEnd = onTestFinished }: Setup = {}) {
  let requests = 0;
  const service = await fleetService({ listVehicleFaults: () => replies[requests++] ?? FAULTS }, atEnd, CUSTOMER);
  const receiver = await otlpReceiver(collector, atEnd);
  const { file, tokens } = tokensFile({ [CALLER]: READ }, atEnd);
  const callers = over === "http" && { FLEET_TOKENS_FILE: file, FLEET_CALLER_AUTH: "token" };
  const own = { FLEET_CUSTOMER_ID: CUSTOMER, FLEET_LOG: "info", ...callers };
  const all = { ...environmentOf(service.origin), ...own, ...receiver.env, ...env };
  let text = "";
  const client = hostClient(mode);
  const seen = { client, service, receiver, token: tokens[CALLER] ?? "", url: "", log: () => text, end: () => client.close() };
  atEnd(() => void client.close());
  if (over === "stdio") {
    const transport = new StdioClientTransport({ command: process.execPath, args: [BIN], env: cleanEnv(all), stderr: "pipe" });
    transport.stderr?.on("data", (chunk) => (text += chunk));
    await client.connect(transport);
    return seen;
  }
  const { child, ended } = start(["http", "--port", "0"], all, atEnd);
  child.stderr.on("data", (chunk) => (text += chunk));
  seen.url = await readyAt(child);
  await client.connect(new StreamableHTTPClientTransport(new URL(seen.url), { requestInit: { headers: bearer(seen.token) } }));
  seen.end = async () => {
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  };
  return seen;
}

type Observed = Awaited<ReturnType<typeof observed>>;

/** What callers may choose. */
const CHOSEN = "free text";

/** Sends requests over HTTP in which everything that a caller may choose is odd. */
async function sendOdd({ url, token }: Observed): Promise<void> {
  for (const [method, params] of [
    ["tools/call", { name: CHOSEN }],
    ["prompts/get", { name: CHOSEN }],
    ["resources/read", { uri: "fleet://vehicle/V-NAME" }],
    [CHOSEN, {}],
  ] as const) {
    const others = { ...older("ping").headers, ...bearer(token), "mcp-session-id": CHOSEN };
    const body = JSON.stringify({ jsonrpc: "2.0", id: CHOSEN, method, params });
    for (const headers of [others, { ...others, "mcp-protocol-version": CHOSEN }]) await raw(url, { headers, body });
  }
}

const OVER_PIPE = { "network.transport": "pipe" };
const OVER_HTTP = { "network.transport": "tcp", "network.protocol.name": "http" };

describe.each([
  ["stdio", "auto", "2026-07-28", OVER_PIPE],
  ["http", "legacy", "2025-11-25", OVER_HTTP],
] as const)("over %s, revision %s", (over, mode, version, transport) => {
  const common = {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": TOOL,
    "gen_ai.operation.name": "execute_tool",
    "mcp.protocol.version": version,
    ...transport,
  };
  let server: Observed;

  const spansOf = (trace: string, kind: number) => server.receiver.spans().filter((span) => span.traceId === trace && span.kind === kind);

  // One server gets all calls, and exports when it ends.
  beforeAll(async () => {
    const cleanups: (() => void)[] = [];
    const replies: Reply[] = [FAULTS, { status: 404, body: "V-BODY" }, "reset"];
    server = await observed({ over, mode, replies, atEnd: (cleanup) => void cleanups.push(cleanup) });
    const { client } = server;
    const call = (trace: string, name = TOOL, args = {}) => client.callTool({ name, arguments: args, _meta: metaOf(trace) });
    const results = [await call(TRACE, TOOL, { where: ["assetName = V-NAME"] }), await call(FAILED), await call(REPEATED)];
    expect(results.map(({ isError }) => isError ?? false)).toEqual([false, true, false]);
    await expect(call(UNKNOWN, "canary_tool")).rejects.toThrow();
    await client.listTools();
    await client.getPrompt({ name: "morning_briefing" });
    if (over === "http") await sendOdd(server);
    await server.end();
    return () => {
      for (const cleanup of cleanups) cleanup();
    };
  });

  it("contains no arguments, results, names, ids of callers and customers, credentials or text that callers choose", () => {
    const names = server.receiver.spans().map(({ name }) => name);
    const others = over === "http" ? ["prompts/get", "resources/read"] : [];
    expect(names).toEqual(expect.arrayContaining([CALL, `GET ${PATH}`, "tools/call", "tools/list", ...others]));
    const hidden = [
      CUSTOMER,
      CANARY,
      "V-NAME",
      "V-ID",
      "V-CODE",
      "V-BODY",
      CALLER,
      server.token,
      CHOSEN,
      server.service.origin,
      "canary_tool",
    ];
    for (const text of hidden) expect(server.receiver.text()).not.toContain(text);
  });

  it("a call is a span in its caller's trace, and the parent of what it sends", () => {
    expect(server.log()).toContain(`"trace":"${TRACE}"`);
    const [call, ...others] = spansOf(TRACE, SERVER);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: CALL, parentSpanId: SPAN, traceState: "congo=2", status: { code: UNSET } });
    expect(call?.attributes).toEqual({
      ...common,
      "jsonrpc.request.id": expect.stringMatching(/^\d+$/),
      ...(over === "http" && { "mcp.session.id": expect.any(String) }),
    });
    const attributes = { "http.request.method": "GET", "url.template": PATH, "http.response.status_code": 200 };
    expect(spansOf(TRACE, CLIENT)).toMatchObject([{ name: `GET ${PATH}`, parentSpanId: call?.spanId, attributes }]);
    expect(server.service.of("listVehicleFaults")[0]?.headers).toMatchObject({
      traceparent: `00-${TRACE}-${call?.spanId}-01`,
      tracestate: "congo=2",
    });
  });

  it("durations are counted by outcome", () => {
    const calls = server.receiver.points(MCP_DURATION).filter(({ attributes }) => attributes["gen_ai.tool.name"] === TOOL);
    expect(calls.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
      { attributes: common, count: 2 },
      { attributes: { ...common, "error.type": "tool_error", "fleetwire.error.code": "notFound" }, count: 1 },
    ]);
    expect(calls[0]?.explicitBounds).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
    const request = { "http.request.method": "GET", "url.template": PATH };
    const requests = server.receiver.points(HTTP_DURATION).filter(({ attributes }) => attributes["url.template"] === PATH);
    expect(requests.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
      { attributes: { ...request, "http.response.status_code": 200 }, count: 2 },
      { attributes: { ...request, "http.response.status_code": 404, "error.type": "404" }, count: 1 },
      { attributes: { ...request, "error.type": "network" }, count: 1 },
    ]);
  });

  it("a failure sets error.type: of a tool, though the response is a success, of a request, and of an unknown tool, which is not named", () => {
    const status = { code: ERROR };
    const attributes = { "error.type": "tool_error", "fleetwire.error.code": "notFound" };
    expect(spansOf(FAILED, SERVER)).toMatchObject([{ status, attributes }]);
    const refused = { "error.type": "404", "http.response.status_code": 404 };
    expect(spansOf(FAILED, CLIENT)).toMatchObject([{ status, attributes: refused }]);
    const unknown = { "error.type": "-32602", "rpc.response.status_code": "-32602" };
    expect(spansOf(UNKNOWN, SERVER)).toMatchObject([{ name: "tools/call", status, attributes: unknown }]);
  });

  it("an attempt that breaks off and its repetition are two spans", () => {
    const [broken, repeated] = spansOf(REPEATED, CLIENT);
    expect(broken).toMatchObject({ status: { code: ERROR }, attributes: { "error.type": "network" } });
    expect(broken?.attributes).not.toHaveProperty(["http.response.status_code"]);
    const attributes = { "http.response.status_code": 200, "http.request.resend_count": 1 };
    expect(repeated).toMatchObject({ status: { code: UNSET }, parentSpanId: broken?.parentSpanId, attributes });
  });

  it("the resource names the server alone, and the collector gets the headers that the standard variables name", () => {
    expect(server.receiver.resource()).toEqual({
      "service.name": "fleetwire-mcp",
      "service.version": expect.any(String),
      "service.instance.id": expect.any(String),
      "telemetry.sdk.language": "nodejs",
      "telemetry.sdk.name": "opentelemetry",
      "telemetry.sdk.version": expect.any(String),
    });
    expect(server.receiver.headers[0]).toMatchObject({ "x-api-key": "canary-collector", "content-type": "application/json" });
  });
});

/** Prints, when the process ends, the modules that it has loaded. */
function printingLoaded(): Record<string, string> {
  const hook = join(temporaryFolder(), "loaded.cjs");
  writeFileSync(hook, 'process.on("exit", () => console.error("loaded:", Object.keys(require.cache).join(" ")));');
  return { NODE_OPTIONS: `--require ${hook}` };
}

it("OpenTelemetry is not loaded without a collector", async () => {
  const { child, ended } = start(["stdio"], { ...NOWHERE, OTEL_SERVICE_NAME: "fleet", ...printingLoaded() });
  child.stdin.end();
  const { stderr } = await ended;
  expect(stderr).toMatch(/^loaded: .*loaded\.cjs/m);
  expect(stderr).not.toContain("@opentelemetry");
});

it.each<Record<string, string>>([
  { OTEL_EXPORTER_OTLP_ENDPOINT: "" },
  { OTEL_SDK_DISABLED: "TRUE" },
  { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" },
])("nothing is exported with %j", async (env) => {
  expect(await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", ...env }, "1.2.3", log)).toBeUndefined();
});

it("with a console exporter of spans, which prints to stderr since stdout is reserved, metrics still reach a collector", async () => {
  const receiver = await otlpReceiver();
  const metrics = `${receiver.env["OTEL_EXPORTER_OTLP_ENDPOINT"]}/v1/metrics`;
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: metrics };
  const server = await observed({ env: { OTEL_TRACES_EXPORTER: "console", ...collector, ...printingLoaded() } });
  await server.client.callTool({ name: TOOL, arguments: {} });
  await expect.poll(server.log).toContain(`name: '${CALL}'`);
  await server.end();
  await expect.poll(server.log).toMatch(/^loaded: .*@opentelemetry/m);
  expect(receiver.spans()).toEqual([]);
  expect(receiver.points(MCP_DURATION).length).toBeGreaterThan(0);
});

it("with metrics alone, a call's requests keep the trace of its caller; a collector that does not answer keeps nothing running", async () => {
  const server = await observed({ env: { OTEL_TRACES_EXPORTER: "none" }, collector: "silence" });
  expect((await server.client.callTool({ name: TOOL, arguments: {}, _meta: metaOf(TRACE) })).isError).toBeFalsy();
  await server.end();
  expect(server.service.of("listVehicleFaults")[0]?.headers).toMatchObject(metaOf(TRACE));
  expect(server.receiver.spans()).toEqual([]);
  expect(server.receiver.points(MCP_DURATION).length).toBeGreaterThan(0);
});

it("a collector that refuses fails no call, and its text is not logged", async () => {
  const server = await observed({ collector: 400 });
  expect((await server.client.callTool({ name: TOOL, arguments: {} })).isError).toBeFalsy();
  await expect.poll(server.log).toContain('"msg":"telemetry: ');
  await server.end();
  expect(server.log()).not.toContain("says-no");
});

it("a Prometheus exporter is refused, since it would open a port", async () => {
  const refused = startTelemetry({ OTEL_METRICS_EXPORTER: "prometheus" }, "1.2.3", log);
  await expect(refused).rejects.toThrow("configuration: OTEL_METRICS_EXPORTER=prometheus would open another port");
});
