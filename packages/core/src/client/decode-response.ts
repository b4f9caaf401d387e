import { FleetError, type FleetErrorCode } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { ApiError } from "../schemas/api-error.ts";
import { tell } from "./call-hooks.ts";
import { checkValue, Walk } from "./check-value.ts";
import type { Drift } from "./drift.ts";
import { retryAfterOf } from "./retry-policy.ts";
import type { HttpResponse } from "./transport.ts";

export interface DecodeSettings {
  /** `strict` turns any drift into a `contract` error. */
  validation: "tolerant" | "strict";
  onDrift?: ((report: DriftReport) => void) | undefined;
  /** Takes secrets out of what the service says, should it repeat them. */
  redact: (text: string) => string;
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  now: () => number;
}

/** How an answer differed from the contract. */
export interface DriftReport {
  operation: string;
  drift: readonly Drift[];
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
  contract: "Check that the server's address leads to the fleet service itself",
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_ERRORS = 20;
const MAX_TEXT = 300;

/** Text of the service made fit for one line of a message: no control characters, no secrets, not too long. */
function plain(text: string, redact: DecodeSettings["redact"]): string {
  const line = redact(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

/** A list of errors, or a single one, as a list. Anything else is no error body of the contract and gives none. */
function normaliseErrors(body: unknown, redact: DecodeSettings["redact"]): ApiError[] {
  const entries: unknown[] = Array.isArray(body) ? body : [body];
  return entries.slice(0, MAX_ERRORS).flatMap((entry) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { errorCode, errorMessage, offendingFields } = entry as Record<string, unknown>;
    const error: ApiError = {
      ...(ApiError.shape.errorCode.safeParse(errorCode ?? undefined).success && errorCode != null && { errorCode: errorCode as number }),
      ...(typeof errorMessage === "string" && { errorMessage: plain(errorMessage, redact) }),
      ...(Array.isArray(offendingFields) && {
        offendingFields: offendingFields
          .filter((field) => typeof field === "string")
          .slice(0, MAX_ERRORS)
          .map((field) => plain(field, redact)),
      }),
    };
    return Object.keys(error).length > 0 ? [error] : [];
  });
}

function describeErrors(errors: readonly ApiError[]): string {
  const shown = errors.slice(0, 3).map(({ errorMessage, offendingFields }) => {
    const fields = offendingFields?.length ? `${offendingFields.join(", ")}: ` : "";
    return `${fields}${errorMessage ?? "no message"}`;
  });
  const more = errors.length > shown.length ? `; and ${errors.length - shown.length} more` : "";
  return shown.length > 0 ? `: ${shown.join("; ")}${more}` : "";
}

function statusError(operation: Operation, { status, text, headers }: HttpResponse, { redact, now }: DecodeSettings): FleetError {
  // A browser hides a refused redirect behind status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
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
  const errors = normaliseErrors(parseJson(text), redact);
  const advice = operation.errors?.[status]?.advice ?? ADVICE[code];
  return new FleetError(code, `${operation.name}: HTTP ${status}${describeErrors(errors)}`, {
    operation: operation.name,
    status,
    errors,
    advice,
    retryAfter: retryAfterOf(headers, now()),
  });
}

/**
 * Quotes those integers of one field in JSON text that a number cannot hold, so that parsing keeps every digit. Within a string, or as the end of a
 * longer name, the field's first quote is escaped and does not match.
 */
function quoteIntegers(text: string, field: string): string {
  const members = new RegExp(`((?<!\\\\)"${field.replace(/\W/g, "\\$&")}"\\s*:\\s*)(-?\\d+)(?=\\s*[,}])`, "g");
  return text.replace(members, (member, name, digits) => (Number.isSafeInteger(Number(digits)) ? member : `${name}"${digits}"`));
}

function checkBody(operation: Operation, text: string, body: unknown): { body: unknown; drift: Drift[] } | undefined {
  const walk = new Walk();
  if (!checkValue(operation.output, body, walk)) return undefined;
  if (walk.inexact.size === 0) return { body, drift: walk.drift.list() };
  const exact = parseJson([...walk.inexact].reduce(quoteIntegers, text));
  const again = new Walk({ exact: true });
  return checkValue(operation.output, exact, again) ? { body: exact, drift: again.drift.list() } : undefined;
}

/** Gives the output of a successful answer, or throws the FleetError that the answer amounts to. */
export function decodeResponse(operation: Operation, response: HttpResponse, settings: DecodeSettings): unknown {
  const { name } = operation;
  const { status, text } = response;
  if (status < 200 || status > 299) throw statusError(operation, response, settings);
  const contract = (what: string) => new FleetError("contract", `${name}: ${what}`, { operation: name, status, advice: ADVICE.contract });
  const parsed = parseJson(text);
  if (parsed === undefined) throw contract(text.trim() === "" ? "the answer is empty" : "the answer is not JSON");
  const checked = checkBody(operation, text, parsed);
  if (!checked) throw contract("the answer has another overall shape than the contract says");
  const { body } = checked;
  // The name of an unknown field is the service's own word.
  const drift = checked.drift.map((found) =>
    found.kind === "unknown field" ? { ...found, path: plain(found.path, settings.redact) } : found,
  );
  if (drift.length > 0) {
    tell(settings.onDrift, { operation: name, drift });
    if (settings.validation === "strict") {
      throw contract(
        `the answer differs from the contract: ${drift
          .slice(0, 5)
          .map(({ path, kind, count }) => `${path} ${kind} (${count})`)
          .join(", ")}`,
      );
    }
  }
  const refusal = operation.refusal?.(body);
  if (refusal) {
    const errors = normaliseErrors(refusal.errors, settings.redact);
    const advice = ADVICE[refusal.code];
    throw new FleetError(refusal.code, `${name}: ${refusal.message}${describeErrors(errors)}`, {
      operation: name,
      status,
      errors,
      advice,
    });
  }
  return body;
}
