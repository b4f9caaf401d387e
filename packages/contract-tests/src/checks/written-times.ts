import type { Operation } from "@fleetwire/core";
import { definitionOf, parseDateTime, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";

/** A year such as 0001, which services send in place of a missing date, is still a date-time. */
const isDateTime = (text: string) => parseDateTime(text) !== undefined || parseDateTime(text.replace(/^00/, "20")) !== undefined;

function pathsOf(optional: z.core.$ZodType, value: unknown, path: string): string[] {
  if (value === undefined || value === null) return [];
  const schema = unwrapSchema(optional);
  const { shape, element } = definitionOf(schema);
  if (element) return Array.isArray(value) ? value.flatMap((one) => pathsOf(element, one, `${path}[*]`)) : [];
  if (shape) return Object.entries(shape).flatMap(([name, field]) => pathsOf(field, (value as never)[name], `${path}.${name}`));
  const isTime = z.globalRegistry.get(schema)?.["format"] === "date-time";
  return isTime && typeof value === "string" && !isDateTime(value) ? [path] : [];
}

/** The paths of fields that the interface describes as date-time, but whose text is none. The client leaves them as they are. */
export const pathsOfOtherTexts = ({ output }: Operation, body: unknown): string[] => [...new Set(pathsOf(output, body, "$"))];
