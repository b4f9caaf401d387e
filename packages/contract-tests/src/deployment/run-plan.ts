import { type CallOptions, type FleetConfig, FleetError, type Operation, type OperationName, operations } from "@fleetwire/core";
import { missingServers } from "@fleetwire/core/internal";
import { repeatedPage, responseViolations, type Violation } from "../checks/response-rules.ts";
import { isRecordable } from "../fixtures/recorded-headers.ts";
import { callPlan, type Seen, type Step } from "./call-plan.ts";
import { driftViolations } from "./drift-evidence.ts";
import { type Exchange, type ObservedClient, observe, type RequestLimits } from "./observed-client.ts";

/** The outcome of one call in the plan. */
export interface StepOutcome {
  step: Step;
  input: Record<string, unknown>;
  /** What the client returned, or why it failed. */
  value?: unknown;
  error?: FleetError;
  violations: Violation[];
  milliseconds: number;
  /** The exchange of the call itself, not of a token request before it. */
  exchange: Exchange | undefined;
}

export interface PlanOutcome {
  outcomes: StepOutcome[];
  /** Skipped steps, and why. */
  skipped: { step: Step; reason: string; cause: SkipCause }[];
  /** Numbers of jobs that remain in the deployment. */
  jobs: string[];
  requests: number;
}

/** Why a step was skipped. */
type SkipCause = "configuration" | "writes" | "input" | "selection" | "maxRequests";

interface PlanOptions extends RequestLimits {
  config: FleetConfig;
  userAgent: string;
  allowWrites: boolean;
  /** Whether an operation is to be checked. */
  selects?: ((operation: OperationName) => boolean) | undefined;
  /** Whether live positions may be read for inputs although they are not to be checked. */
  readsForInput?: boolean | undefined;
  signal: AbortSignal;
  now?: () => number;
  onProgress: (step: Step, at: number, of: number) => void;
}

/** All documented responses have status 200 and JSON bodies (interface 4, 5.2); the client also accepts others. */
function exchangeViolations({ status, responseHeaders }: Exchange): Violation[] {
  const type = responseHeaders["content-type"] ?? "";
  const [essence = ""] = type.toLowerCase().split(";");
  // A service may send anything as a type.
  const shown = type === "" ? "none" : isRecordable("content-type", essence.trim()) ? essence.trim() : "another";
  return [
    ...(status === 200 ? [] : [{ path: "$", kind: "another status", expected: "200", actual: [String(status)] }]),
    ...(shown === "application/json" ? [] : [{ path: "$", kind: "another content-type", expected: "application/json", actual: [shown] }]),
  ];
}

/** Makes one call, and compares its response with the contract. */
export async function runStep(
  step: Step,
  input: Record<string, unknown>,
  client: ObservedClient,
  seen: Seen,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const method = client.fleet[step.operation] as unknown as (input: unknown, options: CallOptions) => Promise<unknown>;
  let value: unknown;
  let error: FleetError | undefined;
  const start = performance.now();
  try {
    value = await method(input, { signal });
  } catch (caught) {
    if (!(caught instanceof FleetError)) throw caught;
    error = caught;
  }
  const milliseconds = Math.round(performance.now() - start);
  // If no token was granted, the call itself was never sent, and the last exchange is the token request.
  const last = client.exchanges().at(-1);
  const exchange = error && error.operation !== step.operation ? undefined : last;
  const first = seen.get(step.firstPage ?? "");
  const drift = client.drift().flatMap((report) => (report.operation === step.operation ? report.drift : []));
  const { undocumented }: Operation = operations[step.operation];
  const violations = error
    ? []
    : [
        ...responseViolations(step.operation, input, value),
        ...(first ? repeatedPage(step.operation, value, first) : []),
        ...(exchange && !undocumented ? exchangeViolations(exchange) : []),
      ];
  return {
    step,
    input,
    value,
    ...(error && { error }),
    violations: [...driftViolations(operations[step.operation].output, drift, exchange?.responseBody ?? ""), ...violations],
    milliseconds,
    exchange,
  };
}

const jobNumberOf = ({ value, error }: StepOutcome): string | undefined =>
  error?.jobNumber ?? (value as { job?: { jobNumber?: string } } | undefined)?.job?.jobNumber;

/** A service may return anything as a job number, and reports may be logged. */
const shownNumber = (number: string): string => (/^(?=.*\d)[A-Za-z\d][A-Za-z\d._/-]{0,39}$/.test(number) ? number : "<job number>");

/** A rejected job does not exist; after any other failure, the job may exist. */
export const mayExist = ({ error }: StepOutcome): boolean =>
  !(error && ["input", "rejected", "conflict", "unauthorized", "forbidden", "notFound"].includes(error.code));

const POSITIONS = callPlan.find(({ name }) => name === "list-live-positions");

/** Runs those calls of the plan that are selected and for which the deployment is configured, one at a time. */
export async function runPlan(options: PlanOptions): Promise<PlanOutcome> {
  const { config, userAgent, allowWrites, selects = () => true, readsForInput, signal, now = Date.now, onProgress } = options;
  const client = observe(config, userAgent, options, signal);
  const seen = new Map<string, unknown>();
  const result: PlanOutcome = { outcomes: [], skipped: [], jobs: [], requests: 0 };
  const run = async (step: Step, input: Record<string, unknown>): Promise<StepOutcome> => {
    signal.throwIfAborted();
    onProgress(step, callPlan.indexOf(step) + 1, callPlan.length);
    const outcome = await runStep(step, input, client, seen, signal);
    signal.throwIfAborted();
    seen.set(step.name, outcome.value);
    return outcome;
  };
  for (const step of callPlan) {
    const operation: Operation = operations[step.operation];
    const skip = (cause: SkipCause, reason: string) => void result.skipped.push({ step, reason, cause });
    const missing = missingServers(operation, config);
    if (!selects(step.operation)) {
      skip("selection", "not selected");
      continue;
    }
    if (missing.length > 0) {
      skip("configuration", `not configured: ${missing.join(", ")}`);
      continue;
    }
    if (step.writes && !allowWrites) {
      skip("writes", "writes need --allow-writes");
      continue;
    }
    let input = step.input(seen, new Date(now()));
    if (input === undefined && readsForInput && POSITIONS && !seen.has(POSITIONS.name)) {
      if (missingServers(operations[POSITIONS.operation], config).length === 0) await run(POSITIONS, {});
      input = step.input(seen, new Date(now()));
    }
    if (input === undefined) {
      skip("input", "no earlier response provides input for it");
      continue;
    }
    const outcome = client.isExhausted() ? undefined : await run(step, input);
    if (!outcome || (outcome.error && client.isExhausted())) {
      skip("maxRequests", "--max-requests is reached");
      continue;
    }
    result.outcomes.push(outcome);
    const number = operation.effect === "create" && mayExist(outcome) ? jobNumberOf(outcome) : undefined;
    if (number !== undefined) result.jobs.push(shownNumber(number));
  }
  return { ...result, requests: client.requests() };
}
