import { jsonSchemaOf } from "@fleetwire/core";
import * as z from "zod";

type Shape = Readonly<Record<string, z.ZodType>>;

// A model needs a field's name, type, choices and description; the finer rules are checked when it calls, and named when they are broken.
const SHOWN = ["type", "enum", "description"];

type Json = Record<string, unknown>;

/** Some hosts take no list of types: of what may also be null the other type is shown. */
function singleType(type: unknown): unknown {
  const [only, ...others] = Array.isArray(type) ? type.filter((name) => name !== "null") : [type];
  return others.length === 0 ? only : type;
}

function slim({ anyOf, ...schema }: Json): Json {
  // Of what may be null the other type is shown; to give null on purpose is for programs.
  const [only, ...others] = ((anyOf ?? []) as Json[]).filter(({ type }) => type !== "null");
  const { items, properties, required, ...rest }: Json = only && others.length === 0 ? { ...only, ...schema } : schema;
  const { description: _, ...item } = items === undefined ? {} : slim(items as Json);
  const type = singleType(rest["type"]);
  const text: Json = { ...rest, type };
  return {
    ...Object.fromEntries(SHOWN.flatMap((keyword) => (text[keyword] === undefined ? [] : [[keyword, text[keyword]]]))),
    ...(items !== undefined && { items: item }),
    ...(type === "object" && {
      properties: Object.fromEntries(
        Object.entries((properties ?? {}) as Record<string, Json>).map(([name, inner]) => [name, slim(inner)]),
      ),
    }),
    ...(required !== undefined && { required }),
  };
}

/** The arguments of a tool: checked by zod, shown to a model as a lean JSON Schema; what is unlisted is taken and costs a model nothing. */
export function toolInput(shape: Shape, unlisted: Shape = {}): { input: z.ZodObject; inputSchema: Record<string, unknown> } {
  const shown = slim(jsonSchemaOf(z.strictObject(shape), { side: "input" }) as Json);
  return { input: z.strictObject({ ...shape, ...unlisted }), inputSchema: { type: "object", properties: {}, ...shown } };
}

/**
 * The types of a record's fields, for an output schema: no rules, since records are passed on as they are. A field of no single type is left out: to state
 * it takes a union, which some hosts refuse, and the schema is open.
 */
export function fieldTypes(schema: z.ZodObject): Record<string, unknown> {
  const types = Object.entries(schema.shape).map(([name, field]) => [name, typeOnly(jsonSchemaOf(field as z.ZodType))] as const);
  return Object.fromEntries(types.filter(([, type]) => type !== undefined));
}

function typeOnly({ type, items, format }: Record<string, unknown>): Record<string, unknown> | undefined {
  // Digits in a string where a number would not be exact.
  if (type === undefined || format === "int64") return undefined;
  return type === "array" ? { type, items: typeOnly((items ?? {}) as Record<string, unknown>) ?? {} } : { type };
}

/** Rows that a model may ask for at a time. */
export const MAX_LIMIT = 500;

/** The arguments that every list has. */
export const listArguments = {
  limit: z.int().min(1).max(MAX_LIMIT).optional().describe("Rows, default 20"),
  cursor: z.string().min(1).optional().describe("From the last answer"),
  fields: z.array(z.string()).optional().describe("Fields to show"),
};

export const DEFAULT_LIMIT = 20;

export interface ListArguments {
  limit?: number;
  cursor?: string;
  fields?: string[];
}

/** The arguments that every write has. */
export const writeArguments = {
  dryRun: z.boolean().optional().describe("Check and show, send nothing"),
  confirmation: z.string().min(1).optional().describe("From the preview, once the user agreed"),
};
