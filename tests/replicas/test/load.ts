import { type Caller, connectCaller, ERAS, type Era, isCut, type Result } from "./callers.ts";
import type { Deployment, Restartable } from "./setup.ts";

export interface LoadOptions {
  /** Reads and jobs of each caller. */
  reads: number;
  jobs: number;
  /** How often a replica, and then Redis, is killed. */
  rounds: number;
}

/** The results of callers of one protocol era. */
interface Figures {
  callers: number;
  reads: number;
  /** Reads without a result, after a retry if their connection was cut. */
  failedReads: string[];
  /** Calls that were repeated because their connection was cut. */
  retried: number;
  /** Titles of the jobs that callers requested. */
  jobs: string[];
  /** Writes without a result, and unexpected results. */
  failedJobs: string[];
  /** Milliseconds of each call, including its retry. */
  readTimes: number[];
  writeTimes: number[];
}

/** The results of callers while Redis was down. */
interface WithoutRedis {
  reads: number;
  refusedWrites: number;
  /** The texts of the refusals, without job numbers. */
  texts: Set<string>;
}

export interface LoadResult {
  eras: Record<Era, Figures>;
  withoutRedis: WithoutRedis;
  kills: string[];
  seconds: number;
}

const READS: readonly [tool: string, args: Readonly<Record<string, unknown>>][] = [
  ["locate_vehicle", { query: "truck 12" }],
  ["summarize_fleet", {}],
  ["list_live_positions", { limit: 5 }],
  ["list_vehicle_faults", { limit: 5 }],
];

const ADDRESS = "Quai Perrache 10, 69002 Lyon, France";

/** How long a caller repeats a write that was rejected because Redis was down. */
const REFUSED_MS = 120_000;
const PAUSE_MS = 300;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const noFigures = (): Figures => ({
  callers: 0,
  reads: 0,
  failedReads: [],
  retried: 0,
  jobs: [],
  failedJobs: [],
  readTimes: [],
  writeTimes: [],
});

/** Resolves to the next replica that logs that it is sending a write. */
function nextToSend(replicas: readonly Restartable[]): Promise<Restartable> {
  return new Promise((resolve) => {
    for (const replica of replicas) replica.onLine((line) => line.includes('"msg":"sending"') && resolve(replica));
  });
}

/** Lets callers of both eras read and create jobs through nginx, while replicas and Redis are killed with SIGKILL and started again. */
export async function runLoad(deployment: Deployment, { reads, jobs, rounds }: LoadOptions): Promise<LoadResult> {
  const { url, tokens, replicas, redis } = deployment;
  const eras = Object.fromEntries(ERAS.map((era) => [era, noFigures()])) as LoadResult["eras"];
  const withoutRedis: WithoutRedis = { reads: 0, refusedWrites: 0, texts: new Set() };
  const kills: string[] = [];
  let isRedisGone = false;
  let done = 0;

  /** Makes a call, and repeats it with the same arguments if the connection is cut. */
  const call = async (caller: Caller, ...[tool, args]: Parameters<Caller["call"]>): Promise<Result> => {
    try {
      return await caller.call(tool, args);
    } catch (error) {
      if (!isCut(error)) throw error;
      eras[caller.era].retried++;
      return caller.call(tool, args);
    }
  };

  const read = async (caller: Caller, at: number) => {
    const figures = eras[caller.era];
    const [tool, args] = READS[at % READS.length] as (typeof READS)[number];
    const began = performance.now();
    const wasGone = isRedisGone;
    figures.reads++;
    try {
      const { isError, text } = await call(caller, tool, args);
      if (isError) figures.failedReads.push(`${tool}: ${text}`);
      else if (wasGone && isRedisGone) withoutRedis.reads++;
    } catch (error) {
      figures.failedReads.push(`${tool}: ${error}`);
    }
    figures.readTimes.push(performance.now() - began);
  };

  /** Repeats a call while it is rejected because of Redis, with reads in between. */
  const write = async (caller: Caller, args: Readonly<Record<string, unknown>>): Promise<Result> => {
    const until = performance.now() + REFUSED_MS;
    for (;;) {
      const wasGone = isRedisGone;
      const began = performance.now();
      const result = await call(caller, "create_job", args);
      eras[caller.era].writeTimes.push(performance.now() - began);
      if (!result.isError || performance.now() > until) return result;
      if (!/store that coordinates|another server/.test(result.text)) return result;
      if (wasGone || isRedisGone) withoutRedis.refusedWrites++;
      withoutRedis.texts.add(result.text);
      await read(caller, withoutRedis.refusedWrites);
      await pause(PAUSE_MS);
    }
  };

  const createJob = async (caller: Caller, jobTitle: string) => {
    const figures = eras[caller.era];
    figures.jobs.push(jobTitle);
    const args = { address: ADDRESS, jobTitle };
    try {
      const { record, text } = await write(caller, args);
      const { confirmation } = record;
      if (typeof confirmation !== "string") return void figures.failedJobs.push(`${jobTitle}: no preview: ${text}`);
      const sent = await write(caller, { ...args, confirmation });
      if (sent.isError) figures.failedJobs.push(`${jobTitle}: ${sent.text}`);
    } catch (error) {
      figures.failedJobs.push(`${jobTitle}: ${error}`);
    }
  };

  const run = async (token: string, at: number) => {
    const era = ERAS[at % ERAS.length] as Era;
    const caller = await connectCaller(era, url, token);
    eras[era].callers++;
    for (let turn = 0; turn < reads + jobs; turn++) {
      // Jobs are evenly spread among the reads.
      const isJob = Math.floor(((turn + 1) * jobs) / (reads + jobs)) > Math.floor((turn * jobs) / (reads + jobs));
      await (isJob ? createJob(caller, `caller ${at} turn ${turn}`) : read(caller, at + turn));
      done++;
    }
    await caller.close();
  };

  const total = tokens.length * (reads + jobs);
  const until = async (isSo: () => boolean) => {
    while (!isSo() && done < total) await pause(20);
  };
  const killInMidRun = async () => {
    for (let round = 0; round < rounds; round++) {
      const start = (total * round) / rounds;
      await until(() => done >= start + total / rounds / 5);
      const others = replicas.filter(({ name }) => !kills.slice(-2).includes(name));
      const victim = await Promise.race([nextToSend(others), until(() => false).then(() => replicas[0] as Restartable)]);
      await victim.end("SIGKILL");
      kills.push(victim.name);
      await until(() => done >= start + (total / rounds) * 0.4);
      await victim.restart();
      await until(() => done >= start + (total / rounds) * 0.6);
      await redis.end("SIGKILL");
      isRedisGone = true;
      kills.push(redis.name);
      const { reads: before, refusedWrites: refused } = withoutRedis;
      await until(() => withoutRedis.reads >= before + tokens.length && withoutRedis.refusedWrites >= refused + tokens.length / 2);
      isRedisGone = false;
      await redis.restart();
    }
  };

  const began = performance.now();
  await Promise.all([...tokens.map(run), killInMidRun()]);
  return { eras, withoutRedis, kills, seconds: (performance.now() - began) / 1_000 };
}

type Jobs = ReadonlyMap<string, readonly string[]>;

/** The jobs that do not exist exactly once, and other failures; empty if all is well. */
export function faultsOf({ eras }: LoadResult, jobs: Jobs): string[] {
  const titles = ERAS.flatMap((era) => eras[era].jobs);
  return [
    ...ERAS.flatMap((era) => [...eras[era].failedReads, ...eras[era].failedJobs]),
    ...titles.flatMap((title) => (jobs.get(title)?.length === 1 ? [] : `${title} was created ${jobs.get(title)?.length ?? 0} times`)),
    ...[...jobs.keys()].filter((title) => /^caller /.test(title) && !titles.includes(title)).map((title) => `nobody asked for ${title}`),
  ];
}

const quantile = (times: readonly number[], share: number) => {
  const sorted = times.toSorted((a, b) => a - b);
  return `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
};

/** The figures as a table, with a column for each protocol era. */
export function tableOf({ eras, withoutRedis, kills, seconds }: LoadResult, jobs: Jobs): string {
  const row = (what: string, cell: (figures: Figures) => string | number) =>
    [what.padEnd(35), ...ERAS.map((era) => String(cell(eras[era])).padStart(10))].join("  ");
  const created = (isSo: (count: number) => boolean) => (figures: Figures) =>
    figures.jobs.filter((title) => isSo(jobs.get(title)?.length ?? 0)).length;
  return [
    ["".padEnd(35), ...ERAS].join("  "),
    row("callers", ({ callers }) => callers),
    row("reads", ({ reads }) => reads),
    row("reads failed", ({ failedReads }) => failedReads.length),
    row("connections cut, call sent once more", ({ retried }) => retried),
    row("jobs asked for", ({ jobs: asked }) => asked.length),
    row(
      "created exactly once",
      created((count) => count === 1),
    ),
    row(
      "not created",
      created((count) => count === 0),
    ),
    row(
      "created twice",
      created((count) => count > 1),
    ),
    row("calls without a good result", ({ failedReads, failedJobs }) => failedReads.length + failedJobs.length),
    row("read, median", ({ readTimes }) => quantile(readTimes, 0.5)),
    row("read, 99th percentile", ({ readTimes }) => quantile(readTimes, 0.99)),
    row("write, median", ({ writeTimes }) => quantile(writeTimes, 0.5)),
    row("write, 99th percentile", ({ writeTimes }) => quantile(writeTimes, 0.99)),
    `killed with SIGKILL and restarted: ${kills.join(", ")}; ${seconds.toFixed(1)} s`,
    `while Redis was gone: ${withoutRedis.reads} reads served, ${withoutRedis.refusedWrites} writes refused with`,
    ...[...withoutRedis.texts].map((text) => `  "${text}"`),
  ].join("\n");
}
