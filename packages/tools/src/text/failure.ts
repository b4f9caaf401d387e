import { type Effect, FleetError, type FleetErrorCode } from "@fleetwire/core";
import type { FailureRecord, ToolFailure } from "../model/tool-result.ts";
import { quotation, singleLine } from "./clip-values.ts";
import { resultTokens } from "./token-budget.ts";

/** Maximum characters for the problem, the next step and the quotation from the service. */
const MAX_LENGTHS = { summary: 600, next: 1_200, quotation: 600 };
/** Fractions of these lengths, tried in order until the failure fits the budget; the last is used even if it does not. */
const SHARES = [1, 0.4, 0.1];

/** States whether a failed call changed anything, as determined by core. A read never does. */
function changeAfter({ code, changed }: FleetError, effect: Effect): string {
  if (effect === "read") return "";
  if (changed === "unknown") return "Whether anything changed is unknown.";
  // "This call", because an earlier one may have sent or changed something.
  if (code === "input" || code === "config") return "This call sent nothing.";
  return effect === "create" ? "This call created no job." : "This call changed nothing.";
}

const ASK = "Tell the user what happened";

// Replaces core's advice to stream the records, which only a program can follow.
const ADVICE: Partial<Record<FleetErrorCode, string>> = {
  tooLarge: "Request fewer records by id, group or a later start, or have FLEET_MAX_RESPONSE_BYTES raised",
};

const sentence = (text: string) => text.replace(/[^?.]$/, "$&.");

const recordOf = ({ code, changed, jobNumber, status, retryAfter }: FleetError): FailureRecord => ({
  code,
  changed,
  ...(jobNumber !== undefined && { jobNumber }),
  ...(status !== undefined && { status }),
  ...(retryAfter !== undefined && { retryAfter }),
});

/**
 * Describes a failure to a model: what happened, whether anything changed and what to do next. Any quotation from the service comes last,
 * so that none of our sentences follows it. Never contains a stack trace, a URL or a secret.
 */
export function toFailure(error: unknown, budget: number, effect: Effect): ToolFailure {
  if (!(error instanceof FleetError)) {
    const text = "internal: Fleetwire failed unexpectedly. Tell the user, and do not repeat a write.";
    return { error: text, structured: { error: { code: "internal", changed: effect === "read" ? "no" : "unknown" } } };
  }
  const { code, summary, jobNumber } = error;
  const advice = ADVICE[code] ?? error.advice ?? ASK;
  const change = changeAfter(error, effect);
  const number = jobNumber === undefined ? "" : `Job number used: ${singleLine(jobNumber, 100)}.`;
  const written = (share: number) => {
    const what = sentence(`${code}: ${singleLine(summary, MAX_LENGTHS.summary * share)}`);
    const next = sentence(`Next: ${singleLine(advice, MAX_LENGTHS.next * share)}`);
    const quote = error.quotation === undefined ? "" : `The service said: ${quotation(error.quotation, MAX_LENGTHS.quotation * share)}`;
    return { error: [what, change, number, next, quote].filter((part) => part !== "").join(" ") };
  };
  const fitting = SHARES.find((share) => resultTokens(written(share)) <= budget) ?? (SHARES.at(-1) as number);
  return { ...written(fitting), structured: { error: recordOf(error) } };
}
