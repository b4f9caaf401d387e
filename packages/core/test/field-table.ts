import { jsonSchemaOf } from "../src/index.ts";

type JsonSchema = ReturnType<typeof jsonSchemaOf>;

/** Fields and their kinds, such as `string date-time`, `string[]`, `string A|B`, `Fault[]` or `integer int64 required`. */
export type FieldTable = Record<string, string>;

function kindOf(schema: JsonSchema): string {
  if (typeof schema["$ref"] === "string") return schema["$ref"];
  if (schema["type"] === "array") {
    const [type, ...rest] = kindOf(schema["items"] as JsonSchema).split(" ");
    return [`${type}[]`, ...rest].join(" ");
  }
  const values = (schema["enum"] as string[] | undefined) ?? ("const" in schema ? [schema["const"]] : undefined);
  return [[schema["type"]].flat().join("|"), schema["format"], values?.join("|"), schema["deprecated"] === true && "deprecated"]
    .filter(Boolean)
    .join(" ");
}

/** The fields of a schema, in the notation that the tests use for the interface. */
export function fieldTable(schema: Parameters<typeof jsonSchemaOf>[0]): FieldTable {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, { refer: (name) => name }) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, kindOf(field) + (required.includes(name) ? " required" : "")]),
  );
}

/** Several fields of one kind. */
export const all = (kind: string, names: string): FieldTable =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, kind]),
  );
