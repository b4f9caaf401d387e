import type { Operation } from "../operation.ts";
import { buildRequest, sendsForm } from "./build-request.ts";
import { parseInput } from "./parse-input.ts";

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
