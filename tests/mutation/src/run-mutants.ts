import { basename } from "node:path";
import { type MutatedSource, mutatedSource } from "./all-mutants.ts";
import { type Coverage, keepCoverage, keptCoverage } from "./coverage.ts";
import { KnownResults } from "./known-results.ts";
import type { Mutant } from "./mutant.ts";
import { type Plan, planOf } from "./plan.ts";
import { Pool } from "./pool.ts";
import { progress } from "./progress.ts";
import type { Tested } from "./report.ts";
import { sampleOf } from "./sample.ts";
import type { Result } from "./task-queue.ts";

export interface Options {
  /** The test files to use. */
  tests: readonly string[];
  /** Number of mutants to choose, always the same ones for the same seed. */
  sample?: number | undefined;
  seed: number;
  /** When to stop, in epoch ms. */
  until: number;
  workers: number;
  /** Total time limit for the tests of one mutant, in ms. */
  budgetMs: number;
  /** Whether to test known survivors again. */
  again: boolean;
  print: (line: string) => void;
}

interface MutatedFile {
  source: MutatedSource;
  plan: Plan;
  known: KnownResults;
}

/** File names that begin alike, such as paginate and pagination, are about the same subject. */
const STEM = 6;
/** Maximum share of the time to spend on coverage, without which there are no results. */
const COVERAGE_SHARE = 0.6;

/** Since time may run out, tests named like one of the files come first, then those of the same packages. */
function nearestFirst(tests: readonly string[], files: readonly string[]): string[] {
  const homes = new Set(files.map((file) => file.split("/")[1]));
  const stems = files.map((file) => basename(file).slice(0, STEM));
  const distance = (test: string) => (stems.some((stem) => basename(test).includes(stem)) ? 0 : homes.has(test.split("/")[1]) ? 1 : 2);
  return tests.toSorted((a, b) => distance(a) - distance(b));
}

/** Records the coverage of test files that have changed since the last time, or that load a changed source file. */
async function coverageOf(files: readonly string[], options: Options): Promise<Coverage[]> {
  const { tests, until, workers, print } = options;
  const stale = nearestFirst(tests, files).filter((test) => keptCoverage(test, files) === undefined);
  const next = progress("Coverage of test files", stale.length, print);
  const pool = new Pool({
    covered: (test, failing) => {
      next();
      if (failing > 0) print(`Ignored, because they fail without a mutant: ${failing} in ${test}`);
      if (failing >= 0) return;
      print(`Ignored, because it never finishes: ${test}`);
      // Remembered until the file changes, since finding out takes long.
      keepCoverage({ test, modules: [test], loads: {}, hooks: {}, ms: 0, tests: [], failing: ["it never finishes"] });
    },
  });
  for (const test of stale) pool.addCoverage(test);
  try {
    await pool.run(workers, Date.now() + (until - Date.now()) * COVERAGE_SHARE);
  } finally {
    pool.close();
  }
  return tests.flatMap((test) => keptCoverage(test, files) ?? []);
}

/** Tests the mutants of these source files; `left` is the number skipped for lack of time. */
export async function runMutants(files: readonly string[], options: Options): Promise<{ tested: Tested[]; left: number }> {
  if (files.length === 0) return { tested: [], left: 0 };
  const coverages = await coverageOf(files, options);
  const isComplete = coverages.length === options.tests.length;
  const mutatedFiles = new Map(files.map((file) => [file, mutatedFileOf(file, coverages)]));
  const all = [...mutatedFiles.values()].flatMap(({ source }) => source.mutants);
  const asked = new Set(options.sample === undefined ? all : sampleOf(all, options.sample, options.seed));
  const results = new Map<Mutant, Result>();
  const open = new Map<string, number[]>();
  let left = 0;
  for (const [file, { source, plan, known }] of mutatedFiles) {
    for (const [number, mutant] of source.mutants.entries()) {
      if (!asked.has(mutant)) continue;
      const isUncovered = plan.mutants[number] === undefined;
      const result = isUncovered ? { run: 0, of: 0, ms: 0 } : known.of(number);
      // While some coverage is missing, an unrecorded test may still cover it.
      if (isUncovered && !isComplete) left++;
      else if (result && holds(result, options)) results.set(mutant, result);
      else open.set(file, [...(open.get(file) ?? []), number]);
    }
  }
  left += await testOpen(open, mutatedFiles, results, options);
  return { tested: [...mutatedFiles.values()].flatMap((file) => testedOf(file, results, isComplete)), left };
}

/** Adds results for mutants that have none yet; returns the number skipped for lack of time. */
async function testOpen(
  open: ReadonlyMap<string, number[]>,
  mutatedFiles: ReadonlyMap<string, MutatedFile>,
  results: Map<Mutant, Result>,
  options: Options,
): Promise<number> {
  let left = [...open.values()].flat().length;
  const next = progress("Mutants", left, options.print);
  const pool = new Pool({
    tested: (file, number, result) => {
      const { source, known } = mutatedFiles.get(file) as MutatedFile;
      results.set(source.mutants[number] as Mutant, result);
      known.keep(number, result);
      left--;
      next();
    },
    unreliable: (name) => options.print(`Ignored, because it fails without a mutant when repeated: ${name}`),
  });
  for (const [file, numbers] of open) pool.addMutants((mutatedFiles.get(file) as MutatedFile).plan, numbers, options.budgetMs);
  try {
    await pool.run(options.workers, options.until);
  } finally {
    pool.close();
  }
  return left;
}

/** Whether a result is final, so that running the tests again could not change it. */
function holds({ killedBy, run, of, ms }: Result, { again, budgetMs }: Options): boolean {
  if (killedBy !== undefined || of === 0) return true;
  return !again && (run === of || ms >= budgetMs);
}

function mutatedFileOf(file: string, coverages: readonly Coverage[]): MutatedFile {
  const source = mutatedSource(file);
  const plan = planOf(file, coverages);
  return { source, plan, known: new KnownResults(source, plan, coverages) };
}

/** In source order. */
function testedOf({ source, known }: MutatedFile, results: ReadonlyMap<Mutant, Result>, isComplete: boolean): Tested[] {
  const tested = source.mutants.flatMap((mutant, number): Tested[] => {
    const result = results.get(mutant);
    if (!result) return [];
    const line = source.text.slice(0, mutant.start).split("\n").length;
    const isUndecided = result.killedBy === undefined && (!isComplete || result.run < result.of);
    return [{ mutant, result, place: `${mutant.file}:${line}`, tests: known.testsOf(number), isUndecided }];
  });
  return tested.sort((a, b) => a.mutant.start - b.mutant.start);
}
