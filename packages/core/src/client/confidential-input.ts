import type * as z from "zod";
import { isRecord } from "../is-record.ts";
import type { Operation } from "../operation.ts";
import { requestFields } from "../request-fields.ts";
import { metadataOf } from "../schemas/field-metadata.ts";
import { definitionOf } from "../schemas/schema-walk.ts";

type Leaf = string | number;

/** All strings and numbers in a value, at any depth. */
function leavesIn(value: unknown): Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [];
}

// In a field without metadata, a string may hold anything, but a number alone identifies nobody.
const stringsIn = (value: unknown): Leaf[] => leavesIn(value).filter((leaf) => typeof leaf === "string");

function confidentialLeaves(schema: z.core.$ZodType | undefined, value: unknown): Leaf[] {
  if (!schema) return stringsIn(value);
  const metadata = metadataOf(schema);
  if (metadata) return metadata.confidential ? leavesIn(value) : [];
  const { innerType, element, shape } = definitionOf(schema);
  if (innerType) return confidentialLeaves(innerType, value);
  if (Array.isArray(value)) return value.flatMap((item) => confidentialLeaves(element, item));
  if (shape && isRecord(value)) return Object.entries(value).flatMap(([name, inner]) => confidentialLeaves(shape[name], inner));
  return stringsIn(value);
}

/** Input values that errors must not repeat: those of confidential fields, and strings in fields without metadata. */
export function confidentialValues(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const fields = requestFields(operation);
  return Object.entries(input).flatMap(([name, value]) => confidentialLeaves(fields[name]?.schema, value).map(String));
}
