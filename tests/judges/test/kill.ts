import type { JobCounts } from "./job-counts.ts";
import { compare, type Lab, openLab, type RequestedJob } from "./kill-lab.ts";
import { httpServer, type Revision, type RunningServer, stdioServer } from "./killed-server.ts";
import { seededRandom } from "./seeded-random.ts";

export interface KillOptions {
  /** Rounds per way of killing. */
  rounds: number;
  /** Concurrent callers per round. */
  callers: number;
  seed: number;
  /** Concurrent ways. */
  atOnce: number;
  /** Only these ways, each over stdio in one revision and over HTTP in the other; otherwise all, in both. */
  ways?: readonly string[];
}

export interface KillResult {
  rows: Map<string, JobCounts>;
  /** Problems found; empty if every job is accounted for and every report is true. */
  faults: string[];
}

type Start = (env: Record<string, string>, revision: Revision) => Promise<RunningServer>;
type End = Parameters<RunningServer["end"]>[0];

interface Round {
  lab: Lab;
  /** Starts a server in front of the lab's service. */
  start: (env: Record<string, string>) => Promise<RunningServer>;
  callers: number;
  random: () => number;
  title: () => string;
}

interface RoundResult {
  requested: RequestedJob[];
  stderr: string;
}

const ADDRESS = "Quai Perrache 10, 69002 Lyon, France";

/** Faults of creations; the slow ones leave time for a kill. */
const FAULTS =
  "latency=120@0.5 slow-body=200@0.4 500@0.04 503=0@0.04 429=0@0.03 reset-before@0.04 reset-after@0.06 cut-body@0.04 truncated-json@0.03"
    .split(" ")
    .map((fault) => `createJob:${fault}`)
    .join(",");

/** The job is created immediately, but the response is slow. */
const SLOW_RESPONSE = "createJob:slow-body=400";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const KILL_WITHIN_MS = 400;
const LONGEST_WAIT_MS = 10_000;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (!(await isSo()) && performance.now() < end) await wait(5);
}

const untilJob = (lab: Lab, title: string) => until(async () => (await lab.jobsNow()).has(title));

/** Several concurrent callers; the process ends at a random moment, or some callers leave. */
const killed =
  (end: End | "callers leave") =>
  async ({ lab, start, callers, random, title }: Round): Promise<RoundResult> => {
    lab.faults = FAULTS;
    const before = lab.creations();
    const server = await start({ FLEET_CONFIRM: "never" });
    const calls = Array.from({ length: callers }, () => {
      const jobTitle = title();
      return { title: jobTitle, ...server.call({ address: ADDRESS, jobTitle }) };
    });
    // Some are killed before sending, most while sending.
    if (random() < 0.85) await until(() => lab.creations() > before);
    await wait(random() * KILL_WITHIN_MS);
    if (end === "callers leave") for (const { leave } of calls.filter(() => random() < 0.7)) leave();
    const ended = end === "callers leave" ? undefined : server.end(end);
    const results = await Promise.all(calls.map(({ result }) => result));
    // Abandoned work finishes before the process ends.
    if (!ended) await lab.jobs();
    const stderr = await (ended ?? server.end("SIGTERM"));
    return { requested: calls.map((call, at) => ({ title: call.title, results: [results[at]] })), stderr };
  };

/** The caller leaves during a creation and repeats the call: it gets the first job, and no second one is created. */
async function calledAgain({ lab, start, random, title }: Round): Promise<RoundResult> {
  lab.faults = SLOW_RESPONSE;
  const server = await start({ FLEET_CONFIRM: "never" });
  const args = { address: ADDRESS, jobTitle: title() };
  const left = server.call(args);
  // The service has received the request, and its response is still in flight.
  await untilJob(lab, args.jobTitle);
  left.leave();
  const first = await left.result;
  await wait(random() * 100);
  const again = await server.call(args).result;
  const stderr = await server.end("SIGTERM");
  return { requested: [{ title: args.jobTitle, results: [first, again], must: ["created", "inferred", "unknown"] }], stderr };
}

const SEAL_KEY = Buffer.alloc(32, 9).toString("base64");

/** The process ends during a confirmed creation; a new one gets the same call with the same token. */
const restarted =
  (end: End, key: Record<string, string>, must: RequestedJob["must"]) =>
  async ({ lab, start, random, title }: Round): Promise<RoundResult> => {
    const env = { FLEET_CONFIRM: "auto", ...key };
    const args = { address: ADDRESS, jobTitle: title() };
    lab.faults = SLOW_RESPONSE;
    const before = await start(env);
    const preview = await before.call(args).result;
    const confirmed = { ...args, confirmation: preview?.structured["confirmation"] };
    const lost = before.call(confirmed);
    if (random() < 0.7) await untilJob(lab, args.jobTitle);
    await wait(random() * 100);
    const output = await before.end(end);
    const first = await lost.result;
    lab.faults = "";
    const after = await start(env);
    const again = await after.call(confirmed).result;
    const stderr = output + (await after.end("SIGTERM"));
    const requested: RequestedJob = { title: args.jobTitle, results: [preview, first, again], ...(must && { must }) };
    return { requested: [requested], stderr };
  };

const withKey = { FLEET_SEAL_KEY: SEAL_KEY };

const WAYS: Readonly<Record<string, { starts: readonly Start[]; round: (round: Round) => Promise<RoundResult> }>> = {
  SIGKILL: { starts: [stdioServer, httpServer], round: killed("SIGKILL") },
  SIGTERM: { starts: [stdioServer, httpServer], round: killed("SIGTERM") },
  "end of stdin": { starts: [stdioServer], round: killed("end of stdin") },
  "callers leave": { starts: [stdioServer, httpServer], round: killed("callers leave") },
  "called again": { starts: [stdioServer, httpServer], round: calledAgain },
  "SIGKILL, started again": { starts: [stdioServer, httpServer], round: restarted("SIGKILL", withKey, ["created", "inferred"]) },
  "SIGTERM, started again": { starts: [stdioServer, httpServer], round: restarted("SIGTERM", withKey, ["created", "inferred"]) },
  "SIGKILL, no key": { starts: [stdioServer, httpServer], round: restarted("SIGKILL", {}, undefined) },
};

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];

/** Kills servers during creations in every way, and compares results and log with the existing jobs. */
export async function kill({ rounds, callers, seed, atOnce, ways: only }: KillOptions): Promise<KillResult> {
  const result: KillResult = { rows: new Map(), faults: [] };
  const both = Object.entries(WAYS).flatMap(([name, { starts, round }], at) =>
    starts.flatMap((start, other) =>
      REVISIONS.map((revision, third) => ({
        name: `${start === stdioServer ? "stdio" : "HTTP "} ${revision} ${name}`,
        start,
        revision,
        round,
        isDue: only === undefined || (only.includes(name) && (at + other + third) % 2 === 0),
      })),
    ),
  );
  const ways = both.filter(({ isDue }) => isDue);
  const next = ways.entries();
  const run = async () => {
    for (const [at, { name, start, revision, round }] of next) {
      const lab = await openLab(seed + at);
      try {
        const random = seededRandom(seed + at);
        let titles = 0;
        const requested: RequestedJob[] = [];
        let stderr = "";
        for (let done = 0; done < rounds; done++) {
          const one = await round({
            lab,
            callers,
            random,
            title: () => `Job ${titles++}`,
            start: (env) => start({ ...lab.env, ...env }, revision),
          });
          requested.push(...one.requested);
          stderr += `${one.stderr}\n`;
        }
        const { row, faults } = compare(requested, stderr, await lab.jobs());
        result.rows.set(name, row);
        result.faults.push(...faults.map((fault) => `${name}: ${fault}`));
      } finally {
        await lab.close();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  // In the order of the table above.
  return { ...result, rows: new Map(ways.flatMap(({ name }) => [[name, result.rows.get(name)]]) as [string, JobCounts][]) };
}
