import type * as z from "zod";
import type { Operation } from "./operation.ts";
import { definitionOf, unwrapSchema } from "./schemas/schema-walk.ts";

/** An input field of an operation. */
export interface RequestField {
  /** The part of the request that the field is sent in. */
  in: "path" | "query" | "body";
  /** The schema that parses the field's input. */
  schema: z.ZodType;
}

/** The input fields of an operation by name: path, then query, then body. Does not include `customerId`, which comes from the configuration. */
export function requestFields({ params = {}, query, body = {} }: Operation): Record<string, RequestField> {
  const from = (place: RequestField["in"], shape: Readonly<Record<string, z.ZodType>>) =>
    Object.entries(shape).map(([name, schema]): [string, RequestField] => [name, { in: place, schema }]);
  return Object.fromEntries([...from("path", params), ...from("query", query), ...from("body", body)]);
}

const percentEncoded = (value: unknown) => encodeURIComponent(String(value));

/**
 * Fills in the placeholders of an operation's path, including `{customerId}`. By default, `encode` percent-encodes values and throws a `URIError` if a value
 * is not well-formed Unicode.
 */
export function pathOf(
  { path }: Pick<Operation, "path">,
  values: Readonly<Record<string, unknown>>,
  encode: (value: unknown, name: string) => string = percentEncoded,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name], name));
}

/** What is wrong with the path of a request, if anything. Without a slash, it would continue the name of the server, which gets the credentials. */
export function pathProblemOf(path: string): string | undefined {
  return /^\/[^\s?#]*$/.test(path) ? undefined : "must start with a slash and contain no query";
}

type Fields = Readonly<Record<string, z.ZodType>>;

const shapeOf = (schema: z.core.$ZodType) => definitionOf(unwrapSchema(schema)).shape as Fields | undefined;

/** The fields of a list's entries. Each inner list along `path` is replaced with the fields of its own entries. */
function entryFields(list: z.core.$ZodType, path: readonly string[]): Fields | undefined {
  const { element } = definitionOf(unwrapSchema(list));
  const shape = element && shapeOf(element);
  const [name, ...rest] = path;
  if (name === undefined || !shape) return shape;
  const { [name]: inner, ...around } = shape;
  const fields = inner && entryFields(inner, rest);
  return fields && { ...around, ...fields };
}

/** Replaces fields that hold a record with the fields of that record. Those of the row itself win. */
function spreadFields(fields: Fields | undefined, names: readonly string[]): Fields | undefined {
  if (!fields || names.length === 0) return fields;
  const inner = names.flatMap((name) => {
    const { [name]: field } = fields;
    return Object.entries((field && shapeOf(field)) ?? {});
  });
  return { ...Object.fromEntries(inner), ...Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) };
}

/**
 * Returns the fields of a row in an operation's response (see `tool.rows`), with their schemas. If nested lists share a field name, the innermost wins.
 * Returns undefined if the operation has no rows, or if the path does not lead to a list of records.
 */
export function rowFields({ output, tool }: Operation): Fields | undefined {
  if (!tool?.rows) return undefined;
  const { path, spread = [] } = tool.rows;
  if (path === "") return spreadFields(entryFields(output, []), spread);
  let list: z.ZodType | undefined = output;
  const names = path.split(".");
  // Fields outside the first list, such as its pagination, do not belong to a row.
  while (list && names.length > 0) {
    const shape = shapeOf(list);
    if (!shape) break;
    list = shape[names.shift() as string];
  }
  return list && spreadFields(entryFields(list, names), spread);
}
