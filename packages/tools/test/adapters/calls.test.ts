import { type AiSdkOutput, toAiSdkTools } from "@fleetwire/tools/ai-sdk";
import { toOpenAIAgentsTools } from "@fleetwire/tools/openai-agents";
import { expect, it } from "vitest";
import { fleetUnderTest } from "../fleet-under-test.ts";
import { JOB, servedWrites } from "../writes/served-writes.ts";

const CALL = { toolCallId: "call_0", messages: [] };

async function outputs(stream: AsyncIterable<AiSdkOutput> | undefined) {
  const all: AiSdkOutput[] = [];
  for await (const output of stream ?? []) all.push(output);
  return all;
}

it("a framework's model sees a call's progress, then its text", async () => {
  const { tools } = toAiSdkTools((await fleetUnderTest()).tools);
  const tool = tools["summarize_driver_activity"];
  const [first, ...more] = await outputs(tool?.execute({ period: "yesterday" }, CALL));
  expect(first).toEqual({ progress: { done: expect.any(Number), total: expect.any(Number), message: expect.stringMatching(/\S/) } });
  expect(more.at(-1)).toMatchObject({ ok: true });
  expect(first && tool?.toModelOutput({ output: first })).toEqual({ type: "text", value: expect.stringMatching(/\S/) });
  const aborted = await outputs(tools["list_tire_events"]?.execute({}, { ...CALL, abortSignal: AbortSignal.abort() }));
  expect(aborted.map((output) => tool?.toModelOutput({ output }))).toEqual([
    { type: "error-text", value: expect.stringMatching(/^aborted: /) },
  ]);
});

it("an application gets each result, and its errors are ignored", async () => {
  const seen: unknown[] = [];
  const onResult = (...result: unknown[]) => {
    seen.push(...result);
    throw new Error("ignored");
  };
  const { tools } = toAiSdkTools((await servedWrites()).tools, { onResult });
  const [result] = await outputs(tools["locate_vehicle"]?.execute({ query: "truck 12", limit: null }, CALL));
  expect(seen).toEqual([{ tool: "locate_vehicle", args: { query: "truck 12" }, callId: "call_0" }, result]);
});

it("a framework's own validation rejects nothing, so that the model gets the tool's explanation", async () => {
  const { tools } = await servedWrites();
  const { validate } = toAiSdkTools(tools).tools["create_job"]?.inputSchema["~standard"] ?? {};
  expect([validate?.({ address: 7, colour: "red" }), validate?.(JOB)]).toEqual([{ value: { address: 7, colour: "red" } }, { value: JOB }]);
  const locate = toOpenAIAgentsTools(tools).find(({ name }) => name === "locate_vehicle");
  expect(await locate?.invoke({ isToolApproved: () => undefined }, "{")).toMatch(/^input: locate_vehicle: /);
});

it.each<[string, object, RegExp | undefined]>([
  ["a write", { notes: null }, /^Create job:\n/],
  ["a dry run", { dryRun: true }, undefined],
  ["a write that cannot be sent yet", { vehicleName: "truck" }, undefined],
])("the user is asked about %s with its preview, if it can be sent", async (_, args, reason) => {
  const { tools, sent } = await servedWrites();
  const asked = await toAiSdkTools(tools).toolApproval["create_job"]?.({ ...JOB, ...args }, { toolCallId: "call_0" });
  expect(asked).toEqual(reason && { type: "user-approval", reason: expect.stringMatching(reason) });
  expect([toAiSdkTools(tools).toolApproval["locate_vehicle"], sent()]).toEqual([undefined, []]);
});
