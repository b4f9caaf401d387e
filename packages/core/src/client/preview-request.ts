import type { Operation } from "../operation.ts";
import { buildRequest, sendsForm } from "./build-request.ts";
import { parseInput } from "./parse-input.ts";

/** A request that was not sent, without its server and its credentials. */
export interface RequestPreview {
  /** HTTP verb. */
  method: string;
  /** Below the server of the operation. */
  path: string;
  /** Parameters by name, decoded; a list is joined by commas. */
  query: Record<string, string>;
  /** Fields of the body; absent where none is sent. */
  body?: Record<string, unknown>;
}

/** The request that a call with this input would make. An input that breaks a rule of the contract is refused as the call would refuse it. */
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
