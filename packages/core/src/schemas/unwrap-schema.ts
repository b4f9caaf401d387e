import type * as z from "zod";

/** A schema without what makes it optional, nullable or defaulted. */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType ? unwrapSchema(innerType) : schema;
}
