import { type Operation, type OperationName, operations, type TachoActivityPage } from "@fleetwire/core";
import { distanceUnitOf } from "@fleetwire/core/internal";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { loadInterface } from "../interface/interface-document.ts";
import { pathsIn } from "../json-values.ts";
import { holdersAt } from "./drift-evidence.ts";
import { failureOf, findingsOf, isInconclusive } from "./drift-findings.ts";
import type { PlanOutcome, StepOutcome } from "./run-plan.ts";
import { type AcceptedDrift, type DriftBaseline, type DriftFinding, placeOf, type VerifyReport } from "./verify-report.ts";

type Compared = Pick<VerifyReport, "findings" | "accepted" | "vanished" | "notSeen">;

/** Compares the findings of a run with accepted drift. `couldSee` tells whether the run would have found an entry. */
function compareWithAccepted(
  found: readonly DriftFinding[],
  accepted: readonly AcceptedDrift[],
  today: string,
  couldSee: (entry: AcceptedDrift) => boolean,
): Compared {
  const result: Compared = { findings: [], accepted: [], vanished: [], notSeen: [] };
  for (const finding of found) {
    const place = placeOf(finding);
    const covers = (entry: AcceptedDrift) => placeOf(entry) === place && finding.actual.every((one) => entry.actual.includes(one));
    const { since, reason, expires } = accepted.find(covers) ?? {};
    const known = { ...finding, ...(since && { since }), ...(reason && { reason }), ...(expires && { expires }) };
    result[since !== undefined && (expires === undefined || expires >= today) ? "accepted" : "findings"].push(known);
  }
  const places = new Set(found.map(placeOf));
  for (const entry of accepted) if (!places.has(placeOf(entry))) result[couldSee(entry) ? "vanished" : "notSeen"].push(entry);
  return result;
}

const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The baseline that accepts what a run found. Reasons and dates are kept; an expired entry stays expired until its date is changed by hand. */
export function updatedBaseline({ findings, accepted, vanished, date }: VerifyReport, before: DriftBaseline): DriftBaseline {
  const gone = new Set(vanished.map(placeOf));
  const entries = new Map(before.accepted.filter((entry) => !gone.has(placeOf(entry))).map((entry) => [placeOf(entry), entry]));
  for (const { operation, path, kind, expected, actual } of [...findings, ...accepted]) {
    const place = placeOf({ operation, path, kind });
    const known = entries.get(place);
    const all = [...new Set([...(known?.actual ?? []), ...actual])].sort(order);
    entries.set(place, { since: date.slice(0, 10), ...known, operation, path, kind, expected, actual: all });
  }
  return { ...before, accepted: [...entries.values()].sort((a, b) => order(placeOf(a), placeOf(b))) };
}

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
  return path === "$" || own.some(({ body }) => holdersAt(output, path, body) > 0);
}

/** Read operations without a completed call, or with calls that the caller left out. */
function notChecked({ outcomes, skipped }: PlanOutcome): string[] {
  const completed = new Set(outcomes.filter((outcome) => !isInconclusive(outcome)).map(({ step }) => step.operation));
  const left = skipped.filter(({ step, isLeftOut }) => !step.writes && (isLeftOut || !completed.has(step.operation)));
  return [...new Set(left.map(({ step }) => step.operation))];
}

/** A path such as `$[*].tags[*]` and those of the fields and lists around it. */
const prefixesOf = (path: string): string[] => [...path.matchAll(/(?=[.[])|$/g)].map(({ index }) => path.slice(0, index));

/** How many of the described response fields the responses had. */
function coverageIn(outcomes: readonly StepOutcome[]): VerifyReport["coverage"] {
  const document = loadInterface();
  return [...new Set(outcomes.map(({ step }) => step.operation))].flatMap((operation) => {
    const fields = [...new Set((document.responseFields(operation, 200) ?? []).map(({ path }) => path))];
    const own = outcomes.filter(({ step }) => step.operation === operation);
    const seen = new Set(own.flatMap(({ value }) => [...pathsIn(value).keys()]).flatMap(prefixesOf));
    const missing = fields.filter((field) => !seen.has(field));
    return fields.length === 0 ? [] : [{ operation, fields: fields.length, seen: fields.length - missing.length, missing }];
  });
}

/** The unit of the distance of tachograph activities, which the interface does not state. Observed, never documented. */
function distanceUnit(outcomes: readonly StepOutcome[]): string[] {
  const page = outcomes.find(({ step }) => step.name === "query-tacho-activity-day")?.value as TachoActivityPage | undefined;
  if (!page) return [];
  const { unit, compared, possible } = distanceUnitOf(page.data.flatMap(({ activities = [] }) => activities));
  if (unit !== undefined) return [`unit of distance: ${unit} (from ${compared} activities)`];
  const candidates = compared > 0 ? `, possible: ${possible.join(", ") || "none"}` : "";
  return [`unit of distance: unknown (${compared} comparable activities${candidates})`];
}

interface ReportOptions {
  recorded?: readonly NamedFixture[];
  accepted?: readonly AcceptedDrift[];
  /** Whether a run that did not check every read operation may be `same`. */
  allowPartial?: boolean;
  at: Date;
}

/** The report of a run, and the comparison with accepted drift in it. */
export function reportOf(run: PlanOutcome, { recorded = [], accepted = [], allowPartial = false, at }: ReportOptions): VerifyReport {
  const { outcomes, skipped, jobs, requests } = run;
  const named = ({ step }: Pick<StepOutcome, "step">) => ({ operation: step.operation, call: step.name });
  const date = at.toISOString();
  const compared = compareWithAccepted(findingsOf(outcomes, recorded), accepted, date.slice(0, 10), (entry) =>
    couldSee(entry, run, recorded),
  );
  const inconclusive = outcomes.filter(isInconclusive).map((outcome) => ({ ...named(outcome), reason: failureOf(outcome.error) }));
  const checked = outcomes
    .filter((outcome) => !isInconclusive(outcome))
    .map((outcome) => ({ ...named(outcome), title: outcome.step.title, milliseconds: outcome.milliseconds }));
  const partial = notChecked(run);
  const isComplete = inconclusive.length === 0 && checked.length > 0 && (allowPartial || partial.length === 0);
  return {
    status: compared.findings.length > 0 ? "differs" : isComplete ? "same" : "couldNotCheck",
    date,
    requests,
    ...compared,
    inconclusive,
    checked,
    skipped: skipped.map((one) => ({ ...named(one), reason: one.reason })),
    notChecked: partial,
    jobsLeftBehind: jobs,
    observations: distanceUnit(outcomes),
    coverage: coverageIn(outcomes),
  };
}
