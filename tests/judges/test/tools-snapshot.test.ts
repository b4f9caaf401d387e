import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CommandOutput, folderWith, run } from "./external-command.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const snapshot = readFileSync(at("../../../packages/contract-tests/baselines/tools.json"), "utf8");

/** Redocly lists the tools of the built server over stdio and compares them with the snapshot. */
async function compare(text: string): Promise<CommandOutput> {
  const folder = await folderWith({ "tools.json": text });
  return run(process.execPath, [
    at("../../../packages/contract-tests/scripts/introspect-tools.mjs"),
    "--check",
    join(folder, "tools.json"),
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: each case changes another part of the snapshot
function changed(change: (tools: any[]) => void): string {
  const document = JSON.parse(snapshot);
  change(document["x-mcp"].tools);
  return JSON.stringify(document);
}

// biome-ignore lint/suspicious/noExplicitAny: see above
const locate = (tools: any[]) => tools.find(({ name }) => name === "locate_vehicle");

describe("redocly introspect-mcp", () => {
  it("finds the tools of the built server unchanged (run npm run tools-snapshot)", async () => {
    const { code, output } = await compare(snapshot);
    expect(output).toContain("is up to date with the MCP server");
    expect(code).toBe(0);
  });

  it.each<[string, string, RegExp]>([
    ["a removed tool", changed((tools) => tools.push({ ...locate(tools), name: "sell_vehicle" })), /removed: sell_vehicle/],
    ["a new tool", changed((tools) => tools.splice(tools.indexOf(locate(tools)), 1)), /added: locate_vehicle/],
    ["another description", changed((tools) => (locate(tools).description = "Finds")), /changed: locate_vehicle/],
    ["another input field", changed((tools) => (locate(tools).inputSchema.properties.colour = {})), /changed: locate_vehicle/],
    ["another output field", changed((tools) => delete locate(tools).outputSchema.properties.result), /changed: locate_vehicle/],
    ["another safety hint", changed((tools) => (locate(tools).annotations.readOnlyHint = false)), /changed: locate_vehicle/],
  ])("fails for %s", async (_, text, words) => {
    const { code, output } = await compare(text);
    expect(output).toMatch(words);
    expect(code).toBe(1);
  });
});
