import { traceIdOf } from "@fleetwire/core/internal";
import { describe, expect, it } from "vitest";
import { type FleetClient, parseTraceContext } from "../src/index.ts";
import { fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

const members = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=v`).join(",");

describe("a trace context", () => {
  it("consists of a traceparent, whose trace id it has", () => {
    const parsed = parseTraceContext(PARENT);
    expect(parsed).toEqual({ traceparent: PARENT });
    expect(parsed && traceIdOf(parsed)).toBe(TRACE_ID);
  });

  it.each<[string, unknown]>([
    ["no traceparent", undefined],
    ["a later version, whose form is not known", `01${PARENT.slice(2)}`],
    ["the invalid version", `ff${PARENT.slice(2)}`],
    ["a trace id of zeros", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
    ["a parent id of zeros", `00-${TRACE_ID}-${"0".repeat(16)}-01`],
    ["a line break after it", `${PARENT}\n`],
    ["a header after it", `${PARENT}\r\nx-connect-token: TOKEN x`],
  ])("is ignored with %s", (_, traceparent) => {
    expect(parseTraceContext(traceparent, "a=1")).toBeUndefined();
  });

  it.each<[string, string]>([
    ["a tenant", "fw529a3039@dt=FfAAAA:x"],
    ["32 entries", members(32)],
    ["spaces within and between", "a=b c, d=e"],
  ])("keeps a tracestate of %s", (_, tracestate) => {
    expect(parseTraceContext(PARENT, tracestate)).toEqual({ traceparent: PARENT, tracestate });
  });

  it.each<[string, unknown]>([
    ["nothing", ""],
    ["33 entries", members(33)],
    ["more than 512 characters", `a=${"x".repeat(250)},b=${"x".repeat(250)},c=${"x".repeat(20)}`],
    ["a key in upper case", "A=1"],
    ["a line break", "a=1\r\nx-evil: 1"],
    ["other characters", "a=caf\u00e9"],
  ])("leaves out a tracestate of %s", (_, tracestate) => {
    expect(parseTraceContext(PARENT, tracestate)).toEqual({ traceparent: PARENT });
  });
});

describe("the trace of a call", () => {
  const trace = { traceparent: PARENT, tracestate: "rojo=1" };

  it.each<[string, (fleet: FleetClient) => Promise<unknown>, unknown]>([
    ["a read", (fleet) => fleet.listLivePositions({}, { trace }), []],
    ["a streamed list", async (fleet) => fleet.listLivePositions.iterate({}, { trace }).next(), []],
    ["a write", (fleet) => fleet.updateGroup({ id: "g1" }, { trace }), { id: "g1" }],
    ["a creation", (fleet) => fleet.createJob({ address: "x" }, { trace }), { job: { jobId: "j1" } }],
  ])("is sent with %s and its retries, but not with the token request that calls share", async (_, call, body) => {
    const { fleet, api, auth } = await fleetUnderTest({ api: [{ status: 429 }, { body }], auth: [tokenAnswer("canary-T1")], retries: 1 });
    await call(fleet);
    const sent = api.requests.map(({ headers }) => `${headers["traceparent"]} ${headers["tracestate"]}`);
    expect(sent).toEqual([`${PARENT} rojo=1`, `${PARENT} rojo=1`]);
    for (const { headers } of auth.requests) expect(headers).not.toHaveProperty("traceparent");
  });

  it("is not sent if it is malformed, and does not fail the call", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: [] }, { body: [] }, { body: [] }] });
    await fleet.listLivePositions({}, { trace: { traceparent: "x\r\ny: 1", tracestate: "a=1" } });
    await fleet.listLivePositions({}, { trace: { ...trace, authorization: "Basic x" } as never });
    await fleet.listLivePositions({});
    const names = ["traceparent", "tracestate"] as const;
    expect(api.requests.map(({ headers }) => names.map((name) => headers[name]))).toEqual([
      [undefined, undefined],
      [PARENT, "rojo=1"],
      [undefined, undefined],
    ]);
    expect(api.requests[1]?.headers.authorization).toBe(api.requests[0]?.headers.authorization);
  });
});
