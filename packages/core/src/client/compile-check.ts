import * as z from "zod";
import { FleetError } from "../errors.ts";
import { metadataOf } from "../schemas/field-metadata.ts";
import { definitionOf, nestedSchemas } from "../schemas/schema-walk.ts";

/** A compiled schema. All checks have the same properties in the same order, so that the engine can optimize access to them. */
export interface Check {
  path: string;
  kind: "string" | "number" | "boolean" | "enum" | "array" | "object" | "integer" | "int64" | "other";
  /** Name of the field, if the value is a field of an object. */
  name: string;
  required: boolean;
  /** Replaces a value of the wrong type; undefined removes it. */
  fallback: unknown;
  /** For an enum: its documented values. */
  values: ReadonlySet<unknown>;
  /** For an array: the check of its entries. */
  item: Check | undefined;
  /** For an object: the checks of its fields, in schema order. */
  fields: readonly Check[];
  index: ReadonlyMap<string, number>;
  requiredFields: readonly Check[];
  /** For any other schema, such as a record or a literal: whether zod accepts a value. */
  accepts: ((value: unknown) => boolean) | undefined;
}

const isInt64 = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.["format"] === "int64";

function acceptedBy(schema: z.core.$ZodType): (value: unknown) => boolean {
  return (value) => {
    try {
      return z.safeParse(schema, value, { jitless: true }).success;
    } catch {
      // A custom rule threw, or is async.
      return false;
    }
  };
}

function rejectOutput(path: string, type: string): never {
  throw new FleetError("config", `defineOperation: the output must describe the response as sent, but ${path} changes it (${type})`, {
    advice: "Use a schema of the response as sent, and transform the result afterwards",
  });
}

// A recursive schema has no end.
const MAX_DEPTH = 5;

/** The value that counts as private where a flag of private journeys is unreadable; undefined for any other field. */
function guardIn(schema: z.core.$ZodType, depth = MAX_DEPTH): boolean | undefined {
  const guard = metadataOf(schema)?.guard;
  if (guard !== undefined || depth === 0) return guard;
  return nestedSchemas(schema).reduce<boolean | undefined>((found, nested) => found ?? guardIn(nested, depth - 1), undefined);
}

/** Compiles a schema; `whole` is the schema including its optional or nullable wrappers. */
function compile(
  schema: z.core.$ZodType,
  path: string,
  name: string,
  required: boolean,
  around: readonly z.core.$ZodType[] = [],
  whole = schema,
): Check {
  const { type, check: format, innerType, element, shape = {}, entries = {} } = definitionOf(schema);
  const fallback = guardIn(whole);
  const check = (
    kind: Check["kind"],
    { values = new Set(), item, fields = [], index = new Map(), requiredFields = [], accepts }: Partial<Check> = {},
  ): Check => ({ path, kind, name, required, fallback, values, item, fields, index, requiredFields, accepts });
  switch (type) {
    case "optional":
    case "nullable":
      return compile(innerType as z.core.$ZodType, path, name, false, around, whole);
    case "string":
      return check("string");
    case "number":
      return check(format === "number_format" ? "integer" : "number");
    case "boolean":
      return check("boolean");
    case "enum":
      return check("enum", { values: new Set(Object.values(entries)) });
    case "array":
      return check("array", { item: compile(element as z.core.$ZodType, `${path}[*]`, name, true, around) });
    case "object": {
      // A recursive schema cannot be compiled.
      if (around.includes(schema)) return check("other", { accepts: acceptedBy(schema) });
      const fields = Object.entries(shape).map(([field, inner]) => compile(inner, `${path}.${field}`, field, true, [...around, schema]));
      const index = new Map(fields.map((field, at) => [field.name, at]));
      return check("object", { fields, index, requiredFields: fields.filter((field) => field.required) });
    }
    case "pipe":
    case "transform":
    case "default":
    case "prefault":
    case "catch":
      return rejectOutput(path, type);
    default:
      return isInt64(schema) ? check("int64") : check("other", { accepts: acceptedBy(schema) });
  }
}

const compiled = new WeakMap<z.core.$ZodType, Check>();

/** The compiled check of a response schema, cached. It reads each record once, which is much faster than parsing with zod. */
export function checkOf(schema: z.core.$ZodType): Check {
  let check = compiled.get(schema);
  if (!check) {
    check = compile(schema, "$", "", true);
    compiled.set(schema, check);
  }
  return check;
}
