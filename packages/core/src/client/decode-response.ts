import { FleetError } from "../errors.ts";
import type { Operation, Refusal } from "../operation.ts";
import { definitionOf } from "../schemas/schema-walk.ts";
import { type CheckSettings, checkText, contractError, parseJson, reportDrift } from "./check-body.ts";
import { ADVICE, normaliseErrors, quotationOf, type StatusErrorSettings, statusError } from "./status-error.ts";
import type { HttpResponse } from "./transport.ts";
import { restoreOutcome, writeRefusal } from "./write-response.ts";

export interface DecodeSettings extends CheckSettings, StatusErrorSettings {
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
