import { type Operation, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { catalogue, toolsets } from "../src/index.ts";

type Json = { [keyword: string]: unknown };

/** A schema and all its nested schemas, with their paths. */
function schemasIn(schema: Json, path: string): [string, Json][] {
  const inner = { ...(schema["properties"] as Json | undefined), items: schema["items"], additional: schema["additionalProperties"] };
  return [
    [path, schema],
    ...Object.entries(inner).flatMap(([name, value]) =>
      typeof value === "object" && value !== null ? schemasIn(value as Json, `${path}.${name}`) : [],
    ),
  ];
}

const fieldsOf = (schema: Json) => Object.keys((schema["properties"] ?? {}) as Json);

describe("the catalogue", () => {
  // The arguments themselves are in packages/mcp-server/snapshots/tools.
  it("has one tool for each offered operation, none of which takes the customer", () => {
    const names = catalogue.map(({ name }) => name);
    const offered = Object.values<Operation>(operations).filter(({ tool }) => tool);
    const ofOperations = offered.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(names).toEqual(expect.arrayContaining([...ofOperations, "locate_vehicle", "driver_hours", "watch_fleet"]));
    expect(new Set(names).size).toBe(names.length);
    expect(offered.map(({ tool }, at) => toolsets[tool?.toolset ?? ""]?.includes(ofOperations[at] as string))).not.toContain(false);
    for (const { inputJsonSchema, outputJsonSchema } of catalogue)
      expect(JSON.stringify([inputJsonSchema, outputJsonSchema])).not.toContain("customerId");
  });

  it("gives each tool a name with room for a host's prefix, a title and a description", () => {
    for (const { name, title, description } of catalogue) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(name.length).toBeLessThanOrEqual(32);
      expect(title).toMatch(/^[A-Z]/);
      expect(description.length).toBeGreaterThan(30);
    }
  });

  it("describes every argument whose name does not say it all", () => {
    const bare = catalogue.flatMap(({ name, inputJsonSchema }) =>
      schemasIn(inputJsonSchema, name)
        .slice(1)
        .flatMap(([path, { description }]) => (/\w{3}/.test(String(description ?? "")) ? [] : [path])),
    );
    expect(
      bare.filter((path) => !/\.(vehicle|group|driver|limit|cursor|items)$|^watch_fleet\.(when|endRule|confirmation)$/.test(path)),
    ).toEqual([]);
  });
});

const isObject = ({ type }: Json) => type === "object";
const hasFields = (schema: Json) => !isObject(schema) || fieldsOf(schema).length > 0;
const KEYWORDS = ["type", "description", "enum", "items", "properties", "required"];

it.each<[string, (schema: Json) => boolean]>([
  [
    "hosts that read JSON Schema",
    ({ type, items, properties, required = [], ...more }) => {
      const isTyped = ["object", "array", "string", "number", "integer", "boolean"].includes(String(type));
      const isWhole = (type !== "array" || items !== undefined) && (type !== "object" || properties !== undefined);
      const hasRequired = (required as string[]).every((field) => Object.hasOwn(properties ?? {}, field));
      return (
        isTyped && isWhole && hasRequired && Object.keys(more).every((keyword) => [...KEYWORDS, "additionalProperties"].includes(keyword))
      );
    },
  ],
  // How OpenAI's strict mode rewrites a schema: objects are closed, all properties required, optional ones nullable.
  ["OpenAI's strict mode", (schema) => !("additionalProperties" in schema) && hasFields(schema)],
  // Gemini's Schema supports these keywords, and refuses objects without properties, lists without items and empty choices.
  [
    "Gemini",
    (schema) => {
      const { type, items, enum: choices } = schema as { type?: string; items?: Json; enum?: unknown[] };
      const hasChoices = !choices || (type === "string" && choices.every((choice) => typeof choice === "string" && choice !== ""));
      const isListed = type !== "array" || typeof items?.["type"] === "string";
      return (
        Object.keys(schema).every((keyword) => KEYWORDS.includes(keyword)) &&
        type !== undefined &&
        isListed &&
        hasFields(schema) &&
        hasChoices
      );
    },
  ],
])("every tool's arguments are accepted by %s", (_, isTaken) => {
  const schemas = catalogue.flatMap(({ name, inputJsonSchema }) => schemasIn(inputJsonSchema, name));
  expect(schemas.filter(([, schema]) => !isTaken(schema)).map(([path]) => path)).toEqual([]);
});

it("every tool's output schema is open and plain", () => {
  for (const { name, effect, outputJsonSchema } of catalogue) {
    const { $schema: _, ...schema } = outputJsonSchema;
    expect(schema).toMatchObject({ type: "object", properties: effect === "read" ? { readSecondsAgo: { type: "integer" } } : {} });
    for (const [path, inner] of schemasIn(schema, name))
      for (const keyword of Object.keys(inner)) expect(KEYWORDS, path).toContain(keyword);
  }
});
