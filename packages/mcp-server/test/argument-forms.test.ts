import { describe, expect, it } from "vitest";
import { tools } from "../../tools/src/tools/index.ts";
import { scriptOf } from "./every-tool.ts";
import { serverUnderTest } from "./server-under-test.ts";

const DAY = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };

/** Arguments a call needs, and settings that make two calls comparable. */
const NEEDED: Record<string, Record<string, unknown>> = {
  locate_vehicle: { query: "v1" },
  find_nearest_vehicles: { to: "v1" },
  summarize_driver_activity: { period: "2026-11-19" },
  query_tacho_activity: DAY,
  create_job: { address: "Lyon" },
  update_group: { id: "north", name: "N" },
};

/** Text arguments whose schema allows an empty string; its meaning is up to the service. */
const takes = (tool: (typeof tools)[number], field: string, value: unknown) => tool.input.shape[field]?.safeParse(value).success === true;

// The service assigns job numbers, or no two creations would be equal.
const env = { FLEET_CONFIRM: "never", FLEET_JOB_NUMBERS: "service" };

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const optional = Object.keys(tool.input.shape).filter((field) => takes(tool, field, undefined));

  it.each([
    ["null", null],
    ["an empty string", ""],
  ])("treats %s as absent in every optional argument", async (_, nothing) => {
    const { call, service } = await serverUnderTest({ script: scriptOf("x"), env });
    const sentBy = async (args: Record<string, unknown>) => {
      const from = service.received.length;
      const { content, structuredContent, isError } = await call(name, args);
      const made = service.received.slice(from).filter(({ operation }) => operation !== "requestAccessToken");
      const requests = made.map(({ operation, url, body }) => ({ operation, search: url.search, body }));
      return { content, structuredContent, isError, requests };
    };
    for (const field of optional) {
      if (takes(tool, field, nothing)) continue;
      const { [field]: _absent, ...others } = NEEDED[name] ?? {};
      expect(await sentBy({ ...others, [field]: nothing }), field).toEqual(await sentBy(others));
    }
  });
});

it("passes null and an empty string through if the argument's schema allows them", () => {
  const own = (value: unknown) =>
    tools.flatMap((tool) => Object.keys(tool.input.shape).flatMap((field) => (takes(tool, field, value) ? [`${tool.name}.${field}`] : [])));
  expect(own(null)).toEqual(["create_job.override"]);
  // In these, an empty string may mean removal; without fields, the default ones are shown.
  for (const field of own("").filter((one) => !one.endsWith(".fields")))
    expect(field).toMatch(
      /^(create_job|update_group|list_live_positions|query_tacho_activity|list_vehicle_faults|list_jobs|list_tire_events)\./,
    );
});

type Json = { [keyword: string]: unknown };

/** A schema and all its nested schemas, with their paths. */
function schemasIn(schema: Json, path: string): [string, Json][] {
  const inner = [...Object.entries((schema["properties"] ?? {}) as Json), ["items", schema["items"]] as const];
  const nested = inner.flatMap(([field, value]) => (value === undefined ? [] : schemasIn(value as Json, `${path}.${field}`)));
  return [[path, schema], ...nested];
}

const isObject = ({ type }: Json) => type === "object";

describe.each([
  // How OpenAI's strict mode rewrites a schema: objects are closed, all properties required, optional ones nullable.
  [
    "OpenAI's strict mode",
    (schema: Json) => !("additionalProperties" in schema) && (!isObject(schema) || Object.keys(schema["properties"] as Json).length > 0),
  ],
  // Gemini's Schema supports these keywords, and refuses objects without properties, lists without items and empty choices.
  [
    "Gemini",
    (schema: Json) =>
      Object.keys(schema).every((keyword) => ["type", "description", "enum", "items", "properties", "required"].includes(keyword)) &&
      typeof schema["type"] === "string" &&
      (schema["type"] !== "array" || typeof (schema["items"] as Json)?.["type"] === "string") &&
      (!isObject(schema) || Object.keys(schema["properties"] as Json).length > 0) &&
      ((schema["enum"] ?? ["x"]) as unknown[]).every((choice) => typeof choice === "string" && choice !== "") &&
      (schema["enum"] === undefined || schema["type"] === "string"),
  ],
])("every tool's schema is accepted by %s", (_, isTaken) => {
  it.each(tools.map(({ name, inputSchema }) => [name, inputSchema] as const))("%s", async (name, inputSchema) => {
    expect(schemasIn(inputSchema, name).flatMap(([path, schema]) => (isTaken(schema) ? [] : [path]))).toEqual([]);
  });
});
