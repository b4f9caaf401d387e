import type * as z from "zod";

type Present<Value> = Exclude<Value, undefined>;

/** The schema of a shape. It names the fields and no more, so that declarations and editors show the shape's name in place of every rule. */
export type ShapeSchema<Shape> = z.ZodObject<{
  [Name in keyof Shape]-?: undefined extends Shape[Name]
    ? z.ZodOptional<z.ZodType<Present<Shape[Name]>, Present<Shape[Name]>>>
    : z.ZodType<Shape[Name], Shape[Name]>;
}>;
