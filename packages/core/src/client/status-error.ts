import { FleetError, type FleetErrorCode } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { ApiError } from "../schemas/api-error.ts";
import { CONTRACT_ADVICE, parseJson } from "./check-body.ts";
import { printable } from "./printable-text.ts";
import type { Redact } from "./redaction.ts";
import { retryAfterOf } from "./retry-policy.ts";
import type { HttpResponse } from "./transport.ts";
import { errorsInBody } from "./write-response.ts";

/** The error code for an HTTP status outside 2xx. */
export function errorCodeOf(status: number): FleetErrorCode {
  switch (status) {
    case 400:
    case 422:
      return "rejected";
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "notFound";
    case 408:
      return "timeout";
    case 409:
      return "conflict";
    case 429:
      return "rateLimited";
    default:
      return status >= 500 ? "upstream" : "contract";
  }
}

/** What to do about an error when the operation itself has no advice. */
export const ADVICE: Partial<Record<FleetErrorCode, string>> = {
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
export function normaliseErrors(operation: Operation, body: unknown, redact: Redact): ApiError[] {
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
export function quotationOf(errors: readonly ApiError[]): { more: string; quotation: string | undefined } {
  const shown = errors.slice(0, QUOTED_ERRORS).map(({ errorCode, errorMessage, offendingFields = [] }) => {
    const text = [offendingFields.join(", "), errorMessage ?? ""].filter((part) => part !== "").join(": ");
    return text === "" && errorCode !== undefined ? `errorCode ${errorCode}` : text;
  });
  const quotation = shown.filter((text) => text !== "").join("; ");
  const more = errors.length > QUOTED_ERRORS ? ` with ${errors.length} errors, the first ${QUOTED_ERRORS} quoted` : "";
  return { more, quotation: quotation === "" ? undefined : quotation };
}

const NOT_MODIFIED = 304;

export interface StatusErrorSettings {
  redact: Redact;
  /** Milliseconds since 1970, to evaluate a Retry-After date. */
  now: () => number;
}

/** The error for a response whose status is not 2xx. */
export function statusError(operation: Operation, { status, text, headers }: HttpResponse, settings: StatusErrorSettings): FleetError {
  const { name } = operation;
  if (status === NOT_MODIFIED) {
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
