import { toJsonSchemaTools } from "@fleetwire/tools/json-schema";
import { describe, expect, it } from "vitest";
import { JOB, servedWrites } from "../writes/served-writes.ts";

describe("tools as plain JSON", () => {
  it("are those of the fleet, with the schemas that models see over MCP", async () => {
    const { tools: fleet } = await servedWrites();
    const { tools } = toJsonSchemaTools(fleet);
    const expected = fleet.tools.map(({ name, description, inputJsonSchema: parameters }) => ({
      ...{ type: "function", name, description, parameters },
      strict: false,
    }));
    expect(JSON.parse(JSON.stringify(tools))).toEqual(expected);
  });

  it("require every argument in their strict form, with null for the optional ones", async () => {
    const { tools } = toJsonSchemaTools((await servedWrites()).tools, { strict: true });
    expect(tools.map(({ strict }) => strict)).not.toContain(false);
    for (const { parameters } of tools) {
      const { properties, required } = parameters as { properties: object; required: string[] };
      expect(required).toEqual(Object.keys(properties));
    }
    expect(tools.find(({ name }) => name === "summarize_driver_activity")?.parameters).toMatchObject({
      additionalProperties: false,
      properties: {
        period: { type: "string" },
        driver: { type: ["string", "null"] },
        sort: { type: ["string", "null"], enum: ["driving", "work", "shift", null] },
      },
    });
  });

  it("take null as absent, even for a field that the service accepts null for", async () => {
    const { tools, sent } = await servedWrites();
    const { call } = toJsonSchemaTools(tools, { strict: true });
    const written = JSON.stringify({ ...JOB, notes: null, override: null, dryRun: null });
    expect(await call("create_job", written, { approved: true })).toMatchObject({
      ok: true,
      text: expect.not.stringContaining("override"),
    });
    expect(sent()).toHaveLength(1);
  });

  it.each(["", "{", "[]", "null", '"truck 12"'])("report the arguments %j as invalid", async (args) => {
    const { call } = toJsonSchemaTools((await servedWrites()).tools);
    expect(await call("locate_vehicle", args)).toMatchObject({ ok: false, structured: { error: { code: "input" } } });
  });
});
