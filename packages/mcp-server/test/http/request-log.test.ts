import { describe, expect, it } from "vitest";
import { noMetrics } from "../../src/http/metrics.ts";
import { loggedMethod, recordRequest } from "../../src/http/request-log.ts";
import type { ServerLog } from "../../src/log.ts";

const TRACE = "a".repeat(32);
const OTHER_TRACE = "b".repeat(32);

function recorded(headers: Record<string, string> = {}, address?: string) {
  const lines: [level: string, line: object, text: string][] = [];
  const to = (level: string) => (line: object, text: string) => lines.push([level, line, text]);
  const log = { info: to("info"), warn: to("warn"), error: to("error") } as unknown as ServerLog;
  const observed: unknown[] = [];
  const metrics = { ...noMetrics, called: (...of: unknown[]) => observed.push(of), responded: (status: number) => observed.push(status) };
  return { ...recordRequest(new Request("http://localhost/mcp", { headers }), address, log, metrics), lines, observed };
}

type Call = Parameters<NonNullable<ReturnType<typeof recorded>["hooks"]["onCall"]>>[0];

const call = (more: object) => ({ tool: "list_jobs", outcome: "ok", ms: 12, tokens: 34, ...more }) as unknown as Call;

describe("a request's line in the log", () => {
  it.each<[string | undefined, number, string]>([
    [undefined, 200, "info"],
    [undefined, 499, "info"],
    [undefined, 500, "warn"],
    ["ok", 200, "info"],
    ["question", 200, "info"],
    ["notFound", 200, "warn"],
  ])("of a call with the outcome %s and status %d: %s", (outcome, status, level) => {
    const { hooks, end, lines, observed } = recorded();
    if (outcome !== undefined) hooks.onCall?.(call({ outcome }));
    end(status, true);
    expect(lines).toEqual([[level, expect.objectContaining({ status, ms: expect.any(Number) }), "request"]]);
    expect(observed).toEqual([...(outcome === undefined ? [] : [["list_jobs", outcome, 12]]), status]);
    expect(lines[0]?.[1]).not.toHaveProperty("disconnected");
  });

  it.each<[what: string, headers: Record<string, string>, address: string | undefined, more: object | undefined, line: object]>([
    ["nothing known", {}, undefined, undefined, {}],
    ["the caller's address", {}, "192.0.2.7", undefined, { address: "192.0.2.7" }],
    ["the trace of the headers", { traceparent: `00-${TRACE}-${"1".repeat(16)}-01` }, undefined, undefined, { trace: TRACE }],
    ["an invalid trace", { traceparent: "x" }, undefined, undefined, {}],
    ["a call", {}, undefined, {}, { tool: "list_jobs", outcome: "ok", tokens: 34 }],
    [
      "a call in another trace",
      { traceparent: `00-${TRACE}-${"1".repeat(16)}-01` },
      undefined,
      { trace: OTHER_TRACE },
      { tool: "list_jobs", outcome: "ok", tokens: 34, trace: OTHER_TRACE },
    ],
  ])("with %s", (_, headers, address, more, line) => {
    const record = recorded(headers, address);
    if (more) record.hooks.onCall?.(call(more));
    record.end(200, false);
    const known = { requestId: expect.any(String), status: 200, ms: expect.any(Number), disconnected: true };
    expect(record.lines).toEqual([["info", { ...known, ...line }, "request"]]);
  });

  it.each([
    ["a-request_1.b", true],
    ["a".repeat(64), true],
    ["a".repeat(65), false],
    ["a b", false],
    ["", false],
  ])("has the caller's id %j: %s", (id, isKept) => {
    const { line } = recorded({ "x-request-id": id });
    expect(line.requestId === id).toBe(isKept);
    if (!isKept) expect(line.requestId).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    ["tools/call", "tools/call"],
    ["a".repeat(48), "a".repeat(48)],
    ["a".repeat(49), "other"],
    ["tools call", "other"],
    [5, "other"],
    [undefined, "other"],
  ])("has the method %j as %s", (method, shown) => {
    expect(loggedMethod(method)).toBe(shown);
  });
});
