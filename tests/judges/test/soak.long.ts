import { createFleetClient, type FleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { expect, it } from "vitest";
import { seededRandom } from "../../vitest/seeded-random.ts";

/** Every fault of the sandbox, at a rate that affects three of ten requests. */
const EACH = 0.021;
const KINDS =
  "latency=5 429=0 429=date:0 500 503 503=0 redirect reset-before reset-after slow-body=50 stalled-body cut-body truncated-json invalid-json drift-enum drift-extra drift-null drift-type";
const FAULTS = KINDS.split(" ").map((kind) => `${kind}@${EACH}`);

const MAX_TRIES = 60;

type Counts = Record<string, number>;

function count(counts: Counts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

interface Soak {
  fleet: FleetClient;
  /** The title of the service's job with a number, read without faults. */
  titleOf: (jobNumber: string) => Promise<string | undefined>;
  misreported: string[];
  outcomes: Counts;
}

/** Calls createJob once and checks its report. Returns the number for the next try, or undefined once the job exists. */
async function attempt(
  { fleet, titleOf, misreported, outcomes }: Soak,
  title: string,
  number: string | undefined,
): Promise<string | undefined> {
  const before = number && (await titleOf(number));
  const reportFalse = (what: string) => misreported.push(`${title}: ${what}`);
  try {
    const input = { address: "Quai Perrache 10, 69002 Lyon, France", jobTitle: title, ...(number !== undefined && { jobNumber: number }) };
    const { data, metadata } = await fleet.createJob.withMetadata(input);
    count(outcomes, data.inferred ? "inferred" : "created");
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
    count(outcomes, isTaken ? `${code}: the number is taken` : code);
    const after = await titleOf(jobNumber);
    // An earlier attempt that timed out may have reached the service in the meantime.
    if (isTaken && after !== title) reportFalse("refused as taken, but does not exist");
    if (!isTaken && code !== "unknownOutcome" && after !== before) reportFalse(`reported as not done (${code}), but was done`);
    return isTaken ? undefined : jobNumber;
  }
}

async function untilItIsThere(soak: Soak, title: string): Promise<void> {
  let number: string | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    number = await attempt(soak, title, number);
    if (number === undefined) return;
  }
  throw new Error(`${title} was not created in ${MAX_TRIES} calls`);
}

it.each([
  { duplicateJobs: "refuse", jobs: 1_000, callers: 100 },
  { duplicateJobs: "overwrite", jobs: 200, callers: 25 },
  { duplicateJobs: "conflict", jobs: 200, callers: 25 },
] as const)(
  "$jobs jobs of $callers callers all exist exactly once, with true reports, with faults in three of ten requests ($duplicateJobs)",
  async ({ duplicateJobs, jobs, callers }) => {
    const seed = 20_261_121;
    const sandbox = createSandbox({ seed, vehicles: 20, duplicateJobs, maxJobs: 2 * jobs, maxStoredBytes: 2 ** 30 });
    const { env } = await sandbox.listen();
    const config = fleetConfigFromEnv(env);
    const random = seededRandom(seed);
    const [misreported, outcomes, requests]: [string[], Counts, Counts] = [[], {}, {}];
    const fleet = createFleetClient({
      ...config,
      timeout: 2_000,
      // Short retry delays: the test is about what follows them.
      random: () => random() / 50,
      onResponse: ({ status, failure }) => count(requests, String(status ?? failure)),
      fetch: (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set("x-sandbox-fault", FAULTS.join(","));
        return fetch(input, { ...init, headers });
      },
    });
    const audit = createFleetClient({ ...config, fetch: sandbox.fetch, maxConcurrency: 1_000 });
    const found = async (query: Record<string, string | number>) =>
      ((await audit.listJobs({ query })) as { jobs: { jobNumber: string; jobTitle: string }[] }).jobs;
    const soak = { fleet, titleOf: async (jobNumber: string) => (await found({ jobNumber }))[0]?.jobTitle, misreported, outcomes };
    const titles = Array.from({ length: jobs }, (_, at) => `Job ${at}`);
    const next = titles.values();
    const caller = async () => {
      for (const title of next) await untilItIsThere(soak, title);
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const pages = await Promise.all([0, 1_000].map((skip) => found({ skip, limit: 1_000 })));
    await sandbox.close();
    console.log({ outcomes, requests });
    expect(misreported).toEqual([]);
    expect(
      pages
        .flat()
        .map(({ jobTitle }) => jobTitle)
        .toSorted(),
    ).toEqual(titles.toSorted());
    // Ensures that the faults had an effect.
    expect(Object.keys(requests)).toEqual(expect.arrayContaining(["200", "302", "429", "500", "503", "network", "timeout"]));
    expect(outcomes["unknownOutcome"]).toBeGreaterThan(0);
    if (duplicateJobs !== "overwrite") expect(outcomes["inferred"]).toBeGreaterThan(0);
  },
);
