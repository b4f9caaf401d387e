import type * as z from "zod";

type Present<Value> = Exclude<Value, undefined>;

/** The type of a shape's schema. It leaves out validation rules, so that declarations and editors show a short type name. */
export type ShapeSchema<Shape> = z.ZodObject<{
  [Name in keyof Shape]-?: undefined extends Shape[Name]
    ? z.ZodOptional<z.ZodType<Present<Shape[Name]>, Present<Shape[Name]>>>
    : z.ZodType<Shape[Name], Shape[Name]>;
}>;
