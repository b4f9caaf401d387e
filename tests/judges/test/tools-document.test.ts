import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const text = readFileSync(at("docs/tools.md"), "utf8");

async function host(): Promise<Client> {
  const client = new Client({ name: "reader", version: "1.0.0" });
  const env = { PATH: process.env["PATH"] ?? "" };
  const args = [at("packages/mcp-server/dist/fleetwire-mcp.js"), "--sandbox"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}

describe("docs/tools.md", () => {
  it("has a section with the inputs of each listed tool", async () => {
    const { tools } = await (await host()).listTools();
    const sections = text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual(tools.map(({ name }) => name));
    for (const [index, { inputSchema, description = "" }] of tools.entries()) {
      expect(sections[index]).toContain(description);
      for (const name of Object.keys(inputSchema.properties ?? {})) expect(sections[index]).toContain(`| \`${name}\` `);
    }
  });

  it("has examples that work with the sandbox", async () => {
    const client = await host();
    const examples = [...text.matchAll(/^fleetwire-mcp call (\w+) '(.+)' --sandbox$/gm)];
    expect(examples.length).toBeGreaterThan(7);
    for (const [, name = "", json = ""] of examples) {
      const { isError, content } = await client.callTool({ name, arguments: JSON.parse(json) });
      expect({ name, failed: isError ? content : false }).toEqual({ name, failed: false });
    }
  });
});
