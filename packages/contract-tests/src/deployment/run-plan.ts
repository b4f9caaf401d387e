import {
  type CallOptions,
  createFleetClient,
  type DriftReport,
  type FleetClient,
  type FleetConfig,
  FleetError,
  type Operation,
  operations,
} from "@fleetwire/core";
import { missingServers } from "@fleetwire/core/internal";
import { repeatedPage, responseViolations } from "../checks/response-rules.ts";
import { callPlan, type Seen, type Step } from "./call-plan.ts";

/** A request and its response as sent over the wire. It contains credentials: scrub it before it leaves this process. */
export interface Exchange {
  method: string;
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number;
  responseHeaders: Record<string, string>;
  responseBody: string;
}

interface ObservedClient {
  fleet: FleetClient;
  /** Exchanges since the last call of this method, including token requests. */
  exchanges(): Exchange[];
  drift(): DriftReport[];
}

/** A client without retries that records every exchange, as far as the client reads it. */
function observe(config: FleetConfig, userAgent: string): ObservedClient {
  let exchanges: Exchange[] = [];
  let drift: DriftReport[] = [];
  const send = config.fetch ?? globalThis.fetch;
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { body, status, statusText, headers } = await send(input, init);
    const chunks: Uint8Array[] = [];
    const observed = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
    });
    exchanges.push({
      method: init.method ?? "GET",
      url: input instanceof Request ? input.url : String(input),
      requestHeaders: Object.fromEntries(new Headers(init.headers)),
      requestBody: typeof init.body === "string" ? init.body : "",
      status,
      responseHeaders: Object.fromEntries(headers),
      get responseBody() {
        return new TextDecoder().decode(Buffer.concat(chunks));
      },
    });
    return new Response(body?.pipeThrough(observed), { status, statusText, headers });
  };
  const fleet = createFleetClient({ ...config, fetch, userAgent, retries: 0, onDrift: (report) => drift.push(report) });
  const drain = <Item>(list: Item[], clear: () => void): Item[] => {
    clear();
    return list;
  };
  return {
    fleet,
    exchanges: () => drain(exchanges, () => (exchanges = [])),
    drift: () => drain(drift, () => (drift = [])),
  };
}

/** The outcome of one call in the plan. */
export interface StepOutcome {
  step: Step;
  input: Record<string, unknown>;
  /** What the client returned, or why it failed. */
  value?: unknown;
  error?: FleetError;
  drift: { path: string; kind: string; count: number }[];
  /** The exchange of the call itself, not of a token request before it. */
  exchange: Exchange | undefined;
}

export interface PlanOutcome {
  outcomes: StepOutcome[];
  /** Skipped steps, and why. */
  skipped: { step: Step; reason: string }[];
  /** Numbers of jobs that remain in the deployment. */
  jobs: string[];
}

interface PlanOptions {
  config: FleetConfig;
  userAgent: string;
  allowWrites: boolean;
  signal: AbortSignal;
  now?: () => number;
  onProgress: (step: Step, at: number, of: number) => void;
}

/** All documented responses have status 200 and JSON bodies (interface 4, 5.2); the client also accepts others. */
function exchangeViolations({ status, responseHeaders }: Exchange) {
  const isJson = /^application\/json\s*(;|$)/i.test(responseHeaders["content-type"] ?? "");
  return [
    ...(status === 200 ? [] : [{ path: "$", kind: `status ${status} instead of 200` }]),
    ...(isJson ? [] : [{ path: "$", kind: "content-type is not application/json" }]),
  ];
}

async function runStep(
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
    drift: [...drift, ...violations.map((violation) => ({ ...violation, count: 1 }))],
    exchange,
  };
}

const jobNumberOf = ({ value, error }: StepOutcome): string | undefined =>
  error?.jobNumber ?? (value as { job?: { jobNumber?: string } } | undefined)?.job?.jobNumber;

/** A service may return anything as a job number, and reports may be logged. */
const shownNumber = (number: string): string => (/^(?=.*\d)[A-Za-z\d][A-Za-z\d._/-]{0,39}$/.test(number) ? number : "<job number>");

/** Runs those calls of the plan for which the deployment is configured, one at a time. */
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
          ? "writes need --allow-writes"
          : input === undefined
            ? "no earlier response provides input for it"
            : undefined;
    if (reason !== undefined || input === undefined) {
      result.skipped.push({ step, reason: reason ?? "" });
      continue;
    }
    signal.throwIfAborted();
    onProgress(step, at + 1, callPlan.length);
    const outcome = await runStep(step, input, client, seen, signal);
    signal.throwIfAborted();
    seen.set(step.name, outcome.value);
    result.outcomes.push(outcome);
    const number = operation.effect === "create" ? jobNumberOf(outcome) : undefined;
    // A rejected job does not exist; after any other failure, the job may exist.
    if (
      number !== undefined &&
      !(outcome.error && ["input", "rejected", "conflict", "unauthorized", "forbidden", "notFound"].includes(outcome.error.code))
    )
      result.jobs.push(shownNumber(number));
  }
  return result;
}
