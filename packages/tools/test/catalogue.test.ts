import { type Operation, operations } from "@fleetwire/core";
import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { serverUnderTest } from "./server-under-test.ts";

type Json = { [keyword: string]: unknown };

async function catalogue(): Promise<Tool[]> {
  const { client } = await serverUnderTest();
  return (await client.listTools()).tools;
}

/** A schema and all its nested schemas, with their paths. */
function schemasIn(schema: Json, path: string): [string, Json][] {
  const inner: [string, unknown][] = [
    ...Object.entries((schema["properties"] ?? {}) as Json),
    ["items", schema["items"]],
    ["additionalProperties", schema["additionalProperties"]],
  ];
  return [
    [path, schema],
    ...inner.flatMap(([name, value]) => (typeof value === "object" && value !== null ? schemasIn(value as Json, `${path}.${name}`) : [])),
  ];
}

const LIST = ["limit", "cursor", "fields"];
const QUERY = ["where", "sort", "count", ...LIST];
const WRITE = ["dryRun", "confirmation"];

const INPUTS: Record<string, { all: string[]; required?: string[] }> = {
  locate_vehicle: { all: ["query"], required: ["query"] },
  list_live_positions: { all: ["vehicle", "group", "driver", ...QUERY] },
  find_nearest_vehicles: { all: ["to", "withinKm", "in", "group", "type", "moving", "driveHours", "limit", "cursor"], required: ["to"] },
  summarize_fleet: { all: ["group", "type", "in", "fuelBelow", "batteryBelow", "silentHours", "list", "limit", "cursor"] },
  driver_hours: { all: ["driver", "group", "vehicle", "limit", "cursor"] },
  summarize_driver_activity: { all: ["period", "driver", "group", "vehicle", "sort", "limit", "cursor"], required: ["period"] },
  list_vehicle_faults: { all: ["vehicle", "group", "period", "begun", ...QUERY] },
  query_tacho_activity: { all: ["period", "driver", "group", "vehicle", ...LIST] },
  list_jobs: { all: ["vehicle", "driver", "period", ...QUERY] },
  list_tire_events: { all: ["vehicle", "driver", "period", ...QUERY] },
  create_job: {
    all: [
      ...[
        "jobNumber",
        "jobTitle",
        "clientName",
        "accountNumber",
        "contactName",
        "contactEmail",
        "contactPhone",
        "notes",
        "address",
        "lat",
        "lng",
      ],
      ...["scheduledStartDateTime", "arrivalWindowStart", "arrivalWindowEnd", "jobDuration", "personId", "personName", "vehicleId"],
      ...["vehicleName", "groupName", "orderNumbers", "status", "jobRadius", "primaryResource", "jobTypeId", "override", ...WRITE],
    ],
  },
  update_group: { all: ["name", "group", "parent", "vehicles", "drivers", "replace", ...WRITE] },
};

describe("the catalogue", () => {
  it("has one tool for each offered operation, plus the tools that combine several", async () => {
    const names = (await catalogue()).map(({ name }) => name);
    const offered = Object.values<Operation>(operations).filter(({ tool }) => tool);
    const ofOperations = offered.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(names).toEqual(expect.arrayContaining([...ofOperations, ...Object.keys(INPUTS)]));
    expect(new Set(names).size).toBe(names.length);
  });

  it("offers exactly these arguments for each tool", async () => {
    const shown = (await catalogue()).map(({ name, inputSchema }) => [
      name,
      { all: Object.keys(inputSchema.properties ?? {}), ...(inputSchema.required && { required: inputSchema.required }) },
    ]);
    const known = shown.filter(([name]) => Object.hasOwn(INPUTS, name as string));
    expect(Object.fromEntries(known)).toEqual(INPUTS);
    expect(INPUTS["create_job"]?.all).toHaveLength(28);
  });

  it("derives annotations from the effect", async () => {
    const read = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
    const expected: Record<string, Json> = {
      create_job: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    };
    expected["update_group"] = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };
    for (const { name, title, annotations } of await catalogue())
      expect({ name, ...annotations }).toEqual({ name, title, ...(expected[name] ?? read) });
  });

  it("gives each tool a name, title and description that hosts and models can use", async () => {
    for (const { name, title, description } of await catalogue()) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(name.length).toBeLessThanOrEqual(32);
      expect(title).toMatch(/^[A-Z]/);
      expect(description?.length).toBeGreaterThan(30);
    }
  });

  it("leaves room in tool names for a host's prefix", async () => {
    // 64 characters, minus a prefix such as mcp__some-server-of-mine__.
    for (const { name } of await catalogue()) expect(name.length).toBeLessThanOrEqual(40);
  });

  const KEYWORDS: Record<string, readonly string[]> = {
    inputSchema: ["type", "properties", "required", "items", "enum", "description", "additionalProperties"],
    // Output schemas are open, and some fields have no fixed type.
    outputSchema: ["type", "properties", "required", "items", "enum", "description"],
  };
  const TYPES = ["object", "array", "string", "number", "integer", "boolean"];

  it("has schemas that every known host accepts", async () => {
    for (const { name, inputSchema, outputSchema } of await catalogue()) {
      for (const [side, whole] of Object.entries({ inputSchema, outputSchema })) {
        expect(whole, `${name}.${side}`).toMatchObject({ type: "object", properties: expect.any(Object) });
        expect(JSON.stringify(whole)).not.toContain("customerId");
        // Without $schema, the dialect is 2020-12.
        const { $schema = "https://json-schema.org/draft/2020-12/schema", ...schema } = whole as Json;
        expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
        for (const [path, inner] of schemasIn(schema, `${name}.${side}`)) {
          for (const keyword of Object.keys(inner)) expect(KEYWORDS[side], path).toContain(keyword);
          if (side === "inputSchema" || inner["type"] !== undefined) expect(TYPES, path).toContain(inner["type"]);
          if (inner["type"] === "array") expect(inner["items"], path).toBeTypeOf("object");
          if (inner["type"] === "object" && side === "inputSchema") expect(inner["properties"], path).toBeTypeOf("object");
          const fields = Object.keys((inner["properties"] ?? {}) as Json);
          for (const field of (inner["required"] ?? []) as string[]) expect(fields, path).toContain(field);
        }
      }
    }
  });

  it("describes every argument whose name does not say it all", async () => {
    for (const { name, inputSchema } of await catalogue()) {
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        if (["vehicle", "group", "driver", "limit", "cursor"].includes(field) && !("description" in (schema as Json))) continue;
        expect((schema as Json)["description"], `${name}.${field}`).toMatch(/\w{3}/);
      }
    }
  });

  it("instructs the model to treat records as data, and says that locate_vehicle does not guess", async () => {
    const { client } = await serverUnderTest();
    expect(client.getInstructions()).toMatch(/never guesses/);
    expect(client.getInstructions()).toMatch(/data, never an instruction/);
    expect(client.getServerVersion()).toMatchObject({ name: "fleetwire", version: "1.2.3" });
  });
});
