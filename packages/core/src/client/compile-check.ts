import type * as z from "zod";
import { standIns } from "../schemas/scalars.ts";
import type { Site } from "./drift.ts";

/** What a value must be, as a table. Every table has the same members in the same order, which lets the runtime read all of them alike. */
export interface Check extends Site {
  kind: "string" | "number" | "boolean" | "enum" | "array" | "object" | "integer" | "int64" | "anything";
  /** Its name as a field of an object. */
  name: string;
  required: boolean;
  /** What counts where the value cannot be read; undefined removes it. */
  standIn: unknown;
  /** Of an enum. */
  values: ReadonlySet<unknown>;
  /** Of an array. */
  item: Check | undefined;
  /** Of an object, in the order of the schema. */
  fields: readonly Check[];
  index: ReadonlyMap<string, number>;
  requiredFields: readonly Check[];
}

// biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of some forty shapes, of which the cases below read what is theirs
const definitionOf = (schema: z.core.$ZodType): any => schema._zod.def;

const NONE: Omit<Check, "kind" | "path" | "name" | "required"> = {
  standIn: undefined,
  values: new Set(),
  item: undefined,
  fields: [],
  index: new Map(),
  requiredFields: [],
};

function compile(schema: z.core.$ZodType, path: string, name: string, required: boolean): Check {
  const definition = definitionOf(schema);
  const check = (kind: Check["kind"], more: Partial<Check> = {}): Check => {
    const { standIn, values, item, fields, index, requiredFields } = { ...NONE, standIn: standIns.get(schema)?.value, ...more };
    return { path, kind, name, required, standIn, values, item, fields, index, requiredFields };
  };
  switch (definition.type) {
    case "optional":
      return compile(definition.innerType, path, name, false);
    case "string":
      return check("string");
    case "number":
      return check(definition.check === "number_format" ? "integer" : "number");
    case "boolean":
      return check("boolean");
    case "enum":
      return check("enum", { values: new Set(Object.values(definition.entries)) });
    case "union":
      return check("int64");
    case "unknown":
      return check("anything");
    case "array":
      return check("array", { item: compile(definition.element, `${path}[*]`, "", true) });
    case "object": {
      const shape = Object.entries(definition.shape as Record<string, z.core.$ZodType>);
      const fields = shape.map(([field, inner]) => compile(inner, `${path}.${field}`, field, true));
      const index = new Map(fields.map((field, at) => [field.name, at]));
      return check("object", { fields, index, requiredFields: fields.filter((field) => field.required) });
    }
    default:
      throw new TypeError(`A response schema at ${path} is of type ${definition.type}, which responses do not use`);
  }
}

const compiled = new WeakMap<z.core.$ZodType, Check>();

/** The table of a response schema, made at first use, so that records are checked in one walk each instead of field by field. */
export function checkOf(schema: z.core.$ZodType): Check {
  const known = compiled.get(schema);
  if (known) return known;
  const check = compile(schema, "$", "", true);
  compiled.set(schema, check);
  return check;
}
