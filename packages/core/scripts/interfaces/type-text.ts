import * as z from "zod";
import * as core from "../../src/index.ts";

/** Inputs take Dates and hold closed enums; answers may hold values that are not documented. */
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

/** Every shape that an interface refers to is a public export, whose name it bears. */
export const shapes = new Map<string, z.ZodObject>(
  Object.entries(core)
    .flatMap(([name, value]): [string, z.ZodObject][] => (value instanceof z.ZodObject ? [[name, value]] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** A schema and those that it was cloned from, the nearest first. */
export function* lineage(schema: z.core.$ZodType): Generator<z.core.$ZodType> {
  for (let current: z.core.$ZodType | undefined = schema; current; current = current._zod.parent) yield current;
}

function nameOf(schema: z.core.$ZodType): string {
  for (const ancestor of lineage(schema)) for (const [name, shape] of shapes) if (shape === (ancestor as unknown)) return name;
  const { type, shape } = schema._zod.def as Definition & { shape?: object };
  const called =
    z.globalRegistry.get(schema)?.id ?? `the ${type} schema${shape ? ` with ${Object.keys(shape).slice(0, 4).join(", ")}` : ""}`;
  throw new TypeError(`${called} has no name that interfaces could refer to: export it from packages/core/src/index.ts`);
}

const quoted = (values: Iterable<unknown>) => Array.from(values, (value) => JSON.stringify(value));

/** A schema's type as TypeScript writes it. */
export function typeText(schema: z.core.$ZodType, side: Side): string {
  const definition = definitionOf(schema);
  const inner = (nested: z.core.$ZodType | undefined) => {
    if (!nested) throw new TypeError(`A schema of type ${definition.type} lacks what it is made of`);
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
      return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    }
    case "record":
      return `Record<string, ${inner(definition.valueType)}>`;
    case "pipe":
      return inner(definition.in);
    default:
      return nameOf(schema);
  }
}

/** The names of the shapes within a schema, as deep as they go. */
export function shapesWithin(schema: z.core.$ZodType): string[] {
  const { innerType, element, type } = definitionOf(schema);
  const nested = [innerType, element].flatMap((inner) => (inner ? shapesWithin(inner) : []));
  if (type !== "object") return nested;
  return [nameOf(schema), ...Object.values((schema as z.ZodObject).shape).flatMap(shapesWithin)];
}
