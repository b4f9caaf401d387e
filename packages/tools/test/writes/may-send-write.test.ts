import { describe, expect, it } from "vitest";
import * as z from "zod";
import { maySendWrite } from "../../src/writes/may-send-write.ts";
import type { Tool } from "../../src/writes/write-tool.ts";

const toolOf = (effect: Tool["effect"]) =>
  ({
    name: "rename",
    effect,
    input: z.strictObject({ id: z.string(), dryRun: z.boolean().optional() }),
    inputSchema: { properties: {} },
  }) as unknown as Tool;

describe("an approved call of a tool with a required argument", () => {
  it.each<[Tool["effect"], unknown, boolean]>([
    ["update", { id: "g1" }, true],
    ["update", { id: "g1", dryRun: true }, false],
    ["update", {}, false],
    ["update", undefined, true],
    ["read", undefined, false],
  ])("that is an %s, with %j, sends a write: %s", (effect, args, sends) => expect(maySendWrite(toolOf(effect), args)).toBe(sends));
});
