import { createFleetClient, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { openGateway } from "./faulty-gateway.ts";
import { type Answer, DID_NOT_END } from "./killed-server.ts";
import { noOutcomes, type OutcomeRow } from "./outcome-table.ts";

/** One job that was asked for, and what its caller got, call by call. */
export interface Asked {
  title: string;
  answers: (Answer | undefined)[];
  /** How the last call has to be reported, where that is known. */
  must?: readonly Report[];
}

type Report = "created" | "inferred" | "unknown" | "confirmationNeeded" | "refused";

const NUMBER = /FW-\d{8}-[0-9A-Z]{10}/;

const toldIn = ({ text, structured }: Answer) => text + JSON.stringify(structured);

function reportOf(answer: Answer): Report {
  const told = toldIn(answer);
  if (answer.structured["result"] === "confirmationNeeded") return "confirmationNeeded";
  if (told.includes("unknownOutcome")) return "unknown";
  if (answer.isError || !NUMBER.test(told)) return "refused";
  return /inferred/i.test(told) ? "inferred" : "created";
}

/** A service that outlives the servers that are killed before it, and the faults that it has at the moment. */
export interface Lab {
  env: Record<string, string>;
  faults: string;
  /** How many creations have come to it. */
  creations: () => number;
  /** Numbers of the jobs that are there now, by their titles. */
  jobsNow: () => Promise<Map<string, string[]>>;
  /** The same once nothing is under way. */
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

/** Compares what callers got and what the log says with the jobs that are there. */
export function judge(asked: readonly Asked[], stderr: string, jobs: ReadonlyMap<string, string[]>): { row: OutcomeRow; faults: string[] } {
  const row = { ...noOutcomes(), asked: asked.length };
  const faults: string[] = [];
  const untrue = (what: string) => {
    row.untrue++;
    faults.push(what);
  };
  const lines = logLines(stderr);
  const announced = new Set(lines.filter(({ msg }) => msg === "sending").map(({ jobNumber }) => jobNumber));
  for (const { title, answers, must } of asked) {
    const numbers = jobs.get(title) ?? [];
    const exists = numbers.length > 0;
    if (numbers.length > 1) {
      row.doubled++;
      faults.push(`${title} is there ${numbers.length} times`);
    }
    const reports = answers.map((answer) => answer && reportOf(answer));
    for (const [at, answer] of answers.entries()) {
      if (!answer) continue;
      const [number] = NUMBER.exec(toldIn(answer)) ?? [];
      const report = reports[at];
      if ((report === "created" || report === "inferred") && !numbers.includes(number ?? ""))
        untrue(`${title}: reported as ${report}, and is not there`);
      if (report === "refused" && exists) untrue(`${title}: reported as refused, and is there: ${answer.text.slice(0, 200)}`);
      if (report === "unknown" && number === undefined) untrue(`${title}: unknown, and without its number`);
      if (exists && report !== "refused" && /no job was created/i.test(toldIn(answer)))
        untrue(`${title}: "No job was created", and it is there`);
    }
    const last = reports.at(-1);
    if (last === "created" || last === "inferred" || last === "unknown") row[last]++;
    else if (last !== undefined) row.refused++;
    if (must && (last === undefined || !must.includes(last)))
      faults.push(`${title}: ${last ?? "no result"} in place of ${must.join(" or ")}: ${answers.at(-1)?.text.slice(0, 200)}`);
    if (last !== undefined) continue;
    row.unanswered++;
    if (!exists) continue;
    row.unansweredJobs++;
    if (numbers.every((number) => announced.has(number))) row.inLog++;
    else faults.push(`${title} is there, nobody got a result, and its number is not in the log`);
  }
  const all = new Set([...jobs.values()].flat());
  for (const { jobNumber = "", msg, outcome } of lines) {
    if (msg !== "sent" || outcome === "unknownOutcome") continue;
    const isThere = outcome === "created" || outcome === "inferred";
    if (all.has(jobNumber) !== isThere) untrue(`the log says ${outcome} of ${jobNumber}, which is ${isThere ? "not " : ""}there`);
  }
  if (stderr.includes(DID_NOT_END)) faults.push(DID_NOT_END);
  return { row, faults };
}
