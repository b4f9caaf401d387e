import { createFleetClient, type FleetClient, FleetError, fleetConfigFromEnv, type ResponseEvent } from "@fleetwire/core";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { noOutcomes, type OutcomeRow } from "./outcome-table.ts";
import { seededRandom } from "./seeded-random.ts";

export interface SoakOptions {
  jobs: number;
  reads: number;
  callers: number;
  seed: number;
  duplicateJobs: NonNullable<SandboxOptions["duplicateJobs"]>;
}

/** How calls ended, by outcome, and what the requests met. */
export interface SoakResult {
  /** Jobs that the service has in the end, by title. */
  jobs: Map<string, string[]>;
  /** What was reported and is not true, in words. */
  untrue: string[];
  outcomes: Record<string, number>;
  reads: Record<string, number>;
  requests: Record<string, number>;
}

/** Every fault of the sandbox, at a rate at which three in ten requests meet one or more. */
const EACH = 0.021;
const KINDS =
  "latency=5 429=0 429=date:0 500 503 503=0 redirect reset-before reset-after slow-body=50 stalled-body cut-body truncated-json invalid-json drift-enum drift-extra drift-null drift-type";
export const FAULTS = KINDS.split(" ").map((kind) => `${kind}@${EACH}`);
export const FAULT_SHARE = 1 - (1 - EACH) ** FAULTS.length;

const TRIES = 60;

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

interface Soak {
  fleet: FleetClient;
  /** The title of the job that the service has under a number; asked without faults. */
  titleOf: (jobNumber: string) => Promise<string | undefined>;
  result: SoakResult;
}

/** One call of createJob; checks what it reports, and gives the number to try again with, or undefined once the job is there. */
async function attempt({ fleet, titleOf, result }: Soak, title: string, number: string | undefined): Promise<string | undefined> {
  const before = number && (await titleOf(number));
  const lie = (what: string) => result.untrue.push(`${title}: ${what}`);
  try {
    const input = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: title, ...(number !== undefined && { jobNumber: number }) };
    const { data, metadata } = await fleet.createJob.withMetadata(input);
    count(result.outcomes, data.inferred ? "inferred" : "created");
    if (data.inferred && number !== undefined) lie("inferred of a number that the caller gave");
    if ((await titleOf(metadata.jobNumber ?? "")) !== title) lie("reported as created, and is not there");
    return undefined;
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const { code, jobNumber, errors } = error;
    if (jobNumber === undefined) throw new Error(`${title}: an error without its number: ${error.message}`);
    if (number !== undefined && jobNumber !== number) lie("another number than the one that was given");
    const isTaken =
      (code === "rejected" || code === "conflict") && errors.every(({ offendingFields = [] }) => offendingFields.includes("jobNumber"));
    count(result.outcomes, isTaken ? `${code}: the number is taken` : code);
    const after = await titleOf(jobNumber);
    if (isTaken) {
      // An attempt that timed out in an earlier call may have come to the service meanwhile.
      if (after !== title) lie("refused as taken, and is not there");
      return undefined;
    }
    if (code !== "unknownOutcome" && after !== before) lie(`reported as not done (${code}), and was done`);
    return jobNumber;
  }
}

async function untilItIsThere(soak: Soak, title: string): Promise<void> {
  let number: string | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    number = await attempt(soak, title, number);
    if (number === undefined) return;
  }
  throw new Error(`${title} was not created in ${TRIES} calls`);
}

const reads: ((fleet: FleetClient) => Promise<unknown>)[] = [
  (fleet) => fleet.listLivePositions(),
  (fleet) => fleet.listVehicleFaults({ pageSize: 5 }),
  (fleet) => fleet.queryTachoActivity({ startTime: new Date(Date.now() - 86_400_000), endTime: new Date(), limit: 3 }),
  (fleet) => fleet.listTireEvents(),
  (fleet) => fleet.listJobs({ query: { limit: 5 } }),
];

async function read({ fleet, result }: Soak, ordinal: number): Promise<void> {
  try {
    await reads[ordinal % reads.length]?.(fleet);
    count(result.reads, "result");
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    count(result.reads, error.code);
  }
}

const outcomeOf = ({ status, failure }: ResponseEvent) => String(status ?? failure);

/** Lets many callers create jobs and read, over real sockets, while three requests in ten meet faults. Each repeats a failed job until it exists. */
export async function soak({ jobs, reads: readCount, callers, seed, duplicateJobs }: SoakOptions): Promise<SoakResult> {
  const sandbox = createSandbox({ seed, vehicles: 20, duplicateJobs, maxJobs: 2 * jobs, maxStoredBytes: 2 ** 30 });
  try {
    const { env } = await sandbox.listen();
    const config = fleetConfigFromEnv(env);
    const result: SoakResult = { jobs: new Map(), untrue: [], outcomes: {}, reads: {}, requests: {} };
    const random = seededRandom(seed);
    const fleet = createFleetClient({
      ...config,
      timeout: 2_000,
      // The pauses are drawn short: what is tried is what comes after them.
      random: () => random() / 50,
      onResponse: (event) => count(result.requests, outcomeOf(event)),
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set("x-sandbox-fault", FAULTS.join(","));
        return fetch(input, { ...init, headers });
      },
    });
    const audit = createFleetClient({ ...config, fetch: sandbox.fetch, maxConcurrency: 1_000 });
    const found = async (query: Record<string, string | number>) =>
      ((await audit.listJobs({ query })) as { jobs: { jobNumber: string; jobTitle: string }[] }).jobs;
    const titleOf = async (jobNumber: string) => (await found({ jobNumber }))[0]?.jobTitle;
    const work = [
      ...Array.from({ length: jobs }, (_, at) => () => untilItIsThere({ fleet, titleOf, result }, `Job ${at}`)),
      ...Array.from({ length: readCount }, (_, at) => () => read({ fleet, titleOf, result }, at)),
    ];
    // Reads among the jobs, in an order that follows from the seed.
    const order = work.map((run) => ({ run, at: random() })).sort((a, b) => a.at - b.at);
    const next = order[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (const { run } of next) await run();
      }),
    );
    const PAGE = 1_000;
    for (let skip = 0; ; skip += PAGE) {
      const page = await found({ skip, limit: PAGE });
      for (const { jobTitle, jobNumber } of page) result.jobs.set(jobTitle, [...(result.jobs.get(jobTitle) ?? []), jobNumber]);
      if (page.length < PAGE) return result;
    }
  } finally {
    await sandbox.close();
  }
}

/** What became of the jobs, call by call, as one line of a table. */
export function rowOf({ jobs, untrue, outcomes }: SoakResult, { jobs: asked }: SoakOptions): OutcomeRow {
  const { created = 0, inferred = 0, unknownOutcome = 0, ...refused } = outcomes;
  return {
    ...noOutcomes(),
    asked,
    created,
    inferred,
    unknown: unknownOutcome,
    refused: Object.values(refused).reduce((sum, ended) => sum + ended, 0),
    doubled: [...jobs.values()].filter(({ length }) => length > 1).length,
    untrue: untrue.length,
  };
}

const isTyped = (code: string) => /^(result|network|timeout|upstream|rateLimited|contract|unauthorized)$/.test(code);

/** What is wrong with the end of a soak, in words; empty where nothing was lost, doubled or misreported. */
export function faultsOf({ jobs, untrue, reads: ends }: SoakResult, { jobs: wanted, reads: readCount }: SoakOptions): string[] {
  const titles = Array.from({ length: wanted }, (_, at) => `Job ${at}`);
  const readEnds = Object.values(ends).reduce((sum, ended) => sum + ended, 0);
  return [
    ...untrue,
    ...titles.filter((title) => !jobs.has(title)).map((title) => `${title} is lost`),
    ...[...jobs].filter(([, numbers]) => numbers.length > 1).map(([title, numbers]) => `${title} is there ${numbers.length} times`),
    ...(jobs.size === wanted ? [] : [`${jobs.size} jobs in place of ${wanted}`]),
    ...(readEnds === readCount ? [] : [`${readEnds} reads ended of ${readCount}`]),
    ...Object.keys(ends)
      .filter((code) => !isTyped(code))
      .map((code) => `a read ended with ${code}`),
  ];
}
