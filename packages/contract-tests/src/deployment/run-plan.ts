import { type CallOptions, type FleetConfig, FleetError, type Operation, type OperationName, operations } from "@fleetwire/core";
import { missingServers, parseJson } from "@fleetwire/core/internal";
import { repeatedPage, responseViolations, type Violation } from "../checks/response-rules.ts";
import { isRecordable } from "../fixtures/placeholders.ts";
import { callPlan, POSITIONS, type Seen, type Step } from "./call-plan.ts";
import { driftViolations } from "./drift-evidence.ts";
import { type Exchange, type ObservedClient, observe, type RequestLimits } from "./observed-client.ts";

/** The outcome of one call in the plan. */
export interface StepOutcome {
  step: Step;
  input: Record<string, unknown>;
  /** What the client returned, or why it failed. */
  value?: unknown;
  error?: FleetError | undefined;
  violations: Violation[];
  milliseconds: number;
  /** The exchange of the call itself, not of a token request before it. */
  exchange: Exchange | undefined;
  /** The body of the response; undefined if it is not JSON. */
  body: unknown;
}

export interface PlanOutcome {
  outcomes: StepOutcome[];
  /** Skipped steps, and why; `isLeftOut` if the caller's options say so, not the deployment. */
  skipped: { step: Step; reason: string; isLeftOut: boolean }[];
  /** Numbers of jobs that remain in the deployment. */
  jobs: string[];
  requests: number;
}

interface PlanOptions extends RequestLimits {
  config: FleetConfig;
  allowWrites: boolean;
  /** Whether an operation is to be checked. */
  selects?: ((operation: OperationName) => boolean) | undefined;
  /** Whether live positions may be read for inputs although they are not to be checked. */
  readsForInput?: boolean | undefined;
  signal: AbortSignal;
  now: () => number;
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
  const operation: Operation = operations[step.operation];
  const body = parseJson(exchange?.responseBody ?? "");
  const violations = driftViolations(operation.output, drift, body);
  if (!error) {
    violations.push(...responseViolations(step.operation, input, value));
    if (first) violations.push(...repeatedPage(operation, value, first));
    if (exchange && !operation.undocumented) violations.push(...exchangeViolations(exchange));
  }
  return { step, input, value, error, violations, milliseconds, exchange, body };
}

const jobNumberOf = ({ value, error }: StepOutcome): string | undefined =>
  error?.jobNumber ?? (value as { job?: { jobNumber?: string } } | undefined)?.job?.jobNumber;

/** A service may return anything as a job number, and reports may be logged. */
const shownNumber = (number: string): string => (/^(?=.*\d)[A-Za-z\d][A-Za-z\d._/-]{0,39}$/.test(number) ? number : "<job number>");

/** A rejected job does not exist; after any other failure, the job may exist. */
export const mayExist = ({ error }: StepOutcome): boolean =>
  !(error && ["input", "rejected", "conflict", "unauthorized", "forbidden", "notFound"].includes(error.code));

/** Runs those calls of the plan that are selected and for which the deployment is configured, one at a time. */
export async function runPlan(options: PlanOptions): Promise<PlanOutcome> {
  const { config, allowWrites, selects = () => true, readsForInput, signal, now, onProgress } = options;
  const client = observe(config, options, signal);
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
  const inputOf = async (step: Step) => {
    const input = step.input(seen, new Date(now()));
    if (input !== undefined || !readsForInput || seen.has(POSITIONS.name)) return input;
    if (missingServers(operations[POSITIONS.operation], config).length === 0) await run(POSITIONS, {});
    return step.input(seen, new Date(now()));
  };
  for (const step of callPlan) {
    const operation: Operation = operations[step.operation];
    const skip = (reason: string, isLeftOut = false) => result.skipped.push({ step, reason, isLeftOut });
    const missing = missingServers(operation, config);
    if (!selects(step.operation)) skip("not selected", true);
    else if (missing.length > 0) skip(`not configured: ${missing.join(", ")}`);
    else if (step.writes && !allowWrites) skip("writes need --allow-writes");
    else {
      const input = await inputOf(step);
      const outcome = input === undefined || client.isExhausted() ? undefined : await run(step, input);
      if (input === undefined) skip("no earlier response provides input for it");
      else if (!outcome || (outcome.error && client.isExhausted())) skip("--max-requests is reached", true);
      else {
        result.outcomes.push(outcome);
        const number = operation.effect === "create" && mayExist(outcome) ? jobNumberOf(outcome) : undefined;
        if (number !== undefined) result.jobs.push(shownNumber(number));
      }
    }
  }
  return { ...result, requests: client.requests() };
}
