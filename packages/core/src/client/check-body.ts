import { FleetError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { tell } from "./call-hooks.ts";
import { checkValue, Walk } from "./check-value.ts";
import type { Drift } from "./drift.ts";
import { maskedDrift } from "./masked-drift.ts";
import { plain } from "./printable-text.ts";
import type { Redact } from "./redaction.ts";

export interface CheckSettings {
  /** `strict` turns any drift into a `contract` error. */
  validation: "tolerant" | "strict";
  onDrift?: ((report: DriftReport) => void) | undefined;
  /** Takes secrets out of what the service says, should it repeat them. */
  redact: Redact;
}

/** How an answer differed from the contract. */
export interface DriftReport {
  /** The operation that was answered, such as `listLivePositions`. */
  operation: string;
  /** What differed, once each. */
  drift: readonly Drift[];
}

export const CONTRACT_ADVICE = "Check that the server's address leads to the fleet service itself";

/** Why a body is none of the contract. */
export const MALFORMED = {
  empty: "the answer is empty",
  "not JSON": "the answer is not JSON",
  "another shape": "the answer has another overall shape than the contract says",
  "too large": "the answer holds a larger record than can be read one by one",
} as const;

export type Malformed = keyof typeof MALFORMED;

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Quotes those integers of one field in JSON text that a number cannot hold, so that parsing keeps every digit. Within a string, or as the end of a
 * longer name, the field's first quote is escaped and does not match. Digits that the service quoted are a wrong type, and must not pass for ours.
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

/** A value of an answer, mended, and how it differed from the contract. */
export interface Checked {
  body: unknown;
  drift: readonly Drift[];
}

/** Parses and checks the body of a successful answer. */
export function checkText(operation: Operation, status: number, text: string): Checked {
  const body = parseJson(text);
  if (body === undefined) throw contractError(operation, status, text.trim() === "" ? MALFORMED.empty : MALFORMED["not JSON"]);
  const walk = new Walk();
  if (!checkValue(operation.output, body, walk)) throw contractError(operation, status, MALFORMED["another shape"]);
  if (walk.inexact.size === 0) return { body, drift: walk.drift.list() };
  const exact = parseJson([...walk.inexact].reduce(quoteIntegers, text));
  const again = new Walk(walk.inexact);
  checkValue(operation.output, exact, again);
  return { body: exact, drift: again.drift.list() };
}

const SHOWN_DRIFT = 5;

/** Tells the listener how an answer differed from the contract, and throws where that is not tolerated. */
export function reportDrift(operation: Operation, status: number, found: readonly Drift[], settings: CheckSettings): void {
  if (found.length === 0) return;
  // The name of an unknown field is the service's own word.
  const drift = found.map((one) => (one.kind === "unknown field" ? { ...one, path: plain(one.path, settings.redact) } : one));
  tell(settings.onDrift, { operation: operation.name, drift });
  if (settings.validation !== "strict") return;
  const shown = maskedDrift(operation, drift)
    .slice(0, SHOWN_DRIFT)
    .map(({ path, kind, count }) => `${path} ${kind} (${count})`);
  throw contractError(operation, status, `the answer differs from the contract: ${shown.join(", ")}`);
}
