import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { CUSTOMER, type FleetService, fleetService, type Script } from "../../tools/test/fleet-service.ts";
import { bearer, temporaryFolder, tokensFile } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { raw, rawCall, readyAt } from "./http-under-test.ts";
import { type OtlpReceiver, otlpReceiver } from "./otlp-receiver.ts";
import { CANARY, environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, runBin, start } from "./spawned-bin.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const META = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "congo=2" };

const TOOL = "list_vehicle_faults";
const CALL = `tools/call ${TOOL}`;
const PATH = "/public/v1/customer/{customerId}/vehicle/faults";
const MCP_DURATION = "mcp.server.operation.duration";
const HTTP_DURATION = "http.client.request.duration";

const [SERVER, CLIENT] = [2, 3];
const [UNSET, ERROR] = [0, 2];

const faults: Script = {
  listVehicleFaults: () => ({
    body: {
      items: [{ assetId: "V-ID", assetName: "V-NAME", faults: [{ code: "V-CODE", status: "ACTIVE" }] }],
      pagination: { totalItems: 1, totalPages: 1, pageSize: 100, pageIndex: 0 },
    },
  }),
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
  script?: Script;
  env?: Record<string, string>;
}

type Connect = (setup?: Setup) => Promise<Observed>;

const overStdio: Connect = async ({ mode = "auto", script = faults, env = {} } = {}) => {
  const [receiver, service] = [await otlpReceiver(), await fleetService(script)];
  const all = cleanEnv({ ...environmentOf(service.origin), FLEET_LOG: "info", ...receiver.env, ...env });
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN], env: all, stderr: "pipe" });
  let log = "";
  transport.stderr?.on("data", (chunk) => (log += chunk));
  const client = hostClient(mode);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, receiver, service, log: () => log, end: () => client.close() };
};

const overHttp: Connect = async ({ mode = "auto", script = faults, env = {} } = {}) => {
  const [receiver, service] = [await otlpReceiver(), await fleetService(script)];
  const args = ["http", "--port", "0"];
  const { child, ended } = start(args, { ...environmentOf(service.origin), FLEET_LOG: "info", ...receiver.env, ...env });
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const client = hostClient(mode);
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(await readyAt(child))));
  const end = async () => {
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  };
  return { client, receiver, service, log: () => log, end };
};

const spanOf = ({ receiver }: Observed, name: string) => receiver.spans().find((span) => span.name === name);

describe.each<[string, Connect, object]>([
  ["stdio", overStdio, { "network.transport": "pipe" }],
  ["HTTP", overHttp, { "network.transport": "tcp", "network.protocol.name": "http" }],
])("over %s", (_, connect, transport) => {
  it.each([
    ["auto", "2026-07-28"],
    ["legacy", "2025-11-25"],
  ] as const)("a call is a span in its caller's trace, and the parent of what it sends (%s)", async (mode, version) => {
    const server = await connect({ mode });
    await server.client.callTool({ name: TOOL, arguments: {}, _meta: META });
    await expect.poll(server.log, { timeout: 10_000 }).toContain(`"trace":"${TRACE}"`);
    await server.end();
    const common = {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": TOOL,
      "gen_ai.operation.name": "execute_tool",
      "mcp.protocol.version": version,
      ...transport,
    };
    const call = spanOf(server, CALL);
    expect(call).toMatchObject({ kind: SERVER, traceId: TRACE, parentSpanId: SPAN, traceState: "congo=2", status: { code: UNSET } });
    expect(call?.attributes).toEqual({
      ...common,
      "jsonrpc.request.id": expect.stringMatching(/^\d+$/),
      ...(mode === "legacy" && connect === overHttp && { "mcp.session.id": expect.any(String) }),
    });
    const http = { "http.request.method": "GET", "url.template": PATH, "http.response.status_code": 200 };
    const request = spanOf(server, `GET ${PATH}`);
    expect(request).toMatchObject({ kind: CLIENT, traceId: TRACE, parentSpanId: call?.spanId, attributes: http });
    expect(server.service.of("listVehicleFaults")[0]?.headers).toMatchObject({
      traceparent: `00-${TRACE}-${call?.spanId}-01`,
      tracestate: "congo=2",
    });
    expect(server.receiver.points(MCP_DURATION).find(({ attributes }) => attributes["gen_ai.tool.name"] === TOOL)).toMatchObject({
      attributes: common,
      count: 1,
      explicitBounds: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
    });
    expect(server.receiver.points(HTTP_DURATION)).toMatchObject([{ attributes: http, count: 1 }]);
    expect(server.receiver.resource()).toEqual({
      "service.name": "fleetwire-mcp",
      "service.version": expect.any(String),
      "service.instance.id": expect.any(String),
      "telemetry.sdk.language": "nodejs",
      "telemetry.sdk.name": "opentelemetry",
      "telemetry.sdk.version": expect.any(String),
    });
  });

  it("a tool's failure sets error.type, though the response is a success", async () => {
    const server = await connect({ script: { listVehicleFaults: () => ({ status: 404, body: "V-BODY" }) } });
    const result = await server.client.callTool({ name: TOOL, arguments: {} });
    expect(result.isError).toBe(true);
    await server.end();
    const failure = { "error.type": "tool_error", "fleetwire.error.code": "notFound" };
    expect(spanOf(server, CALL)).toMatchObject({ status: { code: ERROR }, attributes: failure });
    expect(server.receiver.points(MCP_DURATION).map(({ attributes }) => attributes)).toContainEqual(expect.objectContaining(failure));
    expect(spanOf(server, `GET ${PATH}`)).toMatchObject({
      status: { code: ERROR },
      attributes: { "error.type": "404", "http.response.status_code": 404 },
    });
  });

  it("an attempt that breaks off and its repetition are two spans", async () => {
    const replies = ["reset", { body: { items: [], pagination: {} } }] as const;
    let requests = 0;
    const server = await connect({ script: { listVehicleFaults: () => replies[requests++] ?? replies[1] } });
    await server.client.callTool({ name: TOOL, arguments: {} });
    await server.end();
    const [broken, repeated] = server.receiver.spans().filter(({ kind }) => kind === CLIENT);
    expect(broken).toMatchObject({ status: { code: ERROR }, attributes: { "error.type": "network" } });
    expect(broken?.attributes).not.toHaveProperty(["http.response.status_code"]);
    expect(repeated).toMatchObject({
      status: { code: UNSET },
      parentSpanId: broken?.parentSpanId,
      attributes: { "http.response.status_code": 200, "http.request.resend_count": 1 },
    });
  });

  it("the name of an unknown tool is not repeated, and error.type is the JSON-RPC code", async () => {
    const server = await connect();
    await expect(server.client.callTool({ name: "canary_tool", arguments: {} })).rejects.toThrow();
    await server.end();
    const failure = { "error.type": "-32602", "rpc.response.status_code": "-32602" };
    expect(spanOf(server, "tools/call")).toMatchObject({ status: { code: ERROR }, attributes: failure });
  });

  it("lists and prompts are spans without a parent", async () => {
    const server = await connect();
    await server.client.listTools();
    await server.client.getPrompt({ name: "morning_briefing" });
    await server.end();
    for (const name of ["tools/list", "prompts/get"]) {
      expect(spanOf(server, name)).toMatchObject({ kind: SERVER, status: { code: UNSET } });
      expect(spanOf(server, name)?.parentSpanId ?? "").toBe("");
    }
  });
});

it("with metrics alone, a call's requests keep the trace of its caller", async () => {
  const server = await overStdio({ env: { OTEL_TRACES_EXPORTER: "none" } });
  await server.client.callTool({ name: TOOL, arguments: {}, _meta: META });
  await server.end();
  expect(server.service.of("listVehicleFaults")[0]?.headers).toMatchObject(META);
  expect(server.receiver.spans()).toEqual([]);
  expect(server.receiver.points(MCP_DURATION).length).toBeGreaterThan(0);
});

it("a console exporter prints to stderr, since stdout is reserved", async () => {
  const server = await overStdio({ env: { OTEL_TRACES_EXPORTER: "console", OTEL_METRICS_EXPORTER: "none" } });
  await server.client.callTool({ name: TOOL, arguments: {} });
  await expect.poll(server.log, { timeout: 10_000 }).toContain(`name: '${CALL}'`);
  await server.end();
  expect(server.receiver.headers).toEqual([]);
});

describe("what is loaded", () => {
  const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };

  it.each<[string, Record<string, string>, boolean]>([
    ["nothing", { OTEL_SERVICE_NAME: "fleet", OTEL_EXPORTER_OTLP_ENDPOINT: "" }, false],
    ["nothing, if the SDK is disabled", { ...COLLECTOR, OTEL_SDK_DISABLED: "TRUE" }, false],
    ["nothing, if neither signal has an exporter", { ...COLLECTOR, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }, false],
    ["OpenTelemetry, for a collector", COLLECTOR, true],
    ["OpenTelemetry, for a collector of metrics", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://127.0.0.1:9/v1/metrics" }, true],
    ["OpenTelemetry, for an exporter", { OTEL_TRACES_EXPORTER: "console" }, true],
  ])("is %s", async (_, env, expected) => {
    const hook = join(temporaryFolder(), "loaded.cjs");
    writeFileSync(hook, 'process.on("exit", () => console.error("loaded:", Object.keys(require.cache).join(" ")));');
    const { send, lines, child, ended } = start([], { ...environmentOf("http://127.0.0.1:9"), NODE_OPTIONS: `--require ${hook}`, ...env });
    send({ jsonrpc: "2.0", id: 1, method: "ping" });
    await lines(1);
    child.stdin.end();
    const { stderr } = await ended;
    expect(stderr).toMatch(/^loaded: .*loaded\.cjs/m);
    expect(stderr.includes("@opentelemetry")).toBe(expected);
  });
});

it("contains no arguments, results, names, ids of callers and customers, credentials or text that callers choose", async () => {
  const [receiver, service] = [await otlpReceiver(), await fleetService(faults)];
  const { file, tokens } = tokensFile({ "caller-name": { scopes: ["fleet:read"] } });
  const { child, ended } = start(["http", "--port", "0"], {
    ...environmentOf(service.origin),
    ...receiver.env,
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
  const secret = [CUSTOMER, CANARY, "V-NAME", "V-ID", "V-CODE", "caller-name", tokens["caller-name"], chosen, service.origin, "pageSize"];
  for (const text of secret) expect(receiver.text()).not.toContain(text);
});

describe("a collector", () => {
  it("gets the headers that the standard variables name", async () => {
    const server = await overStdio();
    await server.end();
    expect(server.receiver.headers[0]).toMatchObject({ "x-api-key": "canary-collector", "content-type": "application/json" });
  });

  it.each<[string, number | "silence"]>([
    ["refuses", 400],
    ["does not answer", "silence"],
  ])("that %s neither fails a call nor keeps the server running", async (_, status) => {
    const receiver = await otlpReceiver(status);
    const server = await overStdio({ env: receiver.env });
    expect((await server.client.callTool({ name: TOOL, arguments: {} })).isError).toBeFalsy();
    if (status !== "silence") await expect.poll(server.log, { timeout: 10_000 }).toContain('"msg":"telemetry: ');
    await server.end();
    expect(server.log()).not.toContain("says-no");
  });
});

it.each([["stdio"], ["http", "--port", "0"]])("a Prometheus exporter is refused, since it would open a port: %s", async (...args) => {
  const { code, stdout, stderr } = await runBin(args, { ...environmentOf("http://127.0.0.1:9"), OTEL_METRICS_EXPORTER: "prometheus" });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^.*configuration: OTEL_METRICS_EXPORTER=prometheus would open another port\. Use otlp, console or none.*\n$/);
});
