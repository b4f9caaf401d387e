import { isRecord } from "@fleetwire/core/internal";
import { expect, it } from "vitest";
import { serverUnderTest } from "./server-under-test.ts";

// Hosts map the tools' schemas onto what their model's API takes, and drop or refuse what it has no word for.

/** Members whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** Members that say nothing about the value. */
const SILENT = "title description default examples deprecated readOnly writeOnly $comment $schema $id $defs".split(" ");

function subschemas(schema: Record<string, unknown>): [path: string, schema: unknown][] {
  const inside = (name: string) => Object.entries(schema[name] ?? {}).map(([key, value]): [string, unknown] => [`${name}.${key}`, value]);
  const one = ONE.filter((name) => name in schema && !(name === "additionalProperties" && typeof schema[name] === "boolean"));
  return [...one.map((name): [string, unknown] => [name, schema[name]]), ...[...LISTS, ...NAMED].flatMap(inside)];
}

/** What a host may be unable to express, by its path. */
function problemsOf(schema: unknown, path = ""): string[] {
  if (!isRecord(schema)) return [`${path}: any value, or none`];
  const { type, $ref } = schema;
  return [
    ...(Array.isArray(type) ? [`${path}: a union of types`] : []),
    ...(typeof $ref === "string" && !$ref.startsWith("#") ? [`${path}: a reference to elsewhere`] : []),
    ...(Object.keys(schema).every((name) => SILENT.includes(name)) ? [`${path}: any value`] : []),
    ...subschemas(schema).flatMap(([at, inner]) => problemsOf(inner, `${path}/${at}`)),
  ];
}

it("the tools' schemas have a single type for each value, and no reference to elsewhere", async () => {
  const { client } = await serverUnderTest();
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(7);
  for (const { name, inputSchema, outputSchema } of tools) {
    expect([name, problemsOf(inputSchema), problemsOf(outputSchema)]).toEqual([name, [], []]);
  }
});
