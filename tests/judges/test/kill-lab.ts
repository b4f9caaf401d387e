import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { openGateway } from "./faulty-gateway.ts";
import { type JobCounts, noCounts } from "./job-counts.ts";
import { type CallResult, DID_NOT_END } from "./killed-server.ts";

/** One requested job, and the caller's results by call. */
export interface RequestedJob {
  title: string;
  results: (CallResult | undefined)[];
  /** How the last call has to be reported, if known. */
  must?: readonly Report[];
}

type Report = "created" | "inferred" | "unknown" | "confirmationNeeded" | "refused";

const NUMBER = /FW-\d{8}-[0-9A-Z]{10}/;

const textOf = ({ text, structured }: CallResult) => text + JSON.stringify(structured);

function reportOf(result: CallResult): Report {
  const text = textOf(result);
  if (result.structured["result"] === "confirmationNeeded") return "confirmationNeeded";
  if (text.includes("unknownOutcome")) return "unknown";
  if (result.isError || !NUMBER.test(text)) return "refused";
  return /inferred/i.test(text) ? "inferred" : "created";
}

/** A service that outlives the killed servers, with its current faults. */
export interface Lab {
  env: Record<string, string>;
  faults: string;
  /** Number of creation requests received. */
  creations: () => number;
  /** Numbers of the existing jobs by title. */
  jobsNow: () => Promise<Map<string, string[]>>;
  /** The same once no request is in flight. */
  jobs: () => Promise<Map<string, string[]>>;
  close: () => Promise<void>;
}

export async function openLab(seed: number): Promise<Lab> {
  const sandbox = createSandbox({ seed, vehicles: 5, maxJobs: 100_000, maxStoredBytes: 2 ** 30 });
  const { origin, env } = await sandbox.listen();
  const audit = createFleetClient({ ...fleetConfigFromEnv(env), fetch: sandbox.fetch });
  const gateway = await openGateway(origin, () => lab.faults);
  const jobsNow = async () => {
    const found = new Map<string, string[]>();
    const PAGE = 1_000;
    for (let skip = 0; ; skip += PAGE) {
      const { jobs } = (await audit.listJobs({ query: { skip, limit: PAGE } })) as { jobs: { jobNumber: string; jobTitle: string }[] };
      for (const { jobTitle, jobNumber } of jobs) found.set(jobTitle, [...(found.get(jobTitle) ?? []), jobNumber]);
      if (jobs.length < PAGE) return found;
    }
  };
  const lab: Lab = {
    env: gateway.through(env),
    faults: "",
    creations: gateway.creations,
    jobsNow,
    jobs: async () => {
      await gateway.idle();
      return jobsNow();
    },
    close: async () => {
      await gateway.close();
      await sandbox.close();
    },
  };
  return lab;
}

interface LogLine {
  tool?: string;
  jobNumber?: string;
  msg?: string;
  outcome?: string;
}

function logLines(stderr: string): LogLine[] {
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as LogLine).filter(({ tool, jobNumber }) => tool === "create_job" && jobNumber !== undefined);
}

/** Compares the callers' results and the log with the existing jobs. */
export function compare(
  requested: readonly RequestedJob[],
  stderr: string,
  jobs: ReadonlyMap<string, string[]>,
): { row: JobCounts; faults: string[] } {
  const row = { ...noCounts(), requested: requested.length };
  const faults: string[] = [];
  const reportError = (what: string) => {
    row.misreported++;
    faults.push(what);
  };
  const lines = logLines(stderr);
  const announced = new Set(lines.filter(({ msg }) => msg === "sending").map(({ jobNumber }) => jobNumber));
  for (const { title, results, must } of requested) {
    const numbers = jobs.get(title) ?? [];
    const exists = numbers.length > 0;
    if (numbers.length > 1) {
      row.duplicated++;
      faults.push(`${title} exists ${numbers.length} times`);
    }
    const reports = results.map((result) => result && reportOf(result));
    for (const [at, result] of results.entries()) {
      if (!result) continue;
      const [number] = NUMBER.exec(textOf(result)) ?? [];
      const report = reports[at];
      if ((report === "created" || report === "inferred") && !numbers.includes(number ?? ""))
        reportError(`${title}: reported as ${report}, but does not exist`);
      if (report === "refused" && exists) reportError(`${title}: reported as refused, but exists: ${result.text.slice(0, 200)}`);
      if (report === "unknown" && number === undefined) reportError(`${title}: unknown, without its number`);
      if (exists && report !== "refused" && /no job was created/i.test(textOf(result)))
        reportError(`${title}: "No job was created", but it exists`);
    }
    const last = reports.at(-1);
    if (last === "created" || last === "inferred" || last === "unknown") row[last]++;
    else if (last !== undefined) row.refused++;
    if (must && (last === undefined || !must.includes(last)))
      faults.push(`${title}: ${last ?? "no result"} instead of ${must.join(" or ")}: ${results.at(-1)?.text.slice(0, 200)}`);
    if (last !== undefined) continue;
    row.withoutResult++;
    if (!exists) continue;
    row.existingWithoutResult++;
    if (numbers.every((number) => announced.has(number))) row.inLog++;
    else faults.push(`${title} exists, but no caller got a result and its number is not in the log`);
  }
  const all = new Set([...jobs.values()].flat());
  for (const { jobNumber = "", msg, outcome } of lines) {
    if (msg !== "sent" || outcome === "unknownOutcome") continue;
    const isThere = outcome === "created" || outcome === "inferred";
    if (all.has(jobNumber) !== isThere)
      reportError(`the log says ${outcome} for ${jobNumber}, which ${isThere ? "does not exist" : "exists"}`);
  }
  if (stderr.includes(DID_NOT_END)) faults.push(DID_NOT_END);
  return { row, faults };
}
