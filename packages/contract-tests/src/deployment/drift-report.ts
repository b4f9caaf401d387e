import type { FleetError, FleetErrorCode } from "@fleetwire/core";
import { placesIn } from "../checks/presence.ts";
import { isFieldName, type NamedFixture } from "../fixtures/fixture.ts";
import type { PlanOutcome } from "./run-plan.ts";

/** One way in which a deployment differs from the contract. */
interface DriftFinding {
  operation: string;
  /** The call that it was seen in. */
  step: string;
  /** Such as `$[*].speed`. */
  path: string;
  kind: string;
  count: number;
}

export interface DeploymentReport {
  status: "holds" | "drift" | "couldNotRun";
  findings: DriftFinding[];
  /** Calls to which no answer came that could be judged. */
  inconclusive: { operation: string; step: string; reason: string }[];
  checked: { operation: string; step: string }[];
  skipped: { operation: string; step: string; reason: string }[];
  jobsLeftBehind: string[];
}

/** Failures that tell nothing of the contract. */
const INCONCLUSIVE = new Set<FleetErrorCode>([
  "unauthorized",
  "forbidden",
  "rateLimited",
  "timeout",
  "aborted",
  "network",
  "upstream",
  "tooLarge",
  "config",
]);

const asDriftPath = (place: string) => `$${place.startsWith("[]") ? "" : "."}${place}`.replaceAll("[]", "[*]");

/** Whether a place is that of a drift or lies within it: what the client left out for another reason has not vanished. */
const liesIn = (place: string, { path }: { path: string }) =>
  place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`);

/** The place of a drift. A name that nobody described may be somebody's, and reports go into logs. */
function shownPath(path: string): string {
  const parts = path.split(".");
  const at = parts.findIndex((part, place) => place > 0 && !isFieldName(part.replaceAll("[*]", "")));
  return at < 0 ? path : `${parts.slice(0, at).join(".")}.<name>`;
}

/** Whether a call failed in a way that tells nothing of its operation: it had no leave or no connection, or no token came for it. */
const isInconclusive = ({ step, error }: PlanOutcome["outcomes"][number]): boolean =>
  error !== undefined && (INCONCLUSIVE.has(error.code) || (error.operation !== undefined && error.operation !== step.operation));

/** Fields that recordings of a step's operation hold and that no answer of this run does. */
function vanished(outcomes: PlanOutcome["outcomes"], recorded: readonly NamedFixture[]): DriftFinding[] {
  const operations = new Set(outcomes.filter(({ error }) => !error).map(({ step }) => step.operation));
  return [...operations].flatMap((operation) => {
    const own = outcomes.filter(({ step }) => step.operation === operation);
    const now = new Set(own.flatMap(({ value }) => [...placesIn(value).keys()]));
    if (now.size === 0) return [];
    const before = new Set(
      recorded
        .filter((fixture) => fixture.operation === operation && "value" in fixture.expect)
        .flatMap(({ expect }) => [...placesIn("value" in expect ? expect.value : undefined).keys()]),
    );
    const step = own.find(({ error }) => !error)?.step.name ?? operation;
    const drifted = own.flatMap(({ drift }) => drift);
    return [...before]
      .filter((place) => !now.has(place))
      .map(asDriftPath)
      .filter((path) => !drifted.some((drift) => liesIn(path, drift)))
      .map((path) => ({ operation, step, path: shownPath(path), kind: "vanished field", count: 1 }));
  });
}

/** Why a call failed, in our words: what the service itself says may name somebody, and reports go into logs. */
function failureOf(error: FleetError | undefined): string {
  if (!error) return "";
  const said = error.errors.length > 0;
  return said
    ? `${error.code}: HTTP ${error.status}, with ${error.errors.length === 1 ? "an error" : `${error.errors.length} errors`} of the service`
    : `${error.code}: ${error.summary}`;
}

/** What a run over a deployment found. */
export function reportOf({ outcomes, skipped, jobs }: PlanOutcome, recorded: readonly NamedFixture[]): DeploymentReport {
  const named = ({ step }: { step: { operation: string; name: string } }) => ({ operation: step.operation, step: step.name });
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const findings = [
    ...outcomes.flatMap((outcome) => outcome.drift.map((drift) => ({ ...named(outcome), ...drift, path: shownPath(drift.path) }))),
    ...failed
      .filter((outcome) => !isInconclusive(outcome))
      .map((outcome) => ({ ...named(outcome), path: "$", kind: failureOf(outcome.error), count: 1 })),
    ...vanished(outcomes, recorded),
  ];
  const inconclusive = failed.filter(isInconclusive).map((outcome) => ({ ...named(outcome), reason: failureOf(outcome.error) }));
  const checked = outcomes.filter((outcome) => !inconclusive.some(({ step }) => step === outcome.step.name)).map(named);
  const couldNotRun = inconclusive.length > 0 || checked.length === 0;
  return {
    status: findings.length > 0 ? "drift" : couldNotRun ? "couldNotRun" : "holds",
    findings,
    inconclusive,
    checked,
    skipped: skipped.map(({ step, reason }) => ({ operation: step.operation, step: step.name, reason })),
    jobsLeftBehind: jobs,
  };
}
