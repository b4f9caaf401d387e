import type { FleetError, FleetErrorCode, LivePosition } from "@fleetwire/core";
import { selectsByDate } from "@fleetwire/core/internal";
import { pathsIn } from "../checks/presence.ts";
import { isFieldName, type NamedFixture } from "../fixtures/fixture.ts";
import type { PlanOutcome } from "./run-plan.ts";

/** One difference between a deployment and the contract. */
interface DriftFinding {
  operation: string;
  /** The call that revealed it. */
  step: string;
  /** Such as `$[*].speed`. */
  path: string;
  kind: string;
  count: number;
}

export interface DeploymentReport {
  status: "holds" | "drift" | "couldNotRun";
  findings: DriftFinding[];
  /** Calls that returned no checkable response. */
  inconclusive: { operation: string; step: string; reason: string }[];
  checked: { operation: string; step: string }[];
  skipped: { operation: string; step: string; reason: string }[];
  jobsLeftBehind: string[];
  /** How the deployment resolves what the interface leaves open. */
  observations: string[];
}

/** Failures that say nothing about the contract. */
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

/** Whether a path is at or below a drift: a field that the client dropped because of drift has not vanished. */
const liesIn = (place: string, { path }: { path: string }) =>
  place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`);

/** The path of a drift with undocumented names hidden: they may be personal, and reports may be logged. */
function shownPath(path: string): string {
  const parts = path.split(".");
  const at = parts.findIndex((part, place) => place > 0 && !isFieldName(part.replaceAll("[*]", "")));
  return at < 0 ? path : `${parts.slice(0, at).join(".")}.<name>`;
}

/** Whether a failure says nothing about the operation: no permission, no connection or no token. */
const isInconclusive = ({ step, error }: PlanOutcome["outcomes"][number]): boolean =>
  error !== undefined && (INCONCLUSIVE.has(error.code) || (error.operation !== undefined && error.operation !== step.operation));

/** Fields in an operation's recordings that no response of this run contains. */
function vanished(outcomes: PlanOutcome["outcomes"], recorded: readonly NamedFixture[]): DriftFinding[] {
  const operations = new Set(outcomes.filter(({ error }) => !error).map(({ step }) => step.operation));
  return [...operations].flatMap((operation) => {
    const own = outcomes.filter(({ step }) => step.operation === operation);
    const now = new Set(own.flatMap(({ value }) => [...pathsIn(value).keys()]));
    if (now.size === 0) return [];
    const before = new Set(
      recorded
        .filter((fixture) => fixture.operation === operation && "value" in fixture.expect)
        .flatMap(({ expect }) => [...pathsIn("value" in expect ? expect.value : undefined).keys()]),
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

/** Why a call failed, without the service's own messages: they may contain personal data, and reports may be logged. */
function failureOf(error: FleetError | undefined): string {
  if (!error) return "";
  const hasDetails = error.errors.length > 0;
  return hasDetails
    ? `${error.code}: HTTP ${error.status}, ${error.errors.length === 1 ? "1 error" : `${error.errors.length} errors`} from the service`
    : `${error.code}: ${error.summary}`;
}

/** Says whether `fromDateTime` selects positions by date, which is what FLEET_FULL_READ_SECONDS relies on. */
function observedSelection(outcomes: PlanOutcome["outcomes"]): string[] {
  const outcomeOf = (name: string) => outcomes.find(({ step }) => step.name === name);
  const [all, since] = [outcomeOf("list-live-positions"), outcomeOf("list-live-positions-since")];
  if (all?.value === undefined || since?.value === undefined) return [];
  const from = new Date(String(since.input["fromDateTime"]));
  return selectsByDate(all.value as LivePosition[], since.value as LivePosition[], from)
    ? ["fromDateTime selects live positions by date: you can set FLEET_FULL_READ_SECONDS"]
    : ["fromDateTime does not select live positions by date: leave FLEET_FULL_READ_SECONDS unset"];
}

/** The report of a run. */
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
    observations: observedSelection(outcomes),
  };
}
