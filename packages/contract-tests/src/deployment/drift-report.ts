import { type Operation, type OperationName, operations, type TachoActivityPage } from "@fleetwire/core";
import { distanceUnitOf } from "@fleetwire/core/internal";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadInterface } from "../interface/interface-document.ts";
import { pathsIn } from "../json-values.ts";
import { compareWithAccepted } from "./accepted-drift.ts";
import { holdersAt } from "./drift-evidence.ts";
import { failureOf, findingsOf, isInconclusive } from "./drift-findings.ts";
import type { PlanOutcome, StepOutcome } from "./run-plan.ts";
import type { AcceptedDrift, VerifyReport } from "./verify-report.ts";

/** Whether a run would have found an accepted difference: all calls of its operation completed, and responses had records with that place. */
function couldSee(
  { operation, path, kind }: AcceptedDrift,
  { outcomes, skipped }: PlanOutcome,
  recorded: readonly NamedFixture[],
): boolean {
  const own = outcomes.filter(({ step }) => step.operation === operation);
  if (own.length === 0 || own.some(isInconclusive) || skipped.some(({ step }) => step.operation === operation)) return false;
  if (kind === "vanished field") return recorded.some((fixture) => fixture.operation === operation);
  const { output }: Operation = operations[operation as OperationName];
  return path === "$" || own.some(({ exchange }) => holdersAt(output, path, exchange?.responseBody ?? "") > 0);
}

/** Read operations without a completed call, or with calls that the caller excluded. */
function notChecked({ outcomes, skipped }: PlanOutcome): string[] {
  const completed = new Set(outcomes.filter((outcome) => !isInconclusive(outcome)).map(({ step }) => step.operation));
  const left = skipped.filter(
    ({ step, cause }) => !step.writes && (cause === "selection" || cause === "maxRequests" || !completed.has(step.operation)),
  );
  return [...new Set(left.map(({ step }) => step.operation))];
}

/** How many of the described response fields the responses had. */
function coverageIn({ outcomes }: PlanOutcome): VerifyReport["coverage"] {
  const document = loadInterface();
  return [...new Set(outcomes.map(({ step }) => step.operation))].flatMap((operation) => {
    const fields = [...new Set((document.responseFields(operation, 200) ?? []).map(({ path }) => path))];
    const own = outcomes.filter(({ step }) => step.operation === operation);
    const seen = new Set(own.flatMap(({ value }) => [...pathsIn(value).keys()]).flatMap(prefixesOf));
    const missing = fields.filter((field) => !seen.has(field));
    return fields.length === 0 ? [] : [{ operation, fields: fields.length, seen: fields.length - missing.length, missing }];
  });
}

/** A path such as `$[*].tags[*]` and those of the fields and lists around it. */
const prefixesOf = (path: string): string[] => [...path.matchAll(/(?=[.[])|$/g)].map(({ index }) => path.slice(0, index));

/** The unit of the distance of tachograph activities, which the interface does not state. Observed, never documented. */
function distanceUnit(outcomes: readonly StepOutcome[]): string[] {
  const page = outcomes.find(({ step }) => step.name === "query-tacho-activity-day")?.value as TachoActivityPage | undefined;
  if (!page) return [];
  const { unit, compared, possible } = distanceUnitOf(page.data.flatMap(({ activities = [] }) => activities));
  if (unit !== undefined) return [`unit of distance: ${unit} (from ${compared} activities)`];
  return [
    `unit of distance: unknown (${compared} comparable activities${compared > 0 ? `, possible: ${possible.join(", ") || "none"}` : ""})`,
  ];
}

export interface ReportOptions {
  recorded?: readonly NamedFixture[];
  accepted?: readonly AcceptedDrift[];
  /** Whether a run that did not check every read operation may be `same`. */
  allowPartial?: boolean;
  at: Date;
}

/** The report of a run, and the comparison with accepted drift in it. */
export function reportOf(run: PlanOutcome, { recorded = [], accepted = [], allowPartial = false, at }: ReportOptions): VerifyReport {
  const { outcomes, skipped, jobs, requests } = run;
  const named = ({ step }: { step: { operation: string; name: string } }) => ({ operation: step.operation, call: step.name });
  const today = at.toISOString().slice(0, 10);
  const compared = compareWithAccepted(findingsOf(outcomes, recorded), accepted, today, (entry) => couldSee(entry, run, recorded));
  const inconclusive = outcomes.filter(isInconclusive).map((outcome) => ({ ...named(outcome), reason: failureOf(outcome.error) }));
  const checked = outcomes
    .filter((outcome) => !isInconclusive(outcome))
    .map((outcome) => ({ ...named(outcome), title: outcome.step.title, milliseconds: outcome.milliseconds }));
  const partial = notChecked(run);
  const isComplete = inconclusive.length === 0 && checked.length > 0 && (allowPartial || partial.length === 0);
  return {
    status: compared.findings.length > 0 ? "differs" : isComplete ? "same" : "couldNotCheck",
    date: at.toISOString(),
    requests,
    ...compared,
    inconclusive,
    checked,
    skipped: skipped.map(({ step, reason }) => ({ ...named({ step }), reason })),
    notChecked: partial,
    jobsLeftBehind: jobs,
    observations: distanceUnit(outcomes),
    coverage: coverageIn(run),
  };
}
