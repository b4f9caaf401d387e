import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import COSTS from "../token-costs.json" with { type: "json" };
import { run } from "./run-program.ts";
import { serverUnderTest } from "./server-under-test.ts";

const MOST_TOKENS = 2_900;

async function definitions(): Promise<[string, string][]> {
  const { client } = await serverUnderTest();
  const { tools } = await client.listTools();
  return tools.map(({ name, description = "", inputSchema }) => [name, JSON.stringify({ name, description, inputSchema })]);
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe("what a model sees of the tools", () => {
  it("costs at most 2,900 tokens (o200k) in total", async () => {
    const counts = (await definitions()).map(([name, definition]) => [name, countTokens(definition)] as const);
    expect(sum(counts.map(([, tokens]) => tokens)), JSON.stringify(counts)).toBeLessThanOrEqual(MOST_TOKENS);
  });

  it("is printed by fleetwire-mcp tools, with the change", async () => {
    const { stdout } = await run(["tools", "--sandbox"]);
    const rows = new Map(stdout.split("\n").map((line) => [line.split(/\s+/)[0], line]));
    for (const [name, { tokens }] of Object.entries(COSTS)) expect(rows.get(name)).toMatch(new RegExp(` ${tokens} +0 `));
    expect(rows.get("total")).toContain(` ${sum(Object.values(COSTS).map(({ tokens }) => tokens))} `);
    expect(stdout).toContain("o200k");
  });
});
