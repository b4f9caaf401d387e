import type * as z from "zod";
import type { Operation } from "./operation.ts";

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
