import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { describe, expect, it } from "vitest";
import { CALLS, scriptOf } from "../../tools/test/every-tool.ts";
import { environmentOf, errorOf, NOW, serverUnderTest, textOf } from "./server-under-test.ts";

/** A server, and the tools in process, with the same service. */
async function both() {
  const server = await serverUnderTest({ script: scriptOf("x") });
  return { ...server, tools: createFleetTools(fleetToolsConfigFromEnv(environmentOf(server.service.origin)), { now: () => NOW }) };
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

  it.each<[string, Record<string, unknown>]>([
    ...CALLS.filter(([name]) => name !== "create_job"),
    ["locate_vehicle", { query: "zeppelin" }],
    ["locate_vehicle", {}],
    ["create_job", { address: "Lyon", vehicleName: "zeppelin" }],
    ["update_group", { id: "north", group: "North" }],
  ])("%s returns, asks or fails the same for %j", async (name, args) => {
    const { call, tools } = await both();
    const here = await tools.call(name, args);
    const there = await call(name, args);
    // Over MCP, a failure is only text.
    const record = here.ok ? here.structured : undefined;
    expect([there.isError ?? false, textOf(there), there.structuredContent]).toEqual([!here.ok, here.text, record]);
  });
});

describe("over MCP only", () => {
  it("missing arguments count as none", async () => {
    const { client } = await both();
    expect((await client.callTool({ name: "list_live_positions" })).isError).toBeUndefined();
  });

  it.each<[string, Record<string, string>, string]>([
    ["create_job", { FLEET_JOB_URL: "" }, "create_job is not available: FLEET_JOB_URL is not set."],
    ["list_jobs", { FLEET_API_HOST: "", FLEET_AUTH_URL: "" }, "list_jobs is not available: FLEET_API_HOST and FLEET_AUTH_URL are not set."],
    ["create_job", { FLEET_READ_ONLY: "1" }, "create_job is not available: it writes, and FLEET_READ_ONLY is set."],
    ["createJob", { FLEET_TOOLSETS: "positions" }, "create_job is not available: not selected by FLEET_TOOLS or FLEET_TOOLSETS."],
  ])("a call of %s, which is not listed with %j, says why", async (name, env, reason) => {
    const { client, call, service } = await serverUnderTest({ env });
    expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain(name);
    expect(errorOf(await call(name, { address: "Lyon" }))).toMatch(`config: ${reason} Whoever set up this server`);
    expect(service.received).toEqual([]);
  });

  it("a call of a tool that does not exist is a protocol error", async () => {
    await expect((await serverUnderTest()).call("request_access_token")).rejects.toThrow("request_access_token");
  });

  it("no tools are announced if none is offered", async () => {
    const { client } = await serverUnderTest({ env: { FLEET_TOOLSETS: "groups", FLEET_READ_ONLY: "1" } });
    expect(client.getServerCapabilities()?.tools).toBeUndefined();
  });
});
