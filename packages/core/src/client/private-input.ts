import type * as z from "zod";
import type { Operation } from "../operation.ts";
import { factsOf } from "../schemas/field-facts.ts";

type Leaf = string | number;

/** The texts and numbers in a value, however deep. */
function leavesIn(value: unknown): Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [];
}

// Where a schema does not say what a field holds, a text may be anything, while a number alone tells of nobody.
const freeTexts = (value: unknown): Leaf[] => leavesIn(value).filter((leaf) => typeof leaf === "string");

interface Inside {
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Readonly<Record<string, z.core.$ZodType>>;
}

function privateLeaves(schema: z.core.$ZodType, value: unknown): Leaf[] {
  const facts = factsOf(schema);
  if (facts) return facts.confidential ? leavesIn(value) : [];
  const { innerType, element, shape } = schema._zod.def as Inside;
  if (innerType) return privateLeaves(innerType, value);
  if (element && Array.isArray(value)) return value.flatMap((item) => privateLeaves(element, item));
  if (shape && typeof value === "object" && value !== null) return privateFields(shape, value as Record<string, unknown>);
  return freeTexts(value);
}

const privateFields = (shape: Readonly<Record<string, z.core.$ZodType>>, values: Readonly<Record<string, unknown>>): Leaf[] =>
  Object.entries(values).flatMap(([name, value]) => (shape[name] ? privateLeaves(shape[name], value) : freeTexts(value)));

/** What errors must not repeat of an input: what is confidential in it, and texts that do not say what they hold. */
export const privateInput = ({ params, query, body }: Operation, input: Readonly<Record<string, unknown>>): string[] =>
  privateFields({ ...params, ...query, ...body }, input).map(String);
