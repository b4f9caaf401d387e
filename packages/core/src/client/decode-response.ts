import { FleetError, type FleetErrorCode } from "../errors.ts";
import type { Operation, Refusal } from "../operation.ts";
import { ApiError } from "../schemas/group.ts";
import { definitionOf } from "../schemas/schema-walk.ts";
import { type CheckSettings, CONTRACT_ADVICE, checkText, contractError, parseJson, reportDrift } from "./check-body.ts";
import { printable, type Redact } from "./redaction.ts";
import { retryAfterOf } from "./retry-policy.ts";
import type { HttpResponse } from "./transport.ts";
import { errorsInBody, restoreOutcome, writeRefusal } from "./write-response.ts";

const CODES: Readonly<Record<number, FleetErrorCode>> = {
  ...{ 400: "rejected", 401: "unauthorized", 403: "forbidden", 404: "notFound" },
  ...{ 408: "timeout", 409: "conflict", 422: "rejected", 429: "rateLimited" },
};

/** The error code for an HTTP status outside 2xx. */
export const errorCodeOf = (status: number): FleetErrorCode => CODES[status] ?? (status >= 500 ? "upstream" : "contract");

/** What to do about an error when the operation itself has no advice. */
const ADVICE: Partial<Record<FleetErrorCode, string>> = {
  rejected: "Fix the fields listed, then try again",
  unauthorized: "Check the client id, the client secret and the authentication scheme of this operation",
  forbidden: "Request access for these credentials, or use others",
  notFound: "Check the server URL with its path prefix, and the customer id",
  conflict: "Choose other values, then try again",
  timeout: "Try again later",
  rateLimited: "Wait, then try again with fewer requests",
  upstream: "Try again later",
  contract: CONTRACT_ADVICE,
};

const MAX_ERRORS = 20;

/** A field name from the service. Names in the contract are never redacted, even if the caller's input contains the same text. */
function fieldName({ params, query, body }: Operation, name: string, redact: Redact): string {
  const isKnown = (part: string) => [params, query, body].some((fields) => fields !== undefined && Object.hasOwn(fields, part));
  return name.split(".").every(isKnown) ? name : printable(name, redact);
}

/** The service's errors as a list, whether it sent one or several; empty if the body is not an error body. */
function normaliseErrors(operation: Operation, body: unknown, redact: Redact): ApiError[] {
  const entries: unknown[] = Array.isArray(body) ? body : [body];
  return entries.slice(0, MAX_ERRORS).flatMap((entry) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { errorCode, errorMessage, offendingFields } = entry as Record<string, unknown>;
    const error: ApiError = {
      ...(typeof errorCode === "number" && ApiError.shape.errorCode.safeParse(errorCode).success && { errorCode }),
      ...(typeof errorMessage === "string" && { errorMessage: printable(errorMessage, redact) }),
      ...(Array.isArray(offendingFields) && {
        offendingFields: offendingFields
          .filter((field) => typeof field === "string")
          .slice(0, MAX_ERRORS)
          .map((field) => fieldName(operation, field, redact)),
      }),
    };
    return Object.keys(error).length > 0 ? [error] : [];
  });
}

const QUOTED_ERRORS = 3;

/** The first errors in the service's own words, and a note if there are more. */
function quotationOf(errors: readonly ApiError[]): { more: string; quotation: string | undefined } {
  const shown = errors.slice(0, QUOTED_ERRORS).map(({ errorCode, errorMessage, offendingFields = [] }) => {
    const text = [offendingFields.join(", "), errorMessage ?? ""].filter((part) => part !== "").join(": ");
    return text === "" && errorCode !== undefined ? `errorCode ${errorCode}` : text;
  });
  const quotation = shown.filter((text) => text !== "").join("; ");
  const more = errors.length > QUOTED_ERRORS ? ` with ${errors.length} errors, the first ${QUOTED_ERRORS} quoted` : "";
  return { more, quotation: quotation === "" ? undefined : quotation };
}

/** The error for a response whose status is not 2xx. */
function statusError(operation: Operation, { status, text, headers }: HttpResponse, settings: DecodeSettings): FleetError {
  const { name } = operation;
  if (status === 304) {
    return new FleetError("contract", `${name}: HTTP 304 Not Modified in response to an unconditional request`, {
      operation: name,
      status,
      advice: "Look for a cache between the client and the service, and exclude these requests from it",
    });
  }
  // Browsers report a redirect that was not followed as status 0.
  if (status < 400) {
    return new FleetError("contract", `${name}: the service sent a redirect, which is not followed because it could leak credentials`, {
      operation: name,
      status,
      advice: "Configure the URL that the redirect points to, if it is the fleet service",
    });
  }
  const code = errorCodeOf(status);
  const body = parseJson(text);
  const documented = normaliseErrors(operation, body, settings.redact);
  const errors =
    documented.length > 0 || !operation.outcome
      ? documented
      : normaliseErrors(operation, errorsInBody(body, operation.outcome), settings.redact);
  const advice = operation.errors?.[status]?.advice ?? ADVICE[code];
  const { more, quotation } = quotationOf(errors);
  return new FleetError(code, `${name}: HTTP ${status}${more}`, {
    quotation,
    operation: name,
    status,
    errors,
    advice,
    retryAfter: retryAfterOf(headers, settings.now()),
  });
}

export interface DecodeSettings extends CheckSettings {
  /** Milliseconds since 1970, to evaluate a Retry-After date. */
  now: () => number;
  /** Maximum size in bytes of a response that is read whole. */
  maxResponseBytes: number;
}

function tooLargeError({ name, output, paging }: Operation, status: number, maxBytes: number): FleetError {
  const smaller = paging ? "Request smaller pages" : "Request less data";
  const advice = definitionOf(output).type === "array" ? "Read it record by record with iterate(), request less data" : smaller;
  return new FleetError("tooLarge", `${name}: the response exceeds maxResponseBytes (${maxBytes})`, {
    operation: name,
    status,
    advice: `${advice}, or raise maxResponseBytes (FLEET_MAX_RESPONSE_BYTES)`,
  });
}

/**
 * The refusal in a 2xx response, if any; otherwise completes the output of a write. The operation's `refusal` may throw, because a repaired body can lack a
 * field that it relies on.
 */
function refusalIn(operation: Operation, { status, text }: HttpResponse, output: unknown, sent: unknown): Refusal | undefined {
  const { outcome } = operation;
  try {
    const refusal = operation.refusal?.(output);
    if (refusal || !outcome) return refusal;
    const body = parseJson(text);
    const writeRefused = writeRefusal(operation, outcome, sent, body);
    if (!writeRefused) restoreOutcome(operation, outcome, body, output);
    return writeRefused;
  } catch {
    throw contractError(operation, status, "it is unclear whether the service rejected the request");
  }
}

/** Returns the output of a successful response to the given input, or throws the matching FleetError. */
export function decodeResponse(operation: Operation, response: HttpResponse, settings: DecodeSettings, sent?: unknown): unknown {
  const { name } = operation;
  const { status, text } = response;
  if (status < 200 || status > 299) throw statusError(operation, response, settings);
  // A stream is checked as it is read.
  if (response.body) return response.body;
  if (definitionOf(operation.output).type === "void") return undefined;
  if (response.tooLarge) throw tooLargeError(operation, status, settings.maxResponseBytes);
  const { body, drift } = checkText(operation, status, text);
  reportDrift(operation, status, drift, settings);
  const refusal = refusalIn(operation, response, body, sent);
  if (refusal) {
    const errors = normaliseErrors(operation, refusal.errors, settings.redact);
    const { more, quotation } = quotationOf(errors);
    throw new FleetError(refusal.code, `${name}: ${refusal.message}${more}`, {
      quotation,
      operation: name,
      status,
      errors,
      advice: ADVICE[refusal.code],
      changed: refusal.changed,
    });
  }
  return body;
}
