import { ApiError, createFleetClient, type FleetConfig, type Operation, type OperationName, operations } from "@fleetwire/core";
import { missingServers } from "@fleetwire/core/internal";
import fc from "fast-check";
import { type Exchange, type ObservedClient, observe, type RequestLimits } from "../deployment/observed-client.ts";
import { mayExist, runStep, type StepOutcome } from "../deployment/run-plan.ts";
import { type InvalidField, inputsOf, invalidFieldsOf, type KnownValues, readKnownValues, withInvalid } from "./inputs.ts";

type Json = Record<string, unknown>;

export interface FuzzReport {
  seed: number;
  sequences: number;
  requests: number;
  /** What breaks the contract, with the fewest requests that show it; the last one shows it, those before it lead to it. */
  findings: { problem: string; curl: string[] }[];
  /** Operations that were not called, and why. */
  skipped: { operation: string; reason: string }[];
  /** What was written and remains. */
  left: string[];
}

interface FuzzOptions extends RequestLimits {
  config: FleetConfig;
  seed: number;
  sequences: number;
  maxWrites: number;
  selects: (operation: OperationName) => boolean;
  signal: AbortSignal;
  now: () => number;
  /** Says how far it is and, if the run does not end, what was written and remains. */
  say: (text: string) => void;
}

/** Written to a staging copy, so that people who find it know what it is. */
const LABEL = "Fleetwire fuzz";
const ADDRESS = "Quai Perrache 10, 69002 Lyon, France";
const RESTORE_MS = 60_000;
/** Ends a run whose deployment is broken in every way. */
const MAX_FINDINGS = 100;

const SECRET_HEADER = /auth|token|cookie/i;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a line for a shell, which takes credentials from the environment. curl adds the headers that are missing. */
function curlLine({ method, url, requestHeaders, requestBody }: Exchange): string {
  const headers = Object.entries(requestHeaders).flatMap(([name, value]) => {
    if (SECRET_HEADER.test(name)) return [`-H "${name}: $${name.toUpperCase().replaceAll("-", "_")}"`];
    return name === "content-type" ? [`-H ${quoted(`${name}: ${value}`)}`] : [];
  });
  const [verb, body] = [method === "GET" ? [] : ["-X", method], requestBody === "" ? [] : ["-d", quoted(requestBody)]];
  return ["curl", "-i", ...verb, ...headers, ...body, quoted(url)].join(" ");
}

/** A way in which the deployment breaks the contract. */
interface Problem {
  /** The same problem is reported once. */
  key: string;
  /** What was expected and what happened, in a sentence. */
  text: string;
}

const problemOf = ({ name }: Operation, key: string, text: string): Problem => ({ key: `${name} ${key}`, text: `${name}: ${text}` });

/** Whether a body is an error as documented for a status: one, or a list of them. */
function isDocumentedError(body: unknown, form: "list" | "one"): boolean {
  const isError = (one: unknown) => ApiError.safeParse(one).success && Object.hasOwn(one as object, "errorMessage");
  return Array.isArray(body) === (form === "list") && [body].flat().every(isError);
}

/** Judges a call whose input is valid, except for one field if that is given. */
function judge(operation: Operation, { error, exchange, body, violations }: StepOutcome, invalid?: InvalidField): Problem[] {
  // An input that the client itself refuses is not sent.
  if (!exchange || (error?.code === "input" && error.status === undefined)) return [];
  const { status } = exchange;
  const is = (key: string, text: string) => [problemOf(operation, key, text)];
  if (status >= 500) return is("server error", `a response or a refusal is expected; it answers with status ${status}`);
  const documented = operation.errors?.[status as keyof typeof operation.errors];
  if (documented && !isDocumentedError(body, documented.body)) {
    const expected = documented.body === "list" ? "a list of errors" : "one error";
    return is(`error body ${status}`, `status ${status} is expected with ${expected}; its body is something else`);
  }
  if (invalid) {
    const { field, how } = invalid;
    if (status >= 400 || error) return [];
    return is(`accepts ${field} ${how}`, `\`${field}\` ${how} is expected to be refused; it is accepted with status ${status}`);
  }
  if (status < 200 || status > 299) {
    const expected = "valid input is expected to be accepted";
    if (!documented) return is(`status ${status}`, `${expected}; it answers with status ${status}, which is not documented`);
    // Another group may have a name by chance.
    return status === 409 ? [] : is(`refuses ${status}`, `${expected}; it is refused with status ${status}`);
  }
  if (error) return is(`unreadable ${error.code}`, `a response as documented is expected; it cannot be read (${error.code})`);
  return violations.flatMap(({ path, kind, expected, actual }) =>
    is(`${kind} ${path}`, `${expected} is expected at ${path}; it is ${actual.join(" or ")} (${kind})`),
  );
}

/** One call of a sequence. After a write, it may be looked for, and made again. */
interface FuzzStep {
  operation: Operation;
  input: Json;
  invalid?: InvalidField;
  then?: readonly ("look" | "again")[];
}

type Shown = { problem: Problem; curl: string[] };

class Fuzzer {
  readonly #options: FuzzOptions;
  readonly client: ObservedClient;
  /** The numbers of jobs that exist, or may. */
  readonly #created: string[] = [];
  /** Groups that have another name, or may. */
  readonly #renamed = new Set<string>();
  /** What makes the current call invalid. */
  #invalid: InvalidField | undefined;
  #writes = 0;
  #numbers = 0;

  constructor(options: FuzzOptions) {
    this.#options = options;
    const { config, signal } = options;
    // A request for a token stays as it is.
    const isToken = (url: string) => new URL(url).pathname.endsWith(config.tokenPath ?? operations.requestAccessToken.path);
    this.client = observe(config, options, signal, (url, init) =>
      this.#invalid && !isToken(url) ? withInvalid(url, init, this.#invalid) : [url, init],
    );
  }

  /** Makes a call, and adds its request to the lines of curl. */
  async #call(operation: Operation, input: Json, curl: string[], invalid?: InvalidField): Promise<StepOutcome> {
    const name = operation.name as OperationName;
    const step = { name, title: operation.summary, operation: name, writes: operation.effect !== "read", input: () => input };
    this.#invalid = invalid;
    const outcome = await runStep(step, input, this.client, new Map(), this.#options.signal);
    this.#invalid = undefined;
    this.#options.signal.throwIfAborted();
    if (outcome.exchange) curl.push(curlLine(outcome.exchange));
    return outcome;
  }

  /** Runs a sequence until something breaks the contract. */
  async run(steps: readonly FuzzStep[], isNew: (problem: Problem) => boolean): Promise<Shown | undefined> {
    for (const { operation, input, invalid, then = [] } of steps) {
      const isWrite = operation.effect !== "read";
      if (this.client.isExhausted() || (isWrite && this.#writes >= this.#options.maxWrites)) continue;
      const number = `FZ-${this.#options.seed}-${++this.#numbers}`;
      const key = operation.idempotencyKey?.field;
      const label =
        key === undefined ? { name: `${LABEL} ${number}` } : { address: ADDRESS, jobTitle: `${LABEL}, may be deleted`, [key]: number };
      const sent = isWrite ? { ...input, ...label } : input;
      if (isWrite) this.#writes++;
      const curl: string[] = [];
      const outcome = await this.#call(operation, sent, curl, invalid);
      if (isWrite && mayExist(outcome)) {
        if (operation.effect === "create") this.#created.push(number);
        else this.#renamed.add(String(input["id"]));
      }
      const problems = judge(operation, outcome, invalid);
      if (!outcome.error && !invalid)
        for (const what of then)
          problems.push(...(await (what === "again" ? this.#again(operation, sent, curl) : this.#look(operation, sent, curl))));
      const problem = problems.find(isNew);
      if (problem) return { problem, curl };
    }
    return undefined;
  }

  /** Creates the same again, which the contract forbids. */
  async #again(operation: Operation, input: Json, curl: string[]): Promise<Problem[]> {
    const key = operation.idempotencyKey?.field;
    if (key === undefined) return [];
    this.#writes++;
    const { error } = await this.#call(operation, input, curl);
    const text = `a \`${key}\` that exists is expected to be refused; a second creation with it is accepted`;
    return error ? [] : [problemOf(operation, `accepts ${key} twice`, text)];
  }

  /** Looks whether a write was kept. */
  async #look(operation: Operation, input: Json, curl: string[]): Promise<Problem[]> {
    const lost = (what: string) => [problemOf(operation, `lost ${what}`, `${what} is expected to be kept; it was accepted and is gone`)];
    const key = operation.idempotencyKey;
    if (!key) {
      const { value, error } = await this.#call(operation, { id: input["id"] }, curl);
      const kept = (value as { name?: unknown } | undefined)?.name;
      return error || kept === undefined || kept === input["name"] ? [] : lost("a name");
    }
    const listing = key.listedBy === undefined ? undefined : (operations[key.listedBy as OperationName] as Operation);
    if (!listing || missingServers(listing, this.#options.config).length > 0) return [];
    const { value, error } = await this.#call(listing, {}, curl);
    const listed = JSON.stringify(value ?? "");
    const isListed = (number: string) => listed.includes(JSON.stringify(number));
    // A list that shows no other new record may be one page of several.
    return error || isListed(String(input[key.field])) || !this.#created.some(isListed) ? [] : lost(`the record with its ${key.field}`);
  }

  /** Gives groups their names back, whatever ended the run. Returns what remains of the writes. */
  async restore(names: ReadonlyMap<string, string>): Promise<string[]> {
    const signal = AbortSignal.timeout(RESTORE_MS);
    const fleet = createFleetClient({ ...this.#options.config, retries: 0 });
    const left = this.#created.map((number) => `job ${number}`);
    for (const id of this.#renamed) {
      const name = names.get(id);
      try {
        await fleet.updateGroup({ id, ...(name !== undefined && { name }) }, { signal });
      } catch {
        left.push(`the name of group ${id}`);
      }
    }
    return left;
  }
}

/** Arbitrary steps, and what cannot be called. */
function stepsOf({ selects, config, maxWrites }: FuzzOptions, known: KnownValues) {
  const skipped: FuzzReport["skipped"] = [];
  const steps: fc.Arbitrary<FuzzStep>[] = [];
  for (const operation of Object.values<Operation>(operations)) {
    const { name, effect, undocumented, secretOutput } = operation;
    if (secretOutput || !selects(name as OperationName)) continue;
    const skip = (reason: string) => skipped.push({ operation: name, reason });
    const isWrite = effect !== "read";
    const missing = missingServers(operation, config);
    // Nothing is known of the parameters of a list that is known by its path only.
    const inputs = undocumented ? fc.constant({}) : inputsOf(operation, known);
    if (missing.length > 0) skip(`not configured: ${missing.join(", ")}`);
    else if (isWrite && maxWrites === 0) skip("writes need --allow-writes");
    else if (!inputs) skip("the deployment shows no values for its required fields");
    else {
      const afterwards = fc.subarray<"look" | "again">(isWrite ? ["look", "again"] : []);
      steps.push(fc.tuple(inputs, afterwards).map(([input, then]) => ({ operation, input, then })));
      const wrong = undocumented ? [] : invalidFieldsOf(operation);
      if (wrong.length > 0)
        steps.push(fc.tuple(inputs, fc.constantFrom(...wrong)).map(([input, invalid]) => ({ operation, input, invalid })));
    }
  }
  return { steps: steps.length > 0 ? fc.oneof(...steps) : undefined, skipped };
}

async function findProblems(fuzzer: Fuzzer, options: FuzzOptions, known: KnownValues): Promise<Omit<FuzzReport, "requests" | "left">> {
  const { steps, skipped } = stepsOf(options, known);
  const findings: FuzzReport["findings"] = [];
  const keys = new Set<string>();
  let done = 0;
  let seed = options.seed;
  while (steps && done < options.sequences && findings.length < MAX_FINDINGS && !fuzzer.client.isExhausted()) {
    /** While a sequence is made shorter, only its own problem counts. */
    let shortest: Shown | undefined;
    let begun = done;
    const isNew = ({ key }: Problem) => (shortest === undefined ? !keys.has(key) : key === shortest.problem.key);
    const property = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 4 }), async (sequence) => {
      if (shortest === undefined && ++begun % 50 === 0)
        options.say(`${begun}/${options.sequences} sequences, ${findings.length} problems ...`);
      const shown = await fuzzer.run(sequence, isNew);
      shortest = shown ?? shortest;
      return shown === undefined;
    });
    const details = await fc.check(property, { seed: seed++, numRuns: options.sequences - done });
    options.signal.throwIfAborted();
    done += details.numRuns;
    // A failure that is none of the contract's is a mistake of this program.
    if (!shortest && details.failed) throw details.errorInstance;
    if (!shortest) break;
    const { problem, curl } = shortest as Shown;
    keys.add(problem.key);
    findings.push({ problem: problem.text, curl });
  }
  return { seed: options.seed, sequences: done, findings, skipped };
}

/** Sends generated sequences of calls, and reports what breaks the contract, each in its shortest form. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const fuzzer = new Fuzzer(options);
  const known = await readKnownValues(fuzzer.client.fleet, options.now(), options.signal);
  try {
    const report = await findProblems(fuzzer, options, known);
    return { ...report, requests: fuzzer.client.requests(), left: await fuzzer.restore(known.groupNames) };
  } catch (error) {
    for (const one of await fuzzer.restore(known.groupNames)) options.say(`remains: ${one}`);
    throw error;
  }
}
