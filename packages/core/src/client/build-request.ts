import { isRecord } from "../json-values.ts";
import type { Operation } from "../operation.ts";
import { pathOf } from "../operation-fields.ts";
import type { TraceContext } from "./operation-method.ts";
import { fieldError, isInput, parseInput } from "./parse-input.ts";
import type { HttpRequest } from "./transport.ts";

/** Base64 of `clientId:clientSecret` in UTF-8 (interface 5.1). */
export function basicCredentials({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`);
  return btoa(String.fromCharCode(...bytes));
}

function inUrl(operation: Operation, field: string, value: unknown): string {
  // As in JSON; as text, a Date would depend on the time zone.
  if (value instanceof Date) return inUrl(operation, field, value.toJSON());
  if (isRecord(value)) throw fieldError(operation, field, "must not be an object", value);
  try {
    return encodeURIComponent(String(value));
  } catch {
    throw fieldError(operation, field, "must be well-formed Unicode", value);
  }
}

// A list is sent as one comma-separated parameter (interface 4.2, 4.3); a record holds the parameters of an undocumented endpoint.
function parameters(operation: Operation, name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (isInput(value)) return parametersOf(operation, value);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return [`${inUrl(operation, name, name)}=${items.map((item) => inUrl(operation, name, item)).join(",")}`];
}

const parametersOf = (operation: Operation, fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => parameters(operation, name, value));

/** Whether a value can be serialized as JSON; a bigint or a circular reference cannot. */
function isSerializable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/** Whether an operation sends its body as a form instead of JSON. */
const sendsForm = ({ contentType }: Operation): boolean => contentType?.startsWith("application/x-www-form-urlencoded") === true;

function encodeBody(operation: Operation, fields: Record<string, unknown>): string {
  if (sendsForm(operation)) return new URLSearchParams(parametersOf(operation, fields).join("&")).toString();
  for (const [field, value] of Object.entries(fields)) {
    if (!isSerializable(value)) throw fieldError(operation, field, "must be JSON-serializable", value);
  }
  return JSON.stringify(fields);
}

function pick(input: Record<string, unknown>, shape: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, input[name]]));
}

export interface RequestSettings {
  server: string;
  customerId: string;
  userAgent?: string | undefined;
  /** Well-formed. */
  trace?: TraceContext | undefined;
}

/** Builds the request for a parsed input, without credentials. */
export function buildRequest(operation: Operation, input: Record<string, unknown>, settings: RequestSettings): HttpRequest {
  const path = pathOf(operation, { ...input, customerId: settings.customerId }, (value, name) => inUrl(operation, name, value));
  const query = parametersOf(operation, pick(input, operation.query));
  const { body, contentType = "application/json" } = operation;
  return {
    method: operation.method,
    url: `${settings.server.replace(/\/+$/, "")}${path}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    headers: {
      accept: "application/json",
      ...(body && { "content-type": contentType }),
      ...(settings.userAgent !== undefined && { "user-agent": settings.userAgent }),
      ...settings.trace,
    },
    ...(body && { body: encodeBody(operation, pick(input, body)) }),
  };
}

/** A request as it would be sent, but without its server or credentials. */
export interface RequestPreview {
  /** HTTP method. */
  method: string;
  /** Path relative to the server's URL. */
  path: string;
  /** Decoded parameters by name; a list is comma-separated. */
  query: Record<string, string>;
  /** Fields of the body, if there is one. */
  body?: Record<string, unknown>;
}

/** Returns the request that a call with this input would send. Throws the same `input` error as the call if the input is invalid. */
export function previewRequest(operation: Operation, input: unknown, customerId: string): RequestPreview {
  const { method, url, body } = buildRequest(operation, parseInput(operation, input), { server: "http://localhost", customerId });
  const { pathname, searchParams } = new URL(url);
  return {
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    ...(body !== undefined && { body: sendsForm(operation) ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body) }),
  };
}
