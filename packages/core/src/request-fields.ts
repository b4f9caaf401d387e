import type * as z from "zod";
import type { Operation } from "./operation.ts";

/** A field of a request: where it is sent, and its schema. */
export interface RequestField {
  /** The part of the request that holds it. */
  in: "path" | "query" | "body";
  /** What it takes from a caller. */
  schema: z.ZodType;
}

/** Every field that an operation's input may have, by name: those of the path first, then the query's, then the body's. The customer's id is none: a client sends its own. */
export function requestFields({ params = {}, query, body = {} }: Operation): Record<string, RequestField> {
  const from = (place: RequestField["in"], shape: Readonly<Record<string, z.ZodType>>) =>
    Object.entries(shape).map(([name, schema]): [string, RequestField] => [name, { in: place, schema }]);
  return Object.fromEntries([...from("path", params), ...from("query", query), ...from("body", body)]);
}

const percentEncoded = (value: unknown) => encodeURIComponent(String(value));

/**
 * The path of an operation with its placeholders filled in, `{customerId}` among them. `written` makes the text of one, percent-encoded unless it says
 * otherwise; a value that is not well-formed Unicode throws a `URIError`.
 */
export function pathOf(
  { path }: Pick<Operation, "path">,
  values: Readonly<Record<string, unknown>>,
  written: (value: unknown, name: string) => string = percentEncoded,
): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => written(values[name], name));
}
