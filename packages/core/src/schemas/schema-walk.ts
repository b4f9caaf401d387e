import * as z from "zod";

type Schema = z.core.$ZodType;

/** What zod schemas are made of; which parts a schema has depends on its type. */
interface SchemaDefinition {
  type: string;
  /** The format of a number, such as `number_format` for an integer. */
  check?: string;
  /** Of an optional, nullable or default schema: the schema it wraps. */
  innerType?: Schema;
  /** Of a list: the schema of its entries. */
  element?: Schema;
  /** Of an object: the schemas of its fields. */
  shape?: Readonly<Record<string, Schema>>;
  /** Of an enum: its values. */
  entries?: Readonly<Record<string, unknown>>;
  /** Of a union. */
  options?: readonly Schema[];
  /** Of a tuple. */
  items?: readonly Schema[];
  rest?: Schema | null;
  /** Of a map from keys to values. */
  valueType?: Schema;
  /** Of an intersection. */
  left?: Schema;
  right?: Schema;
  /** Of a pipe. */
  in?: Schema;
  out?: Schema;
  /** Of a lazy schema. */
  getter?: () => Schema;
}

/** The parts of a schema: with `isOptional`, all that this repository reads of zod's internals. */
export const definitionOf = (schema: Schema): SchemaDefinition => schema._zod.def as SchemaDefinition;

/** Whether an input may leave out a field of this schema. */
export const isOptional = (schema: Schema): boolean => schema._zod.optin === "optional";

/** Removes the optional, nullable and default wrappers from a schema. */
export function unwrapSchema(schema: Schema): Schema {
  const { innerType } = definitionOf(schema);
  return innerType ? unwrapSchema(innerType) : schema;
}

/** The schemas nested directly in a schema: wrapped, listed, mapped to or combined. Does not include the fields of an object. */
export function nestedSchemas(schema: Schema): Schema[] {
  const { innerType, element, valueType, options = [], items = [], rest, left, right, out, getter } = definitionOf(schema);
  return [innerType, element, valueType, ...options, ...items, rest, left, right, out, getter?.()].flatMap((nested) => nested ?? []);
}

/** Makes every object in an input schema strict, at any depth, so that no unknown field is silently dropped. */
export function strictSchema<Input extends Schema>(schema: Input): Input {
  const { shape, element, innerType } = definitionOf(schema);
  const replaced = shape
    ? { shape: Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strictSchema(field)])), catchall: z.never() }
    : element
      ? { element: strictSchema(element) }
      : innerType && { innerType: strictSchema(innerType) };
  return replaced ? z.clone(schema, { ...definitionOf(schema), ...replaced } as never, { parent: true }) : schema;
}

type Present<Value> = Exclude<Value, undefined>;

/** The type of a shape's schema. It leaves out validation rules, so that declarations and editors show a short type name. */
export type ShapeSchema<Shape> = z.ZodObject<{
  [Name in keyof Shape]-?: undefined extends Shape[Name]
    ? z.ZodOptional<z.ZodType<Present<Shape[Name]>, Present<Shape[Name]>>>
    : z.ZodType<Shape[Name], Shape[Name]>;
}>;
