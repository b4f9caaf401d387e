import { type MutatedSource, mutatedSource } from "./all-mutants.ts";
import { type Coverage, keepCoverage, keptCoverage } from "./coverage.ts";
import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./orders.ts";
import { type Plan, planOf } from "./plan.ts";
import { Pool } from "./pool.ts";
import type { Judged } from "./report.ts";
import { sampleOf } from "./sample.ts";
import { Verdicts } from "./verdicts.ts";

export interface JudgeOptions {
  /** The test files that have a vote. */
  tests: readonly string[];
  /** So many of all mutants, always the same ones. */
  sample?: number | undefined;
  /** When to stop, in milliseconds since 1970. */
  until: number;
  workers: number;
  /** What a mutant's tests may take together. */
  budgetMs: number;
  /** Judges survivors that are known too. */
  again: boolean;
  onProgress: (line: string) => void;
}

interface Work {
  source: MutatedSource;
  plan: Plan;
  verdicts: Verdicts;
}

const SEED = 1;
const PROGRESS_MS = 15_000;

const clock = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, "0")}`;

/** A line now and then: how far it is, and how long it takes at this rate. */
function progress(what: string, all: number, say: (line: string) => void): (done: number) => void {
  const start = Date.now();
  let last = start;
  return (done) => {
    const now = Date.now();
    if (now - last < PROGRESS_MS || done === 0) return;
    last = now;
    say(`${what}: ${done} of ${all}, ${clock(now - start)} gone, ${clock(((now - start) / done) * (all - done))} left`);
  };
}

/** Records what test files pass, those that changed since the last time. */
async function coveragesOf(files: readonly string[], pool: Pool, options: JudgeOptions): Promise<Coverage[]> {
  const { tests } = options;
  const stale = tests.filter((test) => keptCoverage(test, files) === undefined);
  pool.cover(stale);
  covered = progress("coverage of test files", stale.length, options.onProgress);
  await pool.run(options.workers, options.until);
  return tests.flatMap((test) => keptCoverage(test, files) ?? []);
}

let covered: (done: number) => void = () => {};

export async function judgeFiles(files: readonly string[], options: JudgeOptions): Promise<{ judged: Judged[]; left: number }> {
  if (files.length === 0) return { judged: [], left: 0 };
  let [coveredCount, judgedCount] = [0, 0];
  let onJudged: (file: string, number: number, verdict: Verdict) => void = () => {};
  const pool = new Pool({
    covered: ({ test, failing }) => {
      covered(++coveredCount);
      // Known as such until it changes: it takes long to find out.
      if (failing < 0) keepCoverage({ test, modules: [test], loads: {}, tests: [], failing: ["it did not end"] });
      if (failing !== 0)
        options.onProgress(failing < 0 ? `${test} did not end` : `${test}: ${failing} fail without a mutant, and have no vote`);
    },
    judged: (file, number, verdict) => onJudged(file, number, verdict),
    unsound: (name) => options.onProgress(`has no vote, for it fails without a mutant when it is repeated: ${name}`),
  });
  try {
    const coverages = await coveragesOf(files, pool, options);
    const works = new Map<string, Work>();
    for (const file of files) {
      const source = mutatedSource(file);
      const plan = planOf(file, coverages);
      works.set(file, { source, plan, verdicts: new Verdicts(source, plan, coverages) });
    }
    const all = [...works.values()].flatMap(({ source }) => source.mutants);
    const asked = options.sample === undefined ? all : sampleOf(all, options.sample, SEED);
    const results = new Map<Mutant, Verdict>();
    const open = new Map<string, number[]>();
    for (const mutant of asked) {
      const { source, plan, verdicts } = works.get(mutant.file) as Work;
      const number = source.mutants.indexOf(mutant);
      const known = verdicts.of(mutant);
      if (plan.mutants[number] === undefined) results.set(mutant, { run: 0, of: 0, ms: 0 });
      else if (known && !(options.again && known.by === undefined)) results.set(mutant, known);
      else open.set(mutant.file, [...(open.get(mutant.file) ?? []), number]);
    }
    const count = asked.length - results.size;
    const show = progress("mutants", count, options.onProgress);
    onJudged = (file, number, verdict) => {
      const { source, verdicts } = works.get(file) as Work;
      const mutant = source.mutants[number] as Mutant;
      results.set(mutant, verdict);
      verdicts.keep(mutant, verdict);
      show(++judgedCount);
    };
    for (const [file, numbers] of open) pool.judge((works.get(file) as Work).plan, numbers, options.budgetMs);
    await pool.run(options.workers, options.until);
    const judged = [...results].map(([mutant, verdict]): Judged => {
      const { source, verdicts } = works.get(mutant.file) as Work;
      const line = source.text.slice(0, mutant.start).split("\n").length;
      return { mutant, verdict, place: `${mutant.file}:${line}`, tests: verdicts.testsOf(mutant) };
    });
    judged.sort((a, b) => a.mutant.file.localeCompare(b.mutant.file) || a.mutant.start - b.mutant.start);
    return { judged, left: asked.length - results.size };
  } finally {
    pool.close();
  }
}
