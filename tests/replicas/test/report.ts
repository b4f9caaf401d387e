import { ERAS } from "./callers.ts";
import type { LoadResult } from "./load.ts";

type Jobs = ReadonlyMap<string, readonly string[]>;

const quantile = (times: readonly number[], share: number) => {
  const sorted = times.toSorted((a, b) => a - b);
  return `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
};

/** The jobs that do not exist exactly once, and other failures; empty if all is well. */
export function faultsOf({ eras }: LoadResult, jobs: Jobs): string[] {
  const titles = ERAS.flatMap((era) => eras[era].jobs);
  const created = (title: string) => jobs.get(title)?.length ?? 0;
  return [
    ...ERAS.flatMap((era) => [...eras[era].failedReads, ...eras[era].failedJobs]),
    ...titles.filter((title) => created(title) === 0).map((title) => `${title} was not created`),
    ...titles.filter((title) => created(title) > 1).map((title) => `${title} was created ${created(title)} times`),
    ...[...jobs.keys()].filter((title) => /^caller /.test(title) && !titles.includes(title)).map((title) => `nobody asked for ${title}`),
  ];
}

/** The figures as a table, with a column for each protocol era. */
export function tableOf({ eras, withoutRedis, kills, seconds }: LoadResult, jobs: Jobs): string {
  const figures = ERAS.map((era) => eras[era]);
  const created = (titles: readonly string[], isSo: (count: number) => boolean) =>
    titles.filter((title) => isSo(jobs.get(title)?.length ?? 0)).length;
  const rows: [string, ...(string | number)[]][] = [
    ["", ...ERAS],
    ["callers", ...figures.map(({ callers }) => callers)],
    ["reads", ...figures.map(({ reads }) => reads)],
    ["reads failed", ...figures.map(({ failedReads }) => failedReads.length)],
    ["connections cut, call sent once more", ...figures.map(({ retried }) => retried)],
    ["jobs asked for", ...figures.map(({ jobs }) => jobs.length)],
    ["created exactly once", ...figures.map(({ jobs }) => created(jobs, (count) => count === 1))],
    ["not created", ...figures.map(({ jobs }) => created(jobs, (count) => count === 0))],
    ["created twice", ...figures.map(({ jobs }) => created(jobs, (count) => count > 1))],
    ["calls without a good result", ...figures.map(({ failedReads, failedJobs }) => failedReads.length + failedJobs.length)],
    ["read, median", ...figures.map(({ readTimes }) => quantile(readTimes, 0.5))],
    ["read, 99th percentile", ...figures.map(({ readTimes }) => quantile(readTimes, 0.99))],
    ["write, median", ...figures.map(({ writeTimes }) => quantile(writeTimes, 0.5))],
    ["write, 99th percentile", ...figures.map(({ writeTimes }) => quantile(writeTimes, 0.99))],
  ];
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => String(row[at]).length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0))).join("  "),
  );
  const gone = withoutRedis.reads + withoutRedis.refusedWrites;
  const texts = [...withoutRedis.texts].map((text) => `  "${text}"`);
  return [
    ...lines,
    `killed with SIGKILL and restarted: ${kills.join(", ")}; ${seconds.toFixed(1)} s`,
    ...(gone > 0
      ? [`while Redis was gone: ${withoutRedis.reads} reads served, ${withoutRedis.refusedWrites} writes refused with`, ...texts]
      : []),
  ].join("\n");
}
