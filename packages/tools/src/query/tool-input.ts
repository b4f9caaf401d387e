import { jsonSchemaOf } from "@fleetwire/core";
import * as z from "zod";

type Shape = Readonly<Record<string, z.ZodType>>;

// A model needs a field's name, type, allowed values and description. Other rules are checked when the tool is called, and errors state
// them.
const SHOWN = ["type", "enum", "description"];

type Json = Record<string, unknown>;

/** Some hosts reject lists of types, so only the other type of a nullable field is shown. */
function singleType(type: unknown): unknown {
  const [only, ...others] = Array.isArray(type) ? type.filter((name) => name !== "null") : [type];
  return others.length === 0 ? only : type;
}

function slim({ anyOf, ...schema }: Json): Json {
  // Only the other type of a nullable field is shown: explicit nulls are meant for programs.
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

/**
 * A tool's arguments: validated by zod, shown to a model as a minimal JSON Schema. Unlisted ones are accepted but not shown, to save
 * tokens.
 */
export function toolInput(shape: Shape, unlisted: Shape = {}): { input: z.ZodObject; inputSchema: Record<string, unknown> } {
  return { input: z.strictObject({ ...shape, ...unlisted }), inputSchema: slim(jsonSchemaOf(z.strictObject(shape), { side: "input" })) };
}

/**
 * The types of a record's fields, for an output schema. Other rules are omitted, because records are passed through unchecked. Fields with
 * several types are omitted too: some hosts reject unions, and the schema allows additional fields anyway.
 */
export function fieldTypes(schema: z.ZodObject): Record<string, unknown> {
  const types = Object.entries(schema.shape).map(([name, field]) => [name, typeOnly(jsonSchemaOf(field as z.ZodType))] as const);
  return Object.fromEntries(types.filter(([, type]) => type !== undefined));
}

function typeOnly({ type, items, format }: Record<string, unknown>): Record<string, unknown> | undefined {
  // An int64 arrives as a string of digits if a number would not be exact.
  if (type === undefined || format === "int64") return undefined;
  return type === "array" ? { type, items: typeOnly((items ?? {}) as Record<string, unknown>) ?? {} } : { type };
}

/** The maximum number of rows that a model may request at a time. */
const MAX_LIMIT = 500;

/** Schemas that validate arguments of lists which models may also write otherwise. A text with commas costs fewer tokens than a list. */
export const acceptedRows = { fields: z.union([z.string(), z.array(z.string())]).optional() };

/** The arguments that every list takes. */
export const rowArguments = {
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
  cursor: z.string().min(1).optional(),
  fields: z.string().optional().describe("Comma-separated"),
};

/** The arguments of a list that takes nothing else, so that they need an explanation. */
export const pageArguments = {
  limit: rowArguments.limit.describe("Rows, default 20"),
  cursor: rowArguments.cursor.describe("From the last result"),
};

/** Fields to show: a list, or a text with commas between them. */
export type FieldsAsked = string | readonly string[] | undefined;

/** Returns the different fields that were asked for; undefined if there are none. */
export function fieldList(fields: FieldsAsked): string[] | undefined {
  const names = typeof fields === "string" ? fields.split(/[,;]/).flatMap((field) => field.trim() || []) : fields;
  return names?.length ? [...new Set(names)] : undefined;
}

export const DEFAULT_LIMIT = 20;

/** The arguments that every write tool takes. */
export const writeArguments = {
  dryRun: z.boolean().optional().describe("Preview only, send nothing"),
  confirmation: z.string().min(1).optional().describe("From the preview, once the user agrees"),
};
