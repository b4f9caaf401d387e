import { z } from "zod";

/** A response schema of the contract in zod 3, which ts-rest and zodios read; unknown fields stay, as they do with us. */
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
      throw new TypeError(`A schema of type ${type} has no counterpart here`);
  }
}
