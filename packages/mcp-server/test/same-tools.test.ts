import { createFleetTools } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { serverConfigFromEnv } from "../src/server-config.ts";
import { CALLS, scriptOf } from "../../tools/test/every-tool.ts";
import { environmentOf, NOW, serverUnderTest, textOf } from "./server-under-test.ts";

/** A server, and the tools in process, with the same service. */
async function both() {
  const server = await serverUnderTest({ script: scriptOf("x") });
  return { ...server, tools: createFleetTools(serverConfigFromEnv(environmentOf(server.service.origin)), { now: () => NOW }) };
}

describe("over MCP and in process", () => {
  it("the same tools are offered, with the same text, schemas and hints", async () => {
    const { client, tools } = await both();
    const listed = tools.tools.map(({ name, title, description, annotations, inputJsonSchema, outputJsonSchema }) => ({
      name,
      title,
      description,
      annotations: {
        title,
        readOnlyHint: annotations.readOnly,
        destructiveHint: annotations.destructive,
        idempotentHint: annotations.idempotent,
        openWorldHint: annotations.openWorld,
      },
      inputSchema: inputJsonSchema,
      outputSchema: outputJsonSchema,
    }));
    expect((await client.listTools()).tools).toEqual(JSON.parse(JSON.stringify(listed)));
    expect(client.getInstructions()).toBe(tools.instructions);
  });

  it.each(CALLS.filter(([name]) => name !== "create_job"))("%s returns the same for %j", async (name, args) => {
    const { call, tools } = await both();
    const here = await tools.call(name, args);
    const there = await call(name, args);
    expect([there.isError ?? false, textOf(there), there.structuredContent]).toEqual([!here.ok, here.text, here.structured]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["locate_vehicle", { query: "zeppelin" }],
    ["locate_vehicle", {}],
    ["create_job", { address: "Lyon", vehicleName: "zeppelin" }],
    ["update_group", { id: "north", group: "North" }],
  ])("%s fails or asks the same with %j", async (name, args) => {
    const { call, tools } = await both();
    const here = await tools.call(name, args);
    const there = await call(name, args);
    // Over MCP, a failure is only text.
    expect([there.isError ?? false, textOf(there), there.structuredContent]).toEqual([
      !here.ok,
      here.text,
      here.ok ? here.structured : undefined,
    ]);
  });
});
