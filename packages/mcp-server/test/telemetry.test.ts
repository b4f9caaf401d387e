import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type AtEnd, type FleetService, fleetService, type Reply } from "../../tools/test/fleet-service.ts";
import { bearer, temporaryFolder, tokensFile } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { raw, rawCall, readyAt } from "./http-under-test.ts";
import { type OtlpReceiver, otlpReceiver } from "./otlp-receiver.ts";
import { run } from "./run-program.ts";
import { CANARY, environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, start } from "./spawned-bin.ts";

const SPAN = "00f067aa0ba902b7";
const traceOf = (call: string) => `4bf92f3577b34da6a3ce929d0e0e473${call}`;
const metaOf = (trace: string) => ({ traceparent: `00-${trace}-${SPAN}-01`, tracestate: "congo=2" });

/** The traces of the calls that the server gets. */
const [TRACE, FAILED, REPEATED, UNKNOWN] = ["1", "2", "3", "4"].map(traceOf) as [string, string, string, string];
const META = metaOf(TRACE);

const TOOL = "list_vehicle_faults";
const CALL = `tools/call ${TOOL}`;
const PATH = "/public/v1/customer/{customerId}/vehicle/faults";
const MCP_DURATION = "mcp.server.operation.duration";
const HTTP_DURATION = "http.client.request.duration";

const [SERVER, CLIENT] = [2, 3];
const [UNSET, ERROR] = [0, 2];

const FAULTS: Reply = {
  body: {
    items: [{ assetId: "V-ID", assetName: "V-NAME", faults: [{ code: "V-CODE", status: "ACTIVE" }] }],
    pagination: { totalItems: 1, totalPages: 1, pageSize: 100, pageIndex: 0 },
  },
};

interface Observed {
  client: Client;
  receiver: OtlpReceiver;
  service: FleetService;
  log: () => string;
  /** Ends the server, which exports what is left. */
  end: () => Promise<void>;
}

interface Setup {
  mode?: "auto" | "legacy";
  /** The first responses of the service. */
  replies?: Reply[];
  env?: Record<string, string>;
  atEnd?: AtEnd;
}

type Connect = (setup?: Setup) => Promise<Observed>;

async function around({ replies = [], atEnd = onTestFinished }: Setup) {
  let requests = 0;
  const listVehicleFaults = () => replies[requests++] ?? FAULTS;
  return { receiver: await otlpReceiver(200, atEnd), service: await fleetService({ listVehicleFaults }, atEnd) };
}

const overStdio: Connect = async (setup = {}) => {
  const { mode = "auto", env = {}, atEnd = onTestFinished } = setup;
  const { receiver, service } = await around(setup);
  const all = cleanEnv({ ...environmentOf(service.origin), FLEET_LOG: "info", ...receiver.env, ...env });
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN], env: all, stderr: "pipe" });
  let log = "";
  transport.stderr?.on("data", (chunk) => (log += chunk));
  const client = hostClient(mode);
  atEnd(() => void client.close());
  await client.connect(transport);
  return { client, receiver, service, log: () => log, end: () => client.close() };
};

const overHttp: Connect = async (setup = {}) => {
  const { mode = "auto", env = {}, atEnd = onTestFinished } = setup;
  const { receiver, service } = await around(setup);
  const args = ["http", "--port", "0"];
  const { child, ended } = start(args, { ...environmentOf(service.origin), FLEET_LOG: "info", ...receiver.env, ...env }, atEnd);
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const client = hostClient(mode);
  atEnd(() => void client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(await readyAt(child))));
  const end = async () => {
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  };
  return { client, receiver, service, log: () => log, end };
};

const OVER_PIPE = { "network.transport": "pipe" };
const OVER_HTTP = { "network.transport": "tcp", "network.protocol.name": "http" };

describe.each([
  ["stdio", "auto", "2026-07-28", overStdio, OVER_PIPE],
  ["HTTP", "legacy", "2025-11-25", overHttp, OVER_HTTP],
] as const)("over %s, revision %s", (_, mode, version, connect, transport) => {
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
    server = await connect({ mode, replies, atEnd: (cleanup) => void cleanups.push(cleanup) });
    const { client } = server;
    const call = (trace: string, name = TOOL) => client.callTool({ name, arguments: {}, _meta: metaOf(trace) });
    const results = [await call(TRACE), await call(FAILED), await call(REPEATED)];
    expect(results.map(({ isError }) => isError ?? false)).toEqual([false, true, false]);
    await expect(call(UNKNOWN, "canary_tool")).rejects.toThrow();
    await client.listTools();
    await client.getPrompt({ name: "morning_briefing" });
    await server.end();
    return () => {
      for (const cleanup of cleanups) cleanup();
    };
  });

  it("a call is a span in its caller's trace, and the parent of what it sends", () => {
    expect(server.log()).toContain(`"trace":"${TRACE}"`);
    const [call, ...others] = spansOf(TRACE, SERVER);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ name: CALL, parentSpanId: SPAN, traceState: "congo=2", status: { code: UNSET } });
    expect(call?.attributes).toEqual({
      ...common,
      "jsonrpc.request.id": expect.stringMatching(/^\d+$/),
      ...(mode === "legacy" && connect === overHttp && { "mcp.session.id": expect.any(String) }),
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
    const requests = server.receiver.points(HTTP_DURATION);
    expect(requests.map(({ attributes, count }) => ({ attributes, count }))).toEqual([
      { attributes: { ...request, "http.response.status_code": 200 }, count: 2 },
      { attributes: { ...request, "http.response.status_code": 404, "error.type": "404" }, count: 1 },
      { attributes: { ...request, "error.type": "network" }, count: 1 },
    ]);
  });

  it("a tool's failure sets error.type, though the response is a success", () => {
    const failure = { "error.type": "tool_error", "fleetwire.error.code": "notFound" };
    expect(spansOf(FAILED, SERVER)).toMatchObject([{ status: { code: ERROR }, attributes: failure }]);
    expect(spansOf(FAILED, CLIENT)).toMatchObject([
      { status: { code: ERROR }, attributes: { "error.type": "404", "http.response.status_code": 404 } },
    ]);
  });

  it("an attempt that breaks off and its repetition are two spans", () => {
    const [broken, repeated] = spansOf(REPEATED, CLIENT);
    expect(broken).toMatchObject({ status: { code: ERROR }, attributes: { "error.type": "network" } });
    expect(broken?.attributes).not.toHaveProperty(["http.response.status_code"]);
    expect(repeated).toMatchObject({
      status: { code: UNSET },
      parentSpanId: broken?.parentSpanId,
      attributes: { "http.response.status_code": 200, "http.request.resend_count": 1 },
    });
  });

  it("the name of an unknown tool is not repeated, and error.type is the JSON-RPC code", () => {
    const failure = { "error.type": "-32602", "rpc.response.status_code": "-32602" };
    expect(spansOf(UNKNOWN, SERVER)).toMatchObject([{ name: "tools/call", status: { code: ERROR }, attributes: failure }]);
    expect(server.receiver.text()).not.toContain("canary_tool");
  });

  it.each(["tools/list", "prompts/get"])("%s is a span without a parent", (method) => {
    const span = server.receiver.spans().find(({ name }) => name === method);
    expect(span).toMatchObject({ kind: SERVER, status: { code: UNSET } });
    expect(span?.parentSpanId ?? "").toBe("");
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

it.each<[string, Record<string, string>]>([
  ["without a collector or an exporter", { OTEL_SERVICE_NAME: "fleet", OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
  ["if the SDK is disabled", { OTEL_SDK_DISABLED: "TRUE" }],
  ["if neither signal has an exporter", { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }],
])("OpenTelemetry is not loaded %s", async (_, env) => {
  const base = { ...environmentOf("http://127.0.0.1:9"), OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", ...printingLoaded() };
  const { send, lines, child, ended } = start([], { ...base, ...env });
  send({ jsonrpc: "2.0", id: 1, method: "ping" });
  await lines(1);
  child.stdin.end();
  const { stderr } = await ended;
  expect(stderr).toMatch(/^loaded: .*loaded\.cjs/m);
  expect(stderr).not.toContain("@opentelemetry");
});

it("with metrics alone, a call's requests keep the trace of its caller", async () => {
  const server = await overStdio({ env: { OTEL_TRACES_EXPORTER: "none" } });
  await server.client.callTool({ name: TOOL, arguments: {}, _meta: META });
  await server.end();
  expect(server.service.of("listVehicleFaults")[0]?.headers).toMatchObject(META);
  expect(server.receiver.spans()).toEqual([]);
  expect(server.receiver.points(MCP_DURATION).length).toBeGreaterThan(0);
});

it("a console exporter prints to stderr, since stdout is reserved, beside a collector of metrics", async () => {
  const receiver = await otlpReceiver();
  const metrics = `${receiver.env["OTEL_EXPORTER_OTLP_ENDPOINT"]}/v1/metrics`;
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: metrics };
  const server = await overStdio({ env: { OTEL_TRACES_EXPORTER: "console", ...collector, ...printingLoaded() } });
  await server.client.callTool({ name: TOOL, arguments: {} });
  await expect.poll(server.log).toContain(`name: '${CALL}'`);
  await server.end();
  await expect.poll(server.log).toMatch(/^loaded: .*@opentelemetry/m);
  expect(receiver.spans()).toEqual([]);
  expect(receiver.points(MCP_DURATION).length).toBeGreaterThan(0);
});

it("contains no arguments, results, names, ids of callers and customers, credentials or text that callers choose", async () => {
  // Unlike a short id, it cannot occur in a random trace id.
  const customer = "customerOfTheCall";
  const receiver = await otlpReceiver();
  const service = await fleetService({ listVehicleFaults: () => FAULTS }, onTestFinished, customer);
  const { file, tokens } = tokensFile({ "caller-name": { scopes: ["fleet:read"] } });
  const { child, ended } = start(["http", "--port", "0"], {
    ...environmentOf(service.origin),
    ...receiver.env,
    FLEET_CUSTOMER_ID: customer,
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: file,
  });
  const url = await readyAt(child);
  const chosen = "free text";
  const send = async (method: string, params: object) => {
    const headers = {
      ...rawCall(TOOL).headers,
      ...bearer(tokens["caller-name"]),
      "mcp-session-id": chosen,
      "mcp-protocol-version": chosen,
    };
    await raw(url, { headers, body: JSON.stringify({ jsonrpc: "2.0", id: chosen, method, params }) });
    const { "mcp-protocol-version": _, ...others } = headers;
    await raw(url, { headers: others, body: JSON.stringify({ jsonrpc: "2.0", id: chosen, method, params }) });
  };
  await send("tools/call", { name: TOOL, arguments: { where: ["assetName = V-NAME"] } });
  await send("tools/call", { name: chosen });
  await send("prompts/get", { name: chosen });
  await send("resources/read", { uri: "fleet://vehicle/V-NAME" });
  await send(chosen, {});
  child.kill("SIGTERM");
  await ended;
  expect(receiver.spans().map(({ name }) => name)).toEqual(
    expect.arrayContaining([CALL, `GET ${PATH}`, "tools/call", "prompts/get", "resources/read"]),
  );
  const secret = [customer, CANARY, "V-NAME", "V-ID", "V-CODE", "caller-name", tokens["caller-name"], chosen, service.origin, "pageSize"];
  for (const text of secret) expect(receiver.text()).not.toContain(text);
});

it.each<[string, number | "silence"]>([
  ["refuses", 400],
  ["does not answer", "silence"],
])("a collector that %s neither fails a call nor keeps the server running", async (_, status) => {
  const receiver = await otlpReceiver(status);
  const server = await overStdio({ env: receiver.env });
  expect((await server.client.callTool({ name: TOOL, arguments: {} })).isError).toBeFalsy();
  if (status !== "silence") await expect.poll(server.log).toContain('"msg":"telemetry: ');
  await server.end();
  expect(server.log()).not.toContain("says-no");
});

it.each([["stdio"], ["http", "--port", "0"]])("a Prometheus exporter is refused, since it would open a port: %s", async (...args) => {
  const { code, stdout, stderr } = await run(args, { ...environmentOf("http://127.0.0.1:9"), OTEL_METRICS_EXPORTER: "prometheus" });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^.*configuration: OTEL_METRICS_EXPORTER=prometheus would open another port\. Use otlp, console or none.*\n$/);
});
