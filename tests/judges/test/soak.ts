import { createFleetClient, type FleetClient, FleetError, fleetConfigFromEnv, type ResponseEvent } from "@fleetwire/core";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { type JobCounts, noCounts } from "./job-counts.ts";
import { seededRandom } from "./seeded-random.ts";

export interface SoakOptions {
  jobs: number;
  reads: number;
  callers: number;
  seed: number;
  duplicateJobs: NonNullable<SandboxOptions["duplicateJobs"]>;
}

/** Counts of calls by outcome, and of requests by fault. */
export interface SoakResult {
  /** The service's jobs at the end, by title. */
  jobs: Map<string, string[]>;
  /** False reports. */
  misreported: string[];
  outcomes: Record<string, number>;
  reads: Record<string, number>;
  requests: Record<string, number>;
}

/** Every fault of the sandbox, at a rate that affects three of ten requests. */
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
  /** The title of the service's job with a number, read without faults. */
  titleOf: (jobNumber: string) => Promise<string | undefined>;
  result: SoakResult;
}

/** Calls createJob once and checks its report. Returns the number for the next try, or undefined once the job exists. */
async function attempt({ fleet, titleOf, result }: Soak, title: string, number: string | undefined): Promise<string | undefined> {
  const before = number && (await titleOf(number));
  const reportFalse = (what: string) => result.misreported.push(`${title}: ${what}`);
  try {
    const input = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: title, ...(number !== undefined && { jobNumber: number }) };
    const { data, metadata } = await fleet.createJob.withMetadata(input);
    count(result.outcomes, data.inferred ? "inferred" : "created");
    if (data.inferred && number !== undefined) reportFalse("inferred for a number from the caller");
    if ((await titleOf(metadata.jobNumber ?? "")) !== title) reportFalse("reported as created, but does not exist");
    return undefined;
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const { code, jobNumber, errors } = error;
    if (jobNumber === undefined) throw new Error(`${title}: an error without the job number: ${error.message}`);
    if (number !== undefined && jobNumber !== number) reportFalse("another number than the given one");
    const isTaken =
      (code === "rejected" || code === "conflict") && errors.every(({ offendingFields = [] }) => offendingFields.includes("jobNumber"));
    count(result.outcomes, isTaken ? `${code}: the number is taken` : code);
    const after = await titleOf(jobNumber);
    if (isTaken) {
      // An earlier attempt that timed out may have reached the service in the meantime.
      if (after !== title) reportFalse("refused as taken, but does not exist");
      return undefined;
    }
    if (code !== "unknownOutcome" && after !== before) reportFalse(`reported as not done (${code}), but was done`);
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

/** Many callers create jobs and read over real sockets with faults in three of ten requests. Each retries a job until it exists. */
export async function soak({ jobs, reads: readCount, callers, seed, duplicateJobs }: SoakOptions): Promise<SoakResult> {
  const sandbox = createSandbox({ seed, vehicles: 20, duplicateJobs, maxJobs: 2 * jobs, maxStoredBytes: 2 ** 30 });
  try {
    const { env } = await sandbox.listen();
    const config = fleetConfigFromEnv(env);
    const result: SoakResult = { jobs: new Map(), misreported: [], outcomes: {}, reads: {}, requests: {} };
    const random = seededRandom(seed);
    const fleet = createFleetClient({
      ...config,
      timeout: 2_000,
      // Short retry delays: the test is about what follows them.
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
    // Reads between the jobs, in a seeded order.
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

/** The outcomes of the calls, as one line of a table. */
export function rowOf({ jobs, misreported, outcomes }: SoakResult, { jobs: requested }: SoakOptions): JobCounts {
  const { created = 0, inferred = 0, unknownOutcome = 0, ...refused } = outcomes;
  return {
    ...noCounts(),
    requested,
    created,
    inferred,
    unknown: unknownOutcome,
    refused: Object.values(refused).reduce((sum, ended) => sum + ended, 0),
    duplicated: [...jobs.values()].filter(({ length }) => length > 1).length,
    misreported: misreported.length,
  };
}

const isTyped = (code: string) => /^(result|network|timeout|upstream|rateLimited|contract|unauthorized)$/.test(code);

/** The problems after a soak; empty if no job was lost, duplicated or misreported. */
export function faultsOf({ jobs, misreported, reads: ends }: SoakResult, { jobs: wanted, reads: readCount }: SoakOptions): string[] {
  const titles = Array.from({ length: wanted }, (_, at) => `Job ${at}`);
  const readEnds = Object.values(ends).reduce((sum, ended) => sum + ended, 0);
  return [
    ...misreported,
    ...titles.filter((title) => !jobs.has(title)).map((title) => `${title} is lost`),
    ...[...jobs].filter(([, numbers]) => numbers.length > 1).map(([title, numbers]) => `${title} exists ${numbers.length} times`),
    ...(jobs.size === wanted ? [] : [`${jobs.size} jobs instead of ${wanted}`]),
    ...(readEnds === readCount ? [] : [`${readEnds} of ${readCount} reads ended`]),
    ...Object.keys(ends)
      .filter((code) => !isTyped(code))
      .map((code) => `a read ended with ${code}`),
  ];
}
