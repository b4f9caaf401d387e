import { z } from "zod";

/** Converts a response schema to zod 3, for ts-rest and zodios. Keeps unknown fields, as our client does. */
export function olderSchemaOf(schema) {
  const { type, innerType, entries, element, options, shape, check } = schema._zod.def;
  switch (type) {
    case "optional":
      return olderSchemaOf(innerType).nullish();
    case "string":
      return z.string();
    case "number":
      return check === "number_format" ? z.number().int() : z.number();
    case "boolean":
      return z.boolean();
    case "enum":
      return z.enum(Object.values(entries));
    case "array":
      return z.array(olderSchemaOf(element));
    case "union":
      return z.union(options.map(olderSchemaOf));
    case "object":
      return z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, olderSchemaOf(field)]))).passthrough();
    default:
      throw new TypeError(`Cannot convert a schema of type ${type}`);
  }
}
