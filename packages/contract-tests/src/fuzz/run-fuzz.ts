import { type FleetConfig, type Operation, type OperationName, operations } from "@fleetwire/core";
import { missingServers } from "@fleetwire/core/internal";
import fc from "fast-check";
import { mayExist, type ObservedClient, observe, type RequestLimits, runStep, type StepOutcome } from "../deployment/index.ts";
import { curlLine } from "./curl-line.ts";
import { inputsOf } from "./inputs.ts";
import { type InvalidField, invalidFieldsOf, withInvalid } from "./invalid-values.ts";
import { judgeInvalid, judgeValid, lost, type Problem, repeated } from "./judge-call.ts";
import { type KnownValues, readKnownValues } from "./known-values.ts";

type Json = Record<string, unknown>;

/** What breaks the contract, with the fewest requests that show it. */
interface FuzzFinding {
  problem: string;
  /** The last one shows the problem; those before it lead to it. */
  curl: string[];
}

export interface FuzzReport {
  seed: number;
  sequences: number;
  requests: number;
  findings: FuzzFinding[];
  /** Operations that were not called, and why. */
  skipped: { operation: string; reason: string }[];
  /** What was written and remains. */
  left: string[];
}

export interface FuzzOptions extends RequestLimits {
  config: FleetConfig;
  userAgent: string;
  seed: number;
  sequences: number;
  maxWrites: number;
  selects: (operation: OperationName) => boolean;
  signal: AbortSignal;
  now: () => number;
  onProgress: (sequences: number, findings: number) => void;
  /** Gets what was written and remains if the run does not end. */
  onFailure: (left: readonly string[]) => void;
}

/** Written to a staging copy, so that people who find it know what it is. */
const LABEL = "Fleetwire fuzz";
const ADDRESS = "Quai Perrache 10, 69002 Lyon, France";
const RESTORE_MS = 60_000;
/** Ends a run whose deployment is broken in every way. */
const MAX_FINDINGS = 100;

/** What is looked at after a write: whether it was kept, and whether it can be made twice. */
type Afterwards = "look" | "again";

/** One call of a sequence. */
interface FuzzStep {
  operation: Operation;
  input: Json;
  invalid?: InvalidField;
  then?: readonly Afterwards[];
}

class Fuzzer {
  readonly #options: FuzzOptions;
  readonly #client: ObservedClient;
  #known: KnownValues | undefined;
  /** Groups that did not get their names back. */
  readonly #left: string[] = [];
  /** The numbers of jobs that exist, or may. */
  readonly #created: string[] = [];
  readonly #renamed = new Set<string>();
  #invalid: InvalidField | undefined;
  /** What was sent last. */
  #sent: { url: string; requestBody: string } | undefined;
  #writes = 0;
  #numbers = 0;

  private constructor(options: FuzzOptions) {
    this.#options = options;
    const { config, userAgent, signal } = options;
    const send = config.fetch ?? globalThis.fetch;
    const fetch = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => send(...this.#altered(String(url), init));
    this.#client = observe({ ...config, fetch }, userAgent, options, signal);
  }

  /** Connects, and reads the values that inputs are made of. */
  static async start(options: FuzzOptions): Promise<Fuzzer> {
    const fuzzer = new Fuzzer(options);
    fuzzer.#known = await readKnownValues(fuzzer.#client, new Date(options.now()), options.signal);
    return fuzzer;
  }

  /** Makes the request of the current call invalid; a request for a token stays as it is. */
  #altered(url: string, init: RequestInit): [url: string, init: RequestInit] {
    const invalid = this.#invalid;
    const isToken = new URL(url).pathname.endsWith(operations.requestAccessToken.path);
    const sent = invalid && !isToken ? withInvalid(url, init, invalid) : ([url, init] satisfies [string, RequestInit]);
    this.#sent = { url: sent[0], requestBody: typeof sent[1].body === "string" ? sent[1].body : "" };
    return sent;
  }

  /** Makes a call, and adds its request to the lines of curl. */
  async #call(operation: Operation, input: Json, curl: string[], invalid?: InvalidField): Promise<StepOutcome> {
    const step = { name: operation.name, title: operation.summary, operation: operation.name as OperationName, input: () => input };
    this.#invalid = invalid;
    const outcome = await runStep(step, input, this.#client, new Map(), this.#options.signal);
    this.#invalid = undefined;
    this.#options.signal.throwIfAborted();
    if (outcome.exchange) curl.push(curlLine({ ...outcome.exchange, ...this.#sent }));
    return outcome;
  }

  /** The optional text of a write that says where it comes from. */
  #labelled(operation: Operation, input: Json, number: string): Json {
    const { idempotencyKey } = operation;
    return idempotencyKey
      ? { ...input, address: ADDRESS, jobTitle: `${LABEL}, may be deleted`, [idempotencyKey.field]: number }
      : { ...input, name: `${LABEL} ${number}` };
  }

  /** Runs a sequence until something breaks the contract. */
  async run(steps: readonly FuzzStep[], isNew: (problem: Problem) => boolean): Promise<{ problem: Problem; curl: string[] } | undefined> {
    for (const { operation, input, invalid, then = [] } of steps) {
      const isWrite = operation.effect !== "read";
      if (this.#client.isExhausted() || (isWrite && this.#writes >= this.#options.maxWrites)) continue;
      const number = `FZ-${this.#options.seed}-${++this.#numbers}`;
      const sent = isWrite ? this.#labelled(operation, input, number) : input;
      if (isWrite) this.#writes++;
      const curl: string[] = [];
      const outcome = await this.#call(operation, sent, curl, invalid);
      if (isWrite && mayExist(outcome)) this.#remember(operation, number, sent);
      const problems = invalid ? judgeInvalid(operation, invalid, outcome) : judgeValid(operation, outcome);
      if (!outcome.error && !invalid)
        for (const what of then)
          problems.push(...(await (what === "again" ? this.#again(operation, sent, curl) : this.#look(operation, sent, curl))));
      const problem = problems.find(isNew);
      if (problem) return { problem, curl };
    }
    return undefined;
  }

  /** What remains of a write: a job, or the name of a group until it is given back. */
  #remember(operation: Operation, number: string, input: Json): void {
    if (operation.effect === "create") this.#created.push(number);
    else this.#renamed.add(String(input["id"]));
  }

  /** Creates the same again, which the contract forbids. */
  async #again(operation: Operation, input: Json, curl: string[]): Promise<Problem[]> {
    const { idempotencyKey } = operation;
    if (!idempotencyKey) return [];
    this.#writes++;
    const outcome = await this.#call(operation, input, curl);
    return outcome.error ? [] : [repeated(operation.name, idempotencyKey.field)];
  }

  /** Looks whether a write was kept. */
  async #look(operation: Operation, input: Json, curl: string[]): Promise<Problem[]> {
    const { name, idempotencyKey: key } = operation;
    if (!key) {
      const outcome = await this.#call(operation, { id: input["id"] }, curl);
      const kept = (outcome.value as { name?: unknown } | undefined)?.name;
      return outcome.error || kept === undefined || kept === input["name"] ? [] : [lost(name, "a name")];
    }
    const listing = key.listedBy === undefined ? undefined : (operations[key.listedBy as OperationName] as Operation);
    if (!listing || missingServers(listing, this.#options.config).length > 0) return [];
    const outcome = await this.#call(listing, {}, curl);
    const listed = JSON.stringify(outcome.value ?? "");
    const isListed = (number: string) => listed.includes(JSON.stringify(number));
    // A list that shows no other new record may be one page of several.
    const showsNew = this.#created.some(isListed);
    return outcome.error || isListed(String(input[key.field])) || !showsNew ? [] : [lost(name, `the record with its ${key.field}`)];
  }

  /** Gives groups their names back, whatever ended the run. */
  async restore(): Promise<void> {
    const { config, userAgent } = this.#options;
    const signal = AbortSignal.timeout(RESTORE_MS);
    const client = observe(config, userAgent, {}, signal);
    for (const id of this.#renamed) {
      const name = this.#known?.groups.find((group) => group.id === id)?.name;
      try {
        await client.fleet.updateGroup({ id, ...(name !== undefined && { name }) }, { signal });
      } catch {
        this.#left.push(`the name of group ${id}`);
      }
    }
  }

  /** Arbitrary steps, and what cannot be called. */
  steps(): { arbitrary: fc.Arbitrary<FuzzStep> | undefined; skipped: FuzzReport["skipped"] } {
    const skipped: FuzzReport["skipped"] = [];
    const arbitraries: fc.Arbitrary<FuzzStep>[] = [];
    for (const operation of Object.values<Operation>(operations)) {
      const { name } = operation;
      const skip = (reason: string) => skipped.push({ operation: name, reason });
      const isWrite = operation.effect !== "read";
      if (operation.secretOutput || !this.#options.selects(name as OperationName)) continue;
      const missing = missingServers(operation, this.#options.config);
      // Nothing is known of the parameters of a list that is known by its path only.
      const inputs = operation.undocumented ? fc.constant({}) : this.#known && inputsOf(operation, this.#known);
      if (missing.length > 0) skip(`not configured: ${missing.join(", ")}`);
      else if (isWrite && this.#options.maxWrites === 0) skip("writes need --allow-writes");
      else if (!inputs) skip("the deployment shows no values for its required fields");
      else {
        const afterwards = fc.subarray<Afterwards>(isWrite ? ["look", "again"] : []);
        arbitraries.push(fc.tuple(inputs, afterwards).map(([input, then]) => ({ operation, input, then })));
        const invalid = operation.undocumented ? [] : invalidFieldsOf(operation);
        if (invalid.length > 0)
          arbitraries.push(fc.tuple(inputs, fc.constantFrom(...invalid)).map(([input, one]) => ({ operation, input, invalid: one })));
      }
    }
    return { arbitrary: arbitraries.length > 0 ? fc.oneof(...arbitraries) : undefined, skipped };
  }

  get requests(): number {
    return this.#client.requests();
  }

  get isExhausted(): boolean {
    return this.#client.isExhausted();
  }

  get left(): string[] {
    return [...this.#created.map((number) => `job ${number}`), ...this.#left];
  }
}

/** Sends generated sequences of calls, and reports what breaks the contract, each in its shortest form. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const fuzzer = await Fuzzer.start(options);
  try {
    const report = await findProblems(fuzzer, options);
    await fuzzer.restore();
    return { ...report, requests: fuzzer.requests, left: fuzzer.left };
  } catch (error) {
    await fuzzer.restore();
    options.onFailure(fuzzer.left);
    throw error;
  }
}

async function findProblems(fuzzer: Fuzzer, options: FuzzOptions): Promise<Omit<FuzzReport, "requests" | "left">> {
  const { arbitrary, skipped } = fuzzer.steps();
  const findings: FuzzFinding[] = [];
  const keys = new Set<string>();
  let done = 0;
  let seed = options.seed;
  while (arbitrary && done < options.sequences && findings.length < MAX_FINDINGS && !fuzzer.isExhausted) {
    /** While a sequence is made shorter, only its own problem counts. */
    let target: string | undefined;
    let shortest: { problem: Problem; curl: string[] } | undefined;
    const property = fc.asyncProperty(fc.array(arbitrary, { minLength: 1, maxLength: 4 }), async (steps) => {
      if (target === undefined) options.onProgress(done + 1, findings.length);
      const result = await fuzzer.run(steps, ({ key }) => (target === undefined ? !keys.has(key) : key === target));
      if (!result) return true;
      target = result.problem.key;
      shortest = result;
      return false;
    });
    const details = await fc.check(property, { seed: seed++, numRuns: options.sequences - done });
    options.signal.throwIfAborted();
    done += details.numRuns;
    if (!shortest) {
      // A failure that is none of the contract's is a mistake of this program.
      if (details.failed) throw details.errorInstance;
      break;
    }
    const { problem, curl } = shortest as { problem: Problem; curl: string[] };
    keys.add(problem.key);
    findings.push({ problem: problem.text, curl });
  }
  return { seed: options.seed, sequences: done, findings, skipped };
}
