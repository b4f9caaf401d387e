import type * as z from "zod";

/** Removes the optional, nullable and default wrappers from a schema. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType ? unwrapSchema(innerType) : schema;
}
