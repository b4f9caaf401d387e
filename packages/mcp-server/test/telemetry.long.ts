import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../tests/vitest/free-port.ts";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { cleanEnv, start } from "./spawned-bin.ts";

/** A receiver of OTLP over HTTP that others wrote: that of Genkit's developer tools. It writes a file for each trace, and accepts metrics without keeping them. */
const RECEIVER = "@genkit-ai/telemetry-server@1.43.0";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

interface Stored {
  spans: Record<string, { spanId: string; parentSpanId: string; displayName: string; spanKind: string; attributes: object }>;
}

it("a receiver that others wrote stores the spans of a call, and accepts its metrics", async () => {
  const folder = temporaryFolder();
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", RECEIVER], { stdio: "ignore" });
  const port = await freePort();
  const program = `
    const { startTelemetryServer, LocalFileTraceStore, LocalFileLogStore } = require("@genkit-ai/telemetry-server");
    const at = { storeRoot: __dirname, indexRoot: __dirname };
    void startTelemetryServer({ port: ${port}, traceStore: new LocalFileTraceStore(at), logStore: new LocalFileLogStore(at) });
  `;
  writeFileSync(join(folder, "receiver.cjs"), program);
  const receiver = spawn(process.execPath, ["receiver.cjs"], { cwd: folder, env: cleanEnv(), stdio: "ignore" });
  onTestFinished(() => void receiver.kill());
  const origin = `http://127.0.0.1:${port}/api`;
  await expect.poll(async () => (await fetch(`${origin}/__health`)).status, { timeout: 30_000 }).toBe(200);

  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${origin}/otlp`, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", FLEET_LOG: "info" };
  const { send, lines, child, ended } = start(["--sandbox"], env);
  const clientInfo = { name: "host", version: "1" };
  send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  await lines(1);
  const _meta = { traceparent: `00-${TRACE}-${SPAN}-01` };
  send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_vehicle_faults", arguments: {}, _meta } });
  await lines(2);
  child.stdin.end();
  expect((await ended).stderr).not.toContain("telemetry: ");

  const traces = join(folder, ".genkit/traces");
  expect(readdirSync(traces)).toContain(TRACE);
  const { spans } = JSON.parse(readFileSync(join(traces, TRACE), "utf8")) as Stored;
  const call = Object.values(spans).find(({ spanKind }) => spanKind === "SERVER");
  const request = Object.values(spans).find(({ spanKind }) => spanKind === "CLIENT");
  expect(call).toMatchObject({ displayName: "tools/call list_vehicle_faults", parentSpanId: SPAN });
  expect(call?.attributes).toMatchObject({ "mcp.method.name": "tools/call", "gen_ai.tool.name": "list_vehicle_faults" });
  expect(request).toMatchObject({
    parentSpanId: call?.spanId,
    displayName: expect.stringMatching(/^GET \/public\/v1\/customer\/\{customerId\}/),
  });
});
