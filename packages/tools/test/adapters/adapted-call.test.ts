import { describe, expect, it } from "vitest";
import * as z from "zod";
import { declinedCall, lenientSchema, parsedArguments, previewToApprove, runCall, withoutNulls } from "../../src/adapters/adapted-call.ts";
import { withProgress } from "../../src/adapters/progress-stream.ts";
import type { ExecuteOptions, FleetTool, FleetToolResult } from "../../src/index.ts";

const SENT = { ok: true, text: "sent", structured: { result: "sent" } } as FleetToolResult;
const PREVIEW = { ok: true, text: "Create job:", structured: { result: "preview" } } as FleetToolResult;
const QUESTION = { ok: true, text: "Which?", structured: { result: "ambiguous" } } as FleetToolResult;
const FAILURE = { ok: false, text: "no", structured: { result: "preview" } } as unknown as FleetToolResult;

/** A tool that records its calls. */
function toolOf({ needsApproval = true, preview = PREVIEW } = {}) {
  const calls: [unknown, ExecuteOptions | undefined][] = [];
  const recorded = (result: FleetToolResult) => async (args: unknown, options?: ExecuteOptions) => {
    calls.push([args, options]);
    return result;
  };
  const schema = z.strictObject({ a: z.number() });
  const inputSchema = { "~standard": { ...schema["~standard"], jsonSchema: {} } };
  const tool = { name: "create_job", execute: recorded(SENT), preview: recorded(preview), needsApproval: () => needsApproval, inputSchema };
  return { tool: tool as unknown as FleetTool, calls };
}

it.each([
  ['{"a":1}', { a: 1 }],
  ["{", "{"],
  [{ a: 1 }, { a: 1 }],
  [undefined, undefined],
])("arguments written as %j are %j", (written, args) => expect(parsedArguments(written)).toEqual(args));

it.each([
  [
    { a: null, b: 0, c: "", d: undefined },
    { b: 0, c: "", d: undefined },
  ],
  [[null], [null]],
  [null, null],
  ["x", "x"],
])("without nulls, %j is %j", (args, rest) => expect(withoutNulls(args)).toStrictEqual(rest));

it("a lenient schema rejects nothing, and parses what is valid", async () => {
  const { validate } = lenientSchema(toolOf().tool)["~standard"];
  expect(await validate({ a: 1 })).toEqual({ value: { a: 1 } });
  expect(await validate({ a: "x", b: 1 })).toEqual({ value: { a: "x", b: 1 } });
});

describe("a call of a framework", () => {
  const { signal } = new AbortController();
  const progress = () => {};

  it.each<[object, object]>([
    [{ callId: "c1" }, { signal: undefined, idempotencyKey: 'create_job c1 {"a":1}', approved: false, progress: undefined }],
    [
      { callId: undefined, signal: null, approved: "yes" },
      { signal: undefined, idempotencyKey: 'create_job undefined {"a":1}', approved: false, progress: undefined },
    ],
    [
      { callId: "c1", signal, approved: true, progress },
      { signal, idempotencyKey: 'create_job c1 {"a":1}', approved: true, progress },
    ],
  ])("with %j runs the tool", async (context, options) => {
    const { tool, calls } = toolOf();
    const results: unknown[] = [];
    const result = await runCall(tool, { a: 1, b: null }, context as never, {
      idempotencyKey: ({ tool, callId, args }) => `${tool} ${callId} ${JSON.stringify(args)}`,
      onResult: (call, result) => {
        results.push(call, result);
        throw new Error("ignored");
      },
    });
    expect(calls).toStrictEqual([[{ a: 1 }, options]]);
    expect([result, results]).toEqual([
      SENT,
      [{ tool: "create_job", args: { a: 1 }, callId: (context as { callId?: string }).callId }, SENT],
    ]);
  });

  it("has no idempotency key by default", async () => {
    const { tool, calls } = toolOf();
    await runCall(tool, {}, { callId: "c1" }, {});
    expect(calls[0]?.[1]?.idempotencyKey).toBeUndefined();
  });

  it.each<[string, Parameters<typeof toolOf>[0], string | undefined, number]>([
    ["a write", {}, "Create job:", 1],
    ["a read", { needsApproval: false }, undefined, 0],
    ["a write that cannot be sent", { preview: QUESTION }, undefined, 1],
    ["a write that fails", { preview: FAILURE }, undefined, 1],
  ])("is previewed for approval: %s", async (_, setup, text, count) => {
    const { tool, calls } = toolOf(setup);
    expect(await previewToApprove(tool, { a: 1, b: null }, { callId: "c1", signal }, { idempotencyKey: ({ callId }) => callId })).toBe(
      text,
    );
    expect(calls).toEqual(Array.from({ length: count }, () => [{ a: 1 }, { signal, idempotencyKey: "c1" }]));
  });

  it("that the user declined is not sent", async () => {
    const { tool, calls } = toolOf();
    await declinedCall(tool, { a: 1, b: null });
    expect(calls).toStrictEqual([[{ a: 1 }, { elicitation: { reply: { answer: "declined", state: undefined } } }]]);
  });
});

describe("a stream of progress", () => {
  const all = async (stream: AsyncIterable<unknown>) => {
    const seen: unknown[] = [];
    for await (const one of stream) seen.push(one);
    return seen;
  };
  const step = (done: number) => ({ progress: { done, total: 2, message: `${done} of 2` } });
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

  it.each([
    ["at once", false],
    ["in between", true],
  ])("yields what is reported %s, then the result", async (_, waits) => {
    const stream = withProgress(async (report) => {
      for (const done of [1, 2]) {
        if (waits) await later();
        report(done, 2, `${done} of 2`);
      }
      if (waits) await later();
      return "done";
    });
    expect(await all(stream)).toEqual([step(1), step(2), { result: "done" }]);
  });

  it("yields only the result if nothing is reported, and fails as the call does", async () => {
    expect(await all(withProgress(async () => "done"))).toEqual([{ result: "done" }]);
    await expect(all(withProgress(() => later().then(() => Promise.reject(new Error("failed")))))).rejects.toThrow("failed");
  });
});
