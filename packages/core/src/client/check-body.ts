import { FleetError, withDetails } from "../errors.ts";
import { notify } from "../notify.ts";
import type { Operation } from "../operation.ts";
import { CheckRun, checkValue } from "./check-value.ts";
import { type Drift, maskedDrift } from "./drift.ts";
import { printable, type Redact } from "./redaction.ts";

export interface CheckSettings {
  /** `strict` turns any drift into a `contract` error. */
  validation: "tolerant" | "strict";
  onDrift?: ((report: DriftReport) => void) | undefined;
  /** Removes secrets from text sent by the service. */
  redact: Redact;
}

/** How a response differed from the contract. */
export interface DriftReport {
  /** The operation called, such as `listLivePositions`. */
  operation: string;
  /** Each distinct difference, with its count. */
  drift: readonly Drift[];
}

export const CONTRACT_ADVICE = "Check that the server URL points to the fleet service itself";

/** Reasons why a body cannot be read at all. */
const MALFORMED = {
  empty: "the response is empty",
  "not JSON": "the response is not JSON",
  "invalid JSON": "the service sent invalid JSON",
  "wrong shape": "the response does not have the overall shape that the contract describes",
  "too large": "the response contains a record too large to stream",
} as const;

export type Malformed = keyof typeof MALFORMED;

/** Replaces bare words for numbers that JSON cannot express, such as NaN, with a number too large to parse, which no field accepts. */
function withoutNonFinite(text: string): string {
  let inString = false;
  return text.replace(/\\[\s\S]|"|-?\b(?:nan|inf(?:inity)?)\b/gi, (token) => {
    if (token === '"') inString = !inString;
    return inString || /^["\\]/.test(token) ? token : "1e999";
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON in which numbers may be NaN or infinite. Returns undefined if it is invalid otherwise. */
export const parseJson = (text: string): unknown => parsed(text) ?? parsed(withoutNonFinite(text));

/**
 * Quotes the unsafe integers of one field in JSON text, so that parsing keeps every digit. Inside a string, or at the end of a longer name, the quote before
 * the field's name is escaped and does not match. Digits that the service itself quoted have the wrong type; replacing them with `true`
 * makes the check report it.
 */
function quoteIntegers(text: string, field: string): string {
  const members = new RegExp(`((?<!\\\\)"${field.replace(/\W/g, "\\$&")}"\\s*:\\s*)(?:(-?\\d+)|"-?\\d+")(?=\\s*[,}])`, "g");
  return text.replace(members, (member, name, digits) => {
    if (digits === undefined) return `${name}true`;
    return Number.isSafeInteger(Number(digits)) ? member : `${name}"${digits}"`;
  });
}

export function contractError({ name }: Operation, status: number, what: string, quotation?: string): FleetError {
  return new FleetError("contract", `${name}: ${what}`, { quotation, operation: name, status, advice: CONTRACT_ADVICE });
}

export function malformedError(operation: Operation, status: number, why: Malformed): FleetError {
  const error = contractError(operation, status, MALFORMED[why]);
  // The URL is right, then.
  return why === "invalid JSON"
    ? withDetails(error, { advice: "Try again later; if it persists, report it to the service's operator" })
    : error;
}

/** Why text that cannot be parsed is malformed. */
function whyMalformed(text: string): Malformed {
  const [first] = text.trimStart();
  if (first === undefined) return "empty";
  return first === "{" || first === "[" ? "invalid JSON" : "not JSON";
}

/** Parses and checks the body of a successful response. Returns the repaired body, and how it differed from the contract. */
export function checkText(operation: Operation, status: number, text: string): { body: unknown; drift: readonly Drift[] } {
  const body = parseJson(text);
  if (body === undefined) throw malformedError(operation, status, whyMalformed(text));
  const run = new CheckRun();
  if (!checkValue(operation.output, body, run)) throw malformedError(operation, status, "wrong shape");
  if (run.inexact.size === 0) return { body, drift: run.drift.list() };
  const exact = parseJson([...run.inexact].reduce(quoteIntegers, text));
  const secondRun = new CheckRun(run.inexact);
  checkValue(operation.output, exact, secondRun);
  return { body: exact, drift: secondRun.drift.list() };
}

const SHOWN_DRIFT = 5;

/** Reports how a response differed from the contract, and throws if `validation` is `strict`. */
export function reportDrift(operation: Operation, status: number, found: readonly Drift[], settings: CheckSettings): void {
  if (found.length === 0) return;
  // The service chose the name of an unknown field.
  const drift = found.map((one) => (one.kind === "unknown field" ? { ...one, path: printable(one.path, settings.redact) } : one));
  notify(settings.onDrift, { operation: operation.name, drift });
  if (settings.validation !== "strict") return;
  const shown = maskedDrift(operation, drift)
    .slice(0, SHOWN_DRIFT)
    .map(({ path, kind, count }) => `${path} ${kind} (${count})`);
  throw contractError(operation, status, `the response differs from the contract: ${shown.join(", ")}`);
}
