import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderWith } from "./external-command.ts";
import { NODE24_TIMEOUT, runOnNode24 } from "./node24-command.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const bin = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));

/** Lists the tools of a server over stdio and checks their schemas for compatibility with hosts. */
const inspect = (...server: string[]) =>
  runOnNode24(
    INSPECTOR,
    ["mcp-inspector", "--cli", "--method", "tools/list", "--strict", "--format", "json", "-q", process.execPath, ...server],
    /"tools":\[|schema_unportable/,
  );

describe("the MCP Inspector's strict check of the tools", () => {
  it(
    "finds no error or warning",
    async () => {
      const { code, output } = await inspect(bin, "--sandbox");
      // Warnings would precede it.
      const { result } = JSON.parse(output) as { result: { tools: unknown[] } };
      expect(result.tools.length).toBeGreaterThan(7);
      expect(code).toBe(0);
    },
    NODE24_TIMEOUT,
  );

  it(
    "fails for a field of any type, and warns about a union and an external reference",
    async () => {
      const properties = { any: true, union: { type: ["string", "integer"] }, elsewhere: { $ref: "https://fleet.example.com/name.json" } };
      const server = `
        import { Server } from "${import.meta.resolve("sdk-1.32/server/index.js")}";
        import { StdioServerTransport } from "${import.meta.resolve("sdk-1.32/server/stdio.js")}";
        import { ListToolsRequestSchema } from "${import.meta.resolve("sdk-1.32/types.js")}";
        const server = new Server({ name: "careless", version: "1.0.0" }, { capabilities: { tools: {} } });
        const inputSchema = ${JSON.stringify({ type: "object", properties })};
        server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "careless", inputSchema }] }));
        await server.connect(new StdioServerTransport());
      `;
      const folder = await folderWith({ "server.mjs": server });
      const { code, output } = await inspect(`${folder}/server.mjs`);
      expect(output).toMatch(/Error: tool "careless"\s+Path: inputSchema\.properties\.any/);
      expect(output).toContain("1 error, 2 warnings");
      expect(code).toBe(6);
    },
    NODE24_TIMEOUT,
  );
});
