import { type FleetError, type FleetErrorCode, type Operation, operations } from "@fleetwire/core";
import type { Violation } from "../checks/response-rules.ts";
import { isFieldName, type NamedFixture } from "../fixtures/fixture.ts";
import { pathsIn } from "../json-values.ts";
import type { StepOutcome } from "./run-plan.ts";
import { type DriftFinding, placeOf } from "./verify-report.ts";

/** A violation, and the call that revealed it. */
type Revealed = Violation & { operation: string; call: string };

/** Failures that say nothing about the contract. */
const INCONCLUSIVE: readonly FleetErrorCode[] = [
  ...(["unauthorized", "forbidden", "rateLimited", "timeout", "aborted", "network", "upstream", "tooLarge", "config"] as const),
];

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
export const isInconclusive = ({ step, error }: StepOutcome): boolean =>
  error !== undefined && (INCONCLUSIVE.includes(error.code) || (error.operation !== undefined && error.operation !== step.operation));

/** Fields in an operation's recordings that no response of this run contains. */
function vanished(outcomes: readonly StepOutcome[], recorded: readonly NamedFixture[]): Revealed[] {
  const completed = outcomes.filter(({ error }) => !error).map(({ step }) => step);
  return [...new Set(completed.map(({ operation }) => operation))].flatMap((operation) => {
    const call = completed.find((step) => step.operation === operation)?.name ?? operation;
    const own = outcomes.filter(({ step }) => step.operation === operation);
    const now = new Set(own.flatMap(({ value }) => [...pathsIn(value).keys()]));
    const before = recorded.flatMap((one) =>
      one.operation === operation && "value" in one.expect ? [...pathsIn(one.expect.value).keys()] : [],
    );
    const drifted = own.flatMap(({ violations }) => violations);
    const isGone = (path: string) => now.size > 0 && !now.has(path) && !drifted.some((drift) => liesIn(path, drift));
    const missing = { operation, call, kind: "vanished field", expected: "a field, as in the recordings", actual: ["absent"] };
    return [...new Set(before)].filter(isGone).map((path) => ({ ...missing, path: shownPath(path) }));
  });
}

/** Why a call failed, without the service's own messages: they may contain personal data, and reports may be logged. */
export function failureOf(error: FleetError | undefined): string {
  if (!error) return "";
  const { code, errors, status, summary } = error;
  if (errors.length === 0) return `${code}: ${summary}`;
  return `${code}: HTTP ${status}, ${errors.length === 1 ? "1 error" : `${errors.length} errors`} from the service`;
}

const EXAMPLES = 3;

/** Sums equal differences of several calls. */
function merged(revealed: readonly Revealed[]): DriftFinding[] {
  const found = new Map<string, DriftFinding>();
  for (const { operation, call, path, kind, expected, actual, examples = [], records = 1, of = records } of revealed) {
    const place = placeOf({ operation, path, kind });
    const known = found.get(place);
    found.set(place, {
      operation,
      path,
      kind,
      expected,
      actual: [...new Set([...(known?.actual ?? []), ...actual])].sort(),
      examples: [...new Set([...(known?.examples ?? []), ...examples])].slice(0, EXAMPLES),
      records: (known?.records ?? 0) + records,
      of: (known?.of ?? 0) + of,
      calls: [...new Set([...(known?.calls ?? []), call])],
    });
  }
  return [...found.values()];
}

function violationsOf(outcome: StepOutcome): Revealed[] {
  const { step, violations, error } = outcome;
  const { secretOutput }: Operation = operations[step.operation];
  const named = { operation: step.operation, call: step.name };
  const shown = violations.map((one) => ({ ...named, ...one, path: shownPath(one.path), ...(secretOutput && { examples: [] }) }));
  if (!error || isInconclusive(outcome)) return shown;
  const expected = "status 200 and the documented body";
  return [...shown, { ...named, path: "$", kind: "call failed", expected, actual: [failureOf(error)] }];
}

/** The differences that a run revealed. `recorded` is what the deployment returned earlier, if known. */
export function findingsOf(outcomes: readonly StepOutcome[], recorded: readonly NamedFixture[]): DriftFinding[] {
  return merged([...outcomes.flatMap(violationsOf), ...vanished(outcomes, recorded)]);
}
