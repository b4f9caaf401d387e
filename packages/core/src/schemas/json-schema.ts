import * as z from "zod";
import { definitionOf } from "./schema-walk.ts";

/** A JSON Schema as plain data (2020-12). */
export type JsonSchema = { [keyword: string]: unknown };

/** Options for {@link jsonSchemaOf}. */
export interface JsonSchemaOptions {
  /** `input` describes what a caller may pass, with date-times in any format; `wire` describes what is sent. Default: `wire`. */
  side?: "input" | "wire";
  /** Returns the `$ref` of a named shape. Without it, shapes are inlined. */
  refer?: (name: string) => string;
}

function replace(target: JsonSchema, content: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, content);
}

/** Derives the JSON Schema (2020-12) of a schema. For `wire`, objects allow additional properties, because a response may contain undocumented fields. */
export function jsonSchemaOf(schema: z.ZodType, { side, refer }: JsonSchemaOptions = {}): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: side === "input" ? "input" : "output",
    unrepresentable: "any",
    // With its global registry, zod would move named schemas to $defs. With an empty registry, references are left to `refer`.
    metadata: z.registry(),
    override: ({ zodSchema, jsonSchema }) => {
      const target = jsonSchema as JsonSchema;
      const { id, ...meta } = (z.globalRegistry.get(zodSchema) ?? {}) as JsonSchema;
      const { type, options = [] } = definitionOf(zodSchema);
      // These unions have a single type in JSON: a date-time that may also be a Date, and an integer that may be returned as a string.
      if (options.some((option) => definitionOf(option).type === "date")) replace(target, { type: "string" });
      if (type === "union" && meta["format"] === "int64") replace(target, { type: "integer" });
      // zod limits integers to the safe range; the interface does not.
      if (target["maximum"] === Number.MAX_SAFE_INTEGER) delete target["maximum"];
      if (target["minimum"] === Number.MIN_SAFE_INTEGER) delete target["minimum"];
      if (type === "object") delete target["additionalProperties"];
      if (type === "object" && side === "input") target["additionalProperties"] = false;
      Object.assign(target, meta);
      if (typeof id === "string" && refer && (zodSchema as unknown) !== schema) {
        replace(target, { $ref: refer(id), description: meta["description"] });
      }
    },
  }) as JsonSchema;
  return json;
}
