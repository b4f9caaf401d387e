import { expect, it } from "vitest";
import * as z from "zod";
import type { ReadTool } from "../src/fleet/fleet-context.ts";
import { runTool } from "../src/run-tool.ts";
import { resultTokens } from "../src/text/token-budget.ts";
import { cannedService, toolsOver } from "./canned-service.ts";

const RESULT = { text: "Truck 12 is in Lyon. ".repeat(20), structured: {} };

/** A read of data of this age. */
const toolWith = (age: number) =>
  ({
    name: "find",
    effect: "read",
    input: z.strictObject({}),
    inputSchema: { properties: {} },
    run: async (_: unknown, { callOptions }: { callOptions: { onRead?: (age: number) => void } }) => {
      callOptions.onRead?.(age);
      return () => RESULT;
    },
  }) as unknown as ReadTool;

it.each([
  ["its age, if that fits", 60_000, 100, /Read 60 s ago/],
  ["nothing of its age, if that does not fit", 60_000, 0, /^(?!.*Read)/s],
  ["nothing of its age, if it was read now", 0, 100, /^(?!.*Read)/s],
])("a result says %s", async (_, age, room, expected) => {
  const { context } = toolsOver(await cannedService(() => []));
  const settings = { ...context.settings, maxResultTokens: resultTokens(RESULT) + room };
  const result = (await runTool(toolWith(age), {}, { ...context, settings })) as { text: string };
  expect(result.text).toContain(RESULT.text.trim());
  expect(result.text).toMatch(expected);
});

it("a result that does not fit the budget is a failure", async () => {
  const { context } = toolsOver(await cannedService(() => []));
  const settings = { ...context.settings, maxResultTokens: resultTokens(RESULT) - 1 };
  expect(await runTool(toolWith(0), {}, { ...context, settings })).toMatchObject({
    error: expect.stringContaining("the result does not fit FLEET_MAX_RESULT_TOKENS"),
  });
});
