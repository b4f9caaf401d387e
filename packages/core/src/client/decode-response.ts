import { FleetError, type FleetErrorCode } from "../errors.ts";
import type { Operation, Refusal } from "../operation.ts";
import { ApiError } from "../schemas/api-error.ts";
import { type CheckSettings, CONTRACT_ADVICE, checkText, contractError, parseJson, reportDrift } from "./check-body.ts";
import { plain } from "./printable-text.ts";
import { retryAfterOf } from "./retry-policy.ts";
import type { HttpResponse } from "./transport.ts";

export interface DecodeSettings extends CheckSettings {
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  now: () => number;
  /** Bytes of a response that are read at once. */
  maxResponseBytes: number;
}

const ADVICE: Partial<Record<FleetErrorCode, string>> = {
  rejected: "Mend the fields that are named, then try again",
  unauthorized: "Check the client id, the client secret and the authentication scheme of this operation",
  forbidden: "Ask for these credentials to be allowed this, or use others",
  notFound: "Check the server's address with its path prefix, and the customer",
  conflict: "Choose other values, then try again",
  timeout: "Try again later",
  rateLimited: "Wait, then try again with fewer requests",
  upstream: "Try again later",
  contract: CONTRACT_ADVICE,
};

/** What a status that tells of a failure amounts to. */
export function codeOf(status: number): FleetErrorCode {
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

const MAX_ERRORS = 20;

/** A field's name as the service says it; names of the contract stay as they are, whatever the caller's texts hold. */
function fieldName({ params, query, body }: Operation, said: string, redact: DecodeSettings["redact"]): string {
  const isOurs = (name: string) => [params, query, body].some((fields) => fields !== undefined && Object.hasOwn(fields, name));
  return said.split(".").every(isOurs) ? said : plain(said, redact);
}

/** A list of errors, or a single one, as a list. Anything else is no error body of the contract and gives none. */
function normaliseErrors(operation: Operation, body: unknown, redact: DecodeSettings["redact"]): ApiError[] {
  const entries: unknown[] = Array.isArray(body) ? body : [body];
  return entries.slice(0, MAX_ERRORS).flatMap((entry) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { errorCode, errorMessage, offendingFields } = entry as Record<string, unknown>;
    const error: ApiError = {
      ...(typeof errorCode === "number" && ApiError.shape.errorCode.safeParse(errorCode).success && { errorCode }),
      ...(typeof errorMessage === "string" && { errorMessage: plain(errorMessage, redact) }),
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

/** The first errors in the service's own words, and how many that leaves. */
function quotationOf(errors: readonly ApiError[]): { more: string; quotation: string | undefined } {
  const shown = errors.slice(0, QUOTED_ERRORS).map(({ errorCode, errorMessage, offendingFields = [] }) => {
    const said = [offendingFields.join(", "), errorMessage ?? ""].filter((part) => part !== "").join(": ");
    return said === "" && errorCode !== undefined ? `errorCode ${errorCode}` : said;
  });
  const quotation = shown.filter((said) => said !== "").join("; ");
  const more = errors.length > QUOTED_ERRORS ? ` with ${errors.length} errors, of which ${QUOTED_ERRORS} are quoted` : "";
  return { more, quotation: quotation === "" ? undefined : quotation };
}

const NOT_MODIFIED = 304;

function statusError(operation: Operation, { status, text, headers }: HttpResponse, { redact, now }: DecodeSettings): FleetError {
  if (status === NOT_MODIFIED) {
    return new FleetError("contract", `${operation.name}: HTTP 304, not modified, though nothing was asked of an earlier response`, {
      operation: operation.name,
      status,
      advice: "Look for a cache between here and the service, and have it leave these requests alone",
    });
  }
  // A browser hides a refused redirect behind status 0.
  if (status < 400) {
    return new FleetError(
      "contract",
      `${operation.name}: the service answered with a redirect, which is refused so that no credential leaves it`,
      {
        operation: operation.name,
        status,
        advice: "Configure the address that the redirect leads to, if it is the fleet service",
      },
    );
  }
  const code = codeOf(status);
  const errors = normaliseErrors(operation, parseJson(text), redact);
  const advice = operation.errors?.[status]?.advice ?? ADVICE[code];
  const { more, quotation } = quotationOf(errors);
  return new FleetError(code, `${operation.name}: HTTP ${status}${more}`, {
    quotation,
    operation: operation.name,
    status,
    errors,
    advice,
    retryAfter: retryAfterOf(headers, now()),
  });
}

/** What to do about a response that is too large follows from how else it can be read. */
function tooLargeError({ name, output, paging }: Operation, status: number, most: number): FleetError {
  const less = paging ? "Ask for smaller pages" : "Ask for less";
  const advice = output._zod.def.type === "array" ? "Read it record by record with iterate(), or ask for less" : less;
  return new FleetError("tooLarge", `${name}: the response is larger than ${most} bytes, which is the most that is read at once`, {
    operation: name,
    status,
    advice: `${advice}; else raise maxResponseBytes`,
  });
}

/** What an operation takes for a refusal. Of an answer that was mended a field may be missing that its rule counts on. */
function refusalIn(operation: Operation, status: number, body: unknown): Refusal | undefined {
  try {
    return operation.refusal?.(body);
  } catch {
    throw contractError(operation, status, "the answer cannot be told from a refusal");
  }
}

/** Gives the output of a successful answer, or throws the FleetError that the answer amounts to. */
export function decodeResponse(operation: Operation, response: HttpResponse, settings: DecodeSettings): unknown {
  const { name } = operation;
  const { status, text } = response;
  if (status < 200 || status > 299) throw statusError(operation, response, settings);
  // What comes as a stream is checked as it is read.
  if (response.body) return response.body;
  if (operation.output._zod.def.type === "void") return undefined;
  if (response.tooLarge) throw tooLargeError(operation, status, settings.maxResponseBytes);
  const { body, drift } = checkText(operation, status, text);
  reportDrift(operation, status, drift, settings);
  const refusal = refusalIn(operation, status, body);
  if (refusal) {
    const errors = normaliseErrors(operation, refusal.errors, settings.redact);
    const advice = ADVICE[refusal.code];
    const { more, quotation } = quotationOf(errors);
    throw new FleetError(refusal.code, `${name}: ${refusal.message}${more}`, {
      quotation,
      operation: name,
      status,
      errors,
      advice,
    });
  }
  return body;
}
