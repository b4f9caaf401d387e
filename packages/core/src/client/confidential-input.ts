import type * as z from "zod";
import { isRecord } from "../is-record.ts";
import type { Operation } from "../operation.ts";
import { requestFields } from "../request-fields.ts";
import { metadataOf } from "../schemas/field-metadata.ts";

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

function privateLeaves(schema: z.core.$ZodType | undefined, value: unknown): Leaf[] {
  if (!schema) return freeTexts(value);
  const facts = metadataOf(schema);
  if (facts) return facts.confidential ? leavesIn(value) : [];
  const { innerType, element, shape } = schema._zod.def as Inside;
  if (innerType) return privateLeaves(innerType, value);
  if (element && Array.isArray(value)) return value.flatMap((item) => privateLeaves(element, item));
  if (shape && isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => privateLeaves(shape[name], inner));
  return freeTexts(value);
}

/** What errors must not repeat of an input: what is confidential in it, and texts that do not say what they hold. */
export function privateInput(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const fields = requestFields(operation);
  return Object.entries(input).flatMap(([name, value]) => privateLeaves(fields[name]?.schema, value).map(String));
}
