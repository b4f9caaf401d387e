import * as z from "zod";

/** A JSON Schema as plain data (2020-12). */
export type JsonSchema = { [keyword: string]: unknown };

/** What a JSON Schema is to describe. */
export interface JsonSchemaOptions {
  /** `input`: what a caller may pass, instants in any form; `wire` (default): what goes over the network. */
  side?: "input" | "wire";
  /** Gives the reference that stands for a named shape; without it every shape is written out where it is used. */
  refer?: (name: string) => string;
}

interface Definition {
  type: string;
  options?: readonly z.core.$ZodType[];
}

function replace(target: JsonSchema, content: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, content);
}

/** The JSON Schema (2020-12) of a schema. On the wire objects are open, for an answer may hold more than is documented. */
export function jsonSchemaOf(schema: z.ZodType, { side = "wire", refer }: JsonSchemaOptions = {}): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: side === "input" ? "input" : "output",
    unrepresentable: "any",
    // zod would give each named schema a place in $defs; an empty registry leaves naming to `refer`.
    metadata: z.registry(),
    override: ({ zodSchema, jsonSchema }) => {
      const target = jsonSchema as JsonSchema;
      const { id, ...meta } = (z.globalRegistry.get(zodSchema) ?? {}) as JsonSchema;
      const { type, options = [] } = zodSchema._zod.def as Definition;
      // In JSON each of these is of one type: an instant that may be given as a Date, and an integer that may come back as digits.
      if (options.some((option) => (option._zod.def as Definition).type === "date")) replace(target, { type: "string" });
      if (type === "union" && meta["format"] === "int64") replace(target, { type: "integer" });
      // zod bounds every integer by what a number can hold exactly, which no interface says.
      if (target["maximum"] === Number.MAX_SAFE_INTEGER) delete target["maximum"];
      if (target["minimum"] === Number.MIN_SAFE_INTEGER) delete target["minimum"];
      if (type === "object") delete target["additionalProperties"];
      if (type === "object" && side === "input") target["additionalProperties"] = false;
      Object.assign(target, meta);
      for (const key of Object.keys(target)) if (target[key] === undefined) delete target[key];
      if (typeof id === "string" && refer && (zodSchema as unknown) !== schema) {
        replace(target, { $ref: refer(id), ...(meta["description"] !== undefined && { description: meta["description"] }) });
      }
    },
  }) as JsonSchema;
  return json;
}
