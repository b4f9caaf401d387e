import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { bearer, messageIn, served, tokensFile } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { raw, rawCall } from "./http-under-test.ts";
import { recordedSandbox } from "./recorded-sandbox.ts";
import { BIN, cleanEnv } from "./spawned-bin.ts";

const [HEADER_ID, META_ID] = ["0af7651916cd43dd8448eb211c80319c", "4bf92f3577b34da6a3ce929d0e0e4736"];
const HEADER = `00-${HEADER_ID}-b7ad6b7169203331-01`;
const META = `00-${META_ID}-00f067aa0ba902b7-01`;

const FAULTS = "list_vehicle_faults";
const JOB = { address: "Quai Perrache 10, Lyon" };

/** The trace headers of what the sandbox received, except for token requests. */
const tracesOf = ({ received }: Awaited<ReturnType<typeof recordedSandbox>>) =>
  received
    .filter(({ path }) => !path.includes("/oauth/"))
    .map(({ headers: { traceparent, tracestate } }) => [traceparent, tracestate].filter((header) => header !== undefined).join(" ; "));

async function overHttp() {
  const sandbox = await recordedSandbox();
  const { file, tokens } = tokensFile({ dispatch: { scopes: ["fleet:read", "fleet:write"] } });
  const { http, log } = await served({ ...sandbox.env, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, FLEET_CONFIRM: "never" });
  const send = (tool: string, args: Record<string, unknown>, meta: object = {}, headers: Record<string, string> = {}) => {
    const { params, ...message } = JSON.parse(rawCall(tool, args).body);
    const body = JSON.stringify({ ...message, params: { ...params, _meta: meta } });
    return raw(http.url, { headers: { ...rawCall(tool).headers, ...bearer(tokens.dispatch), ...headers }, body });
  };
  /** Sends a call, and returns the trace in the log, if it is there, and what the sandbox got. */
  const traced = async (...call: Parameters<typeof send>) => {
    const { text } = await send(...call);
    expect(messageIn(text).result.isError).toBeFalsy();
    await expect.poll(() => log.findLast(({ msg }) => msg === "request")).toBeDefined();
    return { logged: log.findLast(({ msg }) => msg === "request")?.["trace"], sent: tracesOf(sandbox) };
  };
  return { sandbox, traced };
}

describe("the trace of a call reaches the log and the fleet service", () => {
  it.each<[string, object, Record<string, string>, string | undefined, string]>([
    ["from the request's headers", {}, { traceparent: HEADER, tracestate: "rojo=1" }, HEADER_ID, `${HEADER} ; rojo=1`],
    [
      "from _meta, rather than from the headers",
      { traceparent: META, tracestate: "congo=2" },
      { traceparent: HEADER },
      META_ID,
      `${META} ; congo=2`,
    ],
    ["from the headers if that in _meta is malformed", { traceparent: `${META}\r\nx-evil: 1` }, { traceparent: HEADER }, HEADER_ID, HEADER],
    ["without a tracestate that is malformed", { traceparent: META, tracestate: "a=1\r\nx-evil: 1" }, {}, META_ID, META],
    ["unless it is malformed", { traceparent: { toString: "x" } }, { traceparent: "canary-trace", tracestate: "a=1" }, undefined, ""],
    ["unless there is none, whatever baggage there is", { baggage: "user=canary" }, { baggage: "user=canary" }, undefined, ""],
  ])("%s", async (_, meta, headers, id, sent) => {
    const { sandbox, traced } = await overHttp();
    expect(await traced(FAULTS, {}, meta, headers)).toEqual({ logged: id, sent: [sent] });
    for (const { headers } of sandbox.received) {
      expect(Object.keys(headers)).not.toContain("x-evil");
      expect(Object.keys(headers)).not.toContain("baggage");
    }
  });

  it("with the write that the call sends", async () => {
    const { traced } = await overHttp();
    const { logged, sent } = await traced("create_job", JOB, { traceparent: META });
    expect(logged).toBe(META_ID);
    expect(sent).toContain(META);
  });

  it("but not with reads of the whole fleet, which all callers share", async () => {
    const { traced } = await overHttp();
    expect(await traced("locate_vehicle", { query: "truck 1" }, { traceparent: META })).toEqual({ logged: META_ID, sent: [""] });
  });

  it.each([FAULTS, "list_tire_events"])("and reads that differ only in their trace are still shared (%s)", async (tool) => {
    const { traced, sandbox } = await overHttp();
    await traced(tool, {}, { traceparent: META });
    await traced(tool, {}, { traceparent: HEADER });
    expect(tracesOf(sandbox).filter((trace) => trace !== "")).toEqual([META]);
  });

  it.each(["auto", "legacy"] as const)("over stdio, from _meta (%s)", async (mode) => {
    const sandbox = await recordedSandbox();
    const env = cleanEnv({ ...sandbox.env, FLEET_LOG: "info" });
    const transport = new StdioClientTransport({ command: process.execPath, args: [BIN], env, stderr: "pipe" });
    let log = "";
    transport.stderr?.on("data", (chunk) => (log += chunk));
    const client = hostClient(mode);
    onTestFinished(() => client.close());
    await client.connect(transport);
    await client.callTool({ name: FAULTS, arguments: {}, _meta: { traceparent: META, tracestate: "congo=2" } });
    expect(tracesOf(sandbox)).toEqual([`${META} ; congo=2`]);
    await expect.poll(() => log).toContain(`"trace":"${META_ID}"`);
  });
});
