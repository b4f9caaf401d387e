import type { Operation } from "@fleetwire/core";
import * as core from "@fleetwire/core";
import * as z from "zod";
import type { TableRow } from "../src/table/contract-table.ts";

type Json = Record<string, unknown>;

/** A drafted row, marked until someone has compared it with the description and removes the mark. */
export type DraftRow = TableRow & { reviewed: false };

interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

/** Unwraps optional and nullable schemas. */
const unwrapped = (schema: z.ZodType): z.ZodType => {
  const { innerType } = definitionOf(schema);
  return innerType ? unwrapped(innerType) : schema;
};

const shapeNames = new Map(
  Object.entries(core).flatMap(([name, value]) => (value instanceof z.ZodObject ? [[value as unknown, name]] : [])),
);

function shapeName(schema: z.ZodType): string {
  const { type, shape = {} } = definitionOf(schema);
  const name = shapeNames.get(schema) ?? z.globalRegistry.get(schema)?.id;
  if (typeof name !== "string")
    throw new Error(`the ${type} with ${Object.keys(shape).join(", ")} has no name: export it from packages/core/src/index.ts`);
  return name;
}

const RULES = ["minLength", "maxLength", "maxItems"] as const;

/** A type in the table's notation: taken from the JSON Schema, or the name of a shape. */
function typeOf(schema: z.ZodType): Json {
  const inner = unwrapped(schema);
  const { type, element } = definitionOf(inner);
  if (type === "object") return { type: shapeName(inner) };
  const json = core.jsonSchemaOf(schema) as Json;
  const name = type === "array" ? "array" : String((json["anyOf"] as Json[] | undefined)?.[0]?.["type"] ?? json["type"]);
  return {
    type: name,
    ...(element && { items: typeOf(element)["type"] }),
    ...(json["format"] !== undefined && { format: json["format"] }),
    ...(json["readOnly"] === true && { readOnly: true }),
    ...(json["deprecated"] === true && { deprecated: true }),
    ...Object.fromEntries(RULES.flatMap((rule) => (json[rule] === undefined ? [] : [[rule, json[rule]]]))),
  };
}

const isOptional = (schema: z.ZodType) => schema._zod.optin === "optional";

function enumRows(owner: Json, name: string, schema: z.ZodType): Json[] {
  const json = core.jsonSchemaOf(schema) as { enum?: unknown[]; items?: { enum?: unknown[] } };
  return (json.enum ?? json.items?.enum ?? []).map((value) => ({ ...owner, kind: "enum", name, value }));
}

/** The rows of a shape and its nested shapes, without duplicates. */
function shapeRows(schema: z.ZodType, known: Set<string>): Json[] {
  const inner = unwrapped(schema);
  const { element, shape } = definitionOf(inner);
  if (element) return shapeRows(element, known);
  if (!shape || known.has(shapeName(inner))) return [];
  const owner = { shape: shapeName(inner) };
  known.add(owner.shape);
  const fieldRows = Object.entries(shape).flatMap(([name, field]) => [
    { ...owner, kind: "field", name, ...typeOf(field), ...(!isOptional(field) && { required: true }) },
    ...enumRows(owner, name, field),
  ]);
  return [...fieldRows, ...Object.values(shape).flatMap((field) => shapeRows(field, known))];
}

const TIME_EXAMPLES: readonly [form: string, example: string][] = [
  ["YYYY-MM-DDThh:mm:ss", "2026-11-20T08:30:59"],
  ["YYYY-MM-DDTHH:mmZ", "2026-11-20T08:30Z"],
];

/** The zone of a time in a request, and its format if the schema fixes one. */
function timeOf(schema: z.ZodType): Json {
  if (definitionOf(unwrapped(schema)).type !== "pipe") return {};
  const forms = TIME_EXAMPLES.filter(([, example]) => schema.safeParse(example).data === example).map(([form]) => form);
  return { format: "date-time", zone: "UTC", ...(forms.length > 0 && { written: forms }) };
}

const isAlphanumeric = (schema: z.ZodType) => {
  const accepts = (text: string) => schema.safeParse(text).success || schema.safeParse([text]).success;
  return accepts("a1") && !accepts("a/b");
};

function requestRows({ name: operation, params = {}, query, body = {} }: Operation): Json[] {
  const rows = (kind: string, fields: Readonly<Record<string, z.ZodType>>) =>
    Object.entries(fields).flatMap(([name, field]) => [
      {
        operation,
        kind,
        name,
        ...typeOf(field),
        required: !isOptional(field),
        ...timeOf(field),
        ...(isAlphanumeric(field) && { form: "alphanumeric" }),
      },
      ...enumRows({ operation }, name, field),
    ]);
  return [...rows("pathParameter", params), ...rows("query", query), ...rows("body", body)];
}

/** Rows for an operation missing from the table, except for existing shapes. They state what core says, to be compared with the description. */
export function draftRows(operation: Operation, stated: Iterable<string> = []): DraftRow[] {
  const { name, source, method, path, servers, auth, output, contentType, undocumented } = operation;
  const part = source.replace(/^interface /, "");
  const owner = { operation: name };
  const { type, element } = definitionOf(unwrapped(output));
  const response = type === "array" && element ? { type: "array", items: typeOf(element)["type"] } : typeOf(output);
  const rows: Json[] = [
    ...(undocumented ? [] : shapeRows(output, new Set(stated))),
    { ...owner, kind: "request", method, server: servers[0], path },
    ...servers.slice(1).map((server) => ({ ...owner, kind: "request", method, server, path, alternative: true })),
    ...auth.map((scheme) => ({ ...owner, kind: "auth", scheme })),
    ...(path.includes("{customerId}") ? [{ ...owner, kind: "pathParameter", name: "customerId", type: "string", required: true }] : []),
    ...(undocumented ? [] : requestRows(operation)),
    ...(contentType === undefined ? [] : [{ ...owner, kind: "requestBody", contentType }]),
    undocumented ? { ...owner, kind: "unknown", name: "responses" } : { ...owner, kind: "status", status: 200, ...response },
    { ...owner, kind: "unknown", name: "errors", note: "error responses are not shown" },
    ...[...path.matchAll(/\/(v\d+)\//g)].map(([, value]) => ({ ...owner, kind: "version", value })),
  ];
  return rows.map((row) => ({ part, ...row, reviewed: false }) as DraftRow);
}
