import { type CallOptions, type FleetConfig, FleetError, missingServers, type Operation, operations } from "@fleetwire/core";
import { repeatedPage, responseViolations } from "../checks/response-rules.ts";
import { callPlan, type Seen, type Step } from "./call-plan.ts";
import { type Exchange, type ObservedClient, observe } from "./observed-client.ts";

/** How one call of the plan went. */
export interface StepOutcome {
  step: Step;
  input: Record<string, unknown>;
  /** What the client gave, or why it failed. */
  value?: unknown;
  error?: FleetError;
  drift: { path: string; kind: string; count: number }[];
  /** The exchange of the call itself, without the token request before it. */
  exchange: Exchange | undefined;
}

export interface PlanOutcome {
  outcomes: StepOutcome[];
  /** Steps that were not made, and why. */
  skipped: { step: Step; reason: string }[];
  /** Numbers of jobs that are left behind. */
  jobs: string[];
}

export interface PlanOptions {
  config: FleetConfig;
  userAgent: string;
  allowWrites: boolean;
  signal: AbortSignal;
  now?: () => number;
  onProgress: (step: Step, at: number, of: number) => void;
}

async function make(
  step: Step,
  input: Record<string, unknown>,
  client: ObservedClient,
  seen: Seen,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const method = client.fleet[step.operation] as unknown as (input: unknown, options: CallOptions) => Promise<unknown>;
  let value: unknown;
  let error: FleetError | undefined;
  try {
    value = await method(input, { signal });
  } catch (caught) {
    if (!(caught instanceof FleetError)) throw caught;
    error = caught;
  }
  // Where no token came the call itself never went out, and the last exchange is another operation's.
  const last = client.exchanges().at(-1);
  const exchange = error && error.operation !== step.operation ? undefined : last;
  const first = seen.get(step.firstPage ?? "");
  const drift = client.drift().flatMap((report) => (report.operation === step.operation ? report.drift : []));
  const violations = error
    ? []
    : responseViolations(step.operation, input, value).concat(first ? repeatedPage(step.operation, value, first) : []);
  return {
    step,
    input,
    value,
    ...(error && { error }),
    drift: [...drift, ...violations.map((violation) => ({ ...violation, count: 1 }))],
    exchange,
  };
}

const jobNumberOf = ({ value, error }: StepOutcome): string | undefined =>
  error?.jobNumber ?? (value as { job?: { jobNumber?: string } } | undefined)?.job?.jobNumber;

/** A service may answer with anything for a number, and reports go into logs. */
const shownNumber = (number: string): string =>
  /^(?=.*\d)[A-Za-z\d][A-Za-z\d._/-]{0,39}$/.test(number) ? number : "<number of the service>";

/** Makes the calls of the plan that a deployment is configured for, one after the other. */
export async function runPlan({ config, userAgent, allowWrites, signal, now = Date.now, onProgress }: PlanOptions): Promise<PlanOutcome> {
  const client = observe(config, userAgent);
  const seen = new Map<string, unknown>();
  const result: PlanOutcome = { outcomes: [], skipped: [], jobs: [] };
  for (const [at, step] of callPlan.entries()) {
    const operation: Operation = operations[step.operation];
    const missing = missingServers(operation, config);
    const input = step.input(seen, new Date(now()));
    const reason =
      missing.length > 0
        ? `not configured: ${missing.join(", ")}`
        : step.writes && !allowWrites
          ? "writes are made with --allow-writes only"
          : input === undefined
            ? "no answer so far leads to it"
            : undefined;
    if (reason !== undefined || input === undefined) {
      result.skipped.push({ step, reason: reason ?? "" });
      continue;
    }
    signal.throwIfAborted();
    onProgress(step, at + 1, callPlan.length);
    const outcome = await make(step, input, client, seen, signal);
    signal.throwIfAborted();
    seen.set(step.name, outcome.value);
    result.outcomes.push(outcome);
    const number = operation.effect === "create" ? jobNumberOf(outcome) : undefined;
    // What was refused is not there; of everything else it may be.
    if (
      number !== undefined &&
      !(outcome.error && ["input", "rejected", "conflict", "unauthorized", "forbidden", "notFound"].includes(outcome.error.code))
    )
      result.jobs.push(shownNumber(number));
  }
  return result;
}
