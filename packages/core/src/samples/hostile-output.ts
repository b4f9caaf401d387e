import type * as z from "zod";
import type { Operation } from "../operation.ts";
import { metadataOf } from "../schemas/field-metadata.ts";
import type { Sensitivity } from "../schemas/field-privacy.ts";
import { definitionOf } from "../schemas/schema-walk.ts";

const DAY = "2026-11-20T08:30:00Z";
const DEGREES = 45.5;

/** Valid values for the fields by which programs find and sort records. With arbitrary text in them, the records would be discarded early. */
const FORMED: Partial<Record<Extract<Sensitivity, string>, string>> = { id: "x1001", instant: DAY, duration: "00:30" };

function numberOf(holds: Sensitivity | undefined): number {
  if (typeof holds === "object") return Math.floor((holds.min + holds.max) / 2);
  return holds === "latitude" || holds === "longitude" ? DEGREES : 1;
}

function filled(schema: z.core.$ZodType, text: string): unknown {
  const { type, shape, element, innerType, valueType, options } = definitionOf(schema);
  const { holds, guard } = metadataOf(schema) ?? {};
  if (innerType) return guard === undefined ? filled(innerType, text) : !guard;
  switch (type) {
    case "object":
      return Object.fromEntries(Object.entries(shape ?? {}).map(([name, field]) => [name, filled(field, text)]));
    case "array":
      return element ? [filled(element, text)] : [];
    case "record":
      return valueType ? { [text]: filled(valueType, text) } : {};
    case "union":
      return options?.[0] && filled(options[0], text);
    case "boolean":
      // A guard that withholds would hide the other fields.
      return guard === undefined ? true : !guard;
    case "number":
      return numberOf(holds);
    case "unknown":
      return [{ id: FORMED.id, text }];
    case "void":
    case "undefined":
      return undefined;
    default:
      // A service may send any text, even in an enum field.
      return (typeof holds === "string" ? FORMED[holds] : undefined) ?? text;
  }
}

/**
 * Generates an operation's response in which every field is present, every string is `text` (except ids, times and durations) and every list has one entry.
 * It is derived from the schema, so that tests also cover new fields.
 */
export function hostileOutput({ output }: Pick<Operation, "output">, text: string): unknown {
  return filled(output, text);
}
