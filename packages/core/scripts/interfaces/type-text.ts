import * as z from "zod";
import * as core from "../../src/index.ts";

/** Inputs accept Dates and only documented enum values; outputs may contain undocumented values. */
export type Side = "input" | "output";

export interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  entries?: Record<string, string>;
  values?: readonly unknown[];
  checks?: readonly z.core.$ZodCheck[];
}

export const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as Definition;

/** The shapes that interfaces refer to, by export name. */
export const shapes = new Map<string, z.ZodObject>(
  Object.entries(core)
    .flatMap(([name, value]): [string, z.ZodObject][] => (value instanceof z.ZodObject ? [[name, value]] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** A schema and the schemas it was cloned from, nearest first. */
export function* lineage(schema: z.core.$ZodType): Generator<z.core.$ZodType> {
  for (let current: z.core.$ZodType | undefined = schema; current; current = current._zod.parent) yield current;
}

function nameOf(schema: z.core.$ZodType): string {
  for (const ancestor of lineage(schema)) for (const [name, shape] of shapes) if (shape === (ancestor as unknown)) return name;
  const { type, shape } = schema._zod.def as Definition & { shape?: object };
  const called =
    z.globalRegistry.get(schema)?.id ?? `the ${type} schema${shape ? ` with ${Object.keys(shape).slice(0, 4).join(", ")}` : ""}`;
  throw new TypeError(`${called} has no name for interfaces to refer to: export it from packages/core/src/index.ts`);
}

const quoted = (values: Iterable<unknown>) => Array.from(values, (value) => JSON.stringify(value));

/** Returns a schema's type as TypeScript source. */
export function typeText(schema: z.core.$ZodType, side: Side): string {
  const definition = definitionOf(schema);
  const inner = (nested: z.core.$ZodType | undefined) => {
    if (!nested) throw new TypeError(`A schema of type ${definition.type} has no inner schema`);
    return typeText(nested, side);
  };
  switch (definition.type) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
      return definition.type;
    case "date":
      return "Date";
    case "literal":
      return quoted(definition.values ?? []).join(" | ");
    case "enum":
      return [...quoted(Object.values(definition.entries ?? {})), ...(side === "output" ? ["(string & {})"] : [])].join(" | ");
    case "union":
      return (definition.options ?? []).map(inner).join(" | ");
    case "optional":
    case "default":
      return `${inner(definition.innerType)} | undefined`;
    case "nullable":
      return `${inner(definition.innerType)} | null`;
    case "array": {
      const item = inner(definition.element);
      return `${side === "input" ? "readonly " : ""}${item.includes(" | ") ? `(${item})[]` : `${item}[]`}`;
    }
    case "record":
      return `Record<string, ${inner(definition.valueType)}>`;
    case "pipe":
      return inner(definition.in);
    default:
      return nameOf(schema);
  }
}

/** The names of all shapes in a schema, at any depth. */
export function shapesWithin(schema: z.core.$ZodType): string[] {
  const { innerType, element, type } = definitionOf(schema);
  const nested = [innerType, element].flatMap((inner) => (inner ? shapesWithin(inner) : []));
  if (type !== "object") return nested;
  return [nameOf(schema), ...Object.values((schema as z.ZodObject).shape).flatMap(shapesWithin)];
}
