import { basename } from "node:path";
import { type MutatedSource, mutatedSource, productFiles } from "./all-mutants.ts";
import { type Coverage, keepCoverage, keptCoverage } from "./coverage.ts";
import { distancesFrom } from "./import-graph.ts";
import { KnownResults } from "./known-results.ts";
import { lineOf, type Mutant } from "./mutant.ts";
import { LONGEST_TEST_MS, type Plan, planOf } from "./plan.ts";
import { Pool } from "./pool.ts";
import { progress } from "./progress.ts";
import type { Tested } from "./report.ts";
import type { Result } from "./task-queue.ts";

export interface Options {
  /** The test files to use. */
  tests: readonly string[];
  /** Returns the mutants to test, in batches of which the first comes first; by default, all in one batch. */
  choose?: (all: readonly Mutant[]) => (readonly Mutant[])[];
  /** For runs that must not fail on a busy machine: a survivor is undecided if a test that was ignored might kill it. */
  isCautious?: boolean;
  /** Whether a survivor is decided, given the test files that may reach it but have not been run. By default, if there are none. */
  isDecided?: (mutant: Mutant, missing: readonly string[], isCovered: boolean) => boolean;
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
  /** Tests that may reach it whose coverage is missing. */
  missing: readonly string[];
  /** Numbers of mutants that ignored tests reach. */
  ignored: ReadonlySet<number>;
}

/** Mutants that a worker takes at once; in short runs few, to occupy all workers. */
const MUTANTS_A_TASK = 40;
const FEW_A_TASK = 8;
/** File names that begin alike, such as paginate and pagination, are about the same subject. */
const STEM = 6;
/** Maximum share of the time to spend on coverage, without which there are no results. */
const COVERAGE_SHARE = 0.6;

export const packageOf = (file: string): string => file.split("/")[1] ?? "";

/**
 * The tests that load one of the files. Since time may run out, those named like one of the files come first, then those of the same packages, and among these
 * those that import a file more directly.
 */
function reachingTests(tests: readonly string[], files: readonly string[]): string[] {
  const homes = new Set(files.map(packageOf));
  const stems = files.map((file) => basename(file).slice(0, STEM));
  const order = (test: string): number => {
    const distances = distancesFrom(test);
    const nearest = Math.min(...files.map((file) => distances.get(file) ?? Number.POSITIVE_INFINITY));
    return nearest + (stems.some((stem) => basename(test).includes(stem)) ? 0 : homes.has(packageOf(test)) ? 100 : 200);
  };
  const ordered = tests.map((test) => [order(test), test] as const).filter(([at]) => at < Number.POSITIVE_INFINITY);
  return ordered.sort(([a], [b]) => a - b).map(([, test]) => test);
}

/** Records the coverage of tests that have changed since the last time, or that load a changed source file. */
async function coverageOf(files: readonly string[], tests: readonly string[], options: Options): Promise<Coverage[]> {
  const { until, workers, print } = options;
  const stale = tests.filter((test) => keptCoverage(test, files) === undefined);
  const next = progress("Coverage of test files", stale.length, print);
  const pool = new Pool(options.isCautious ? files : productFiles(), {
    covered: (test, failing) => {
      next();
      if (failing > 0) print(`Ignored, because they fail without a mutant: ${failing} in ${test}`);
      if (failing >= 0) return;
      print(`Ignored, because it never finishes: ${test}`);
      // Remembered until the file changes, since finding out takes long.
      keepCoverage({
        test,
        modules: [test],
        loads: {},
        hooks: {},
        ms: 0,
        tests: [],
        failing: ["it never finishes"],
        ignored: {},
        isPartial: true,
      });
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
  const tests = reachingTests(options.tests, files);
  const coverages = await coverageOf(files, tests, options);
  const mutatedFiles = new Map(files.map((file) => [file, mutatedFileOf(file, tests, coverages, options)]));
  const all = [...mutatedFiles.values()].flatMap(({ source }) => source.mutants);
  const results = new Map<Mutant, Result>();
  const batches: Map<string, number[]>[] = [];
  let left = 0;
  for (const batch of options.choose?.(all) ?? [all]) {
    const open = new Map<string, number[]>();
    batches.push(open);
    for (const mutant of batch) {
      const { source, plan, known, missing } = mutatedFiles.get(mutant.file) as MutatedFile;
      const number = source.mutants.indexOf(mutant);
      const isUncovered = plan.mutants[number] === undefined;
      const result = isUncovered ? { run: 0, of: 0, ms: 0 } : known.of(number);
      // While some coverage is missing, an unrecorded test may still cover it.
      if (isUncovered && !isDecided(mutant, missing, false, options)) left++;
      else if (result && holds(result, options)) results.set(mutant, result);
      else open.set(mutant.file, [...(open.get(mutant.file) ?? []), number]);
    }
  }
  left += await testOpen(batches, mutatedFiles, results, options);
  return { tested: [...mutatedFiles.values()].flatMap((file) => testedOf(file, results, options)), left };
}

/** Adds results for mutants that have none yet; returns the number skipped for lack of time. */
async function testOpen(
  batches: readonly ReadonlyMap<string, number[]>[],
  mutatedFiles: ReadonlyMap<string, MutatedFile>,
  results: Map<Mutant, Result>,
  options: Options,
): Promise<number> {
  const open = batches.flatMap((batch) => [...batch]);
  let left = open.flatMap(([, numbers]) => numbers).length;
  const next = progress("Mutants", left, options.print);
  const pool = new Pool([...new Set(open.map(([file]) => file))], {
    tested: (file, number, result) => {
      const { source, known } = mutatedFiles.get(file) as MutatedFile;
      results.set(source.mutants[number] as Mutant, result);
      known.keep(number, result);
      left--;
      next();
    },
    unreliable: (name) => options.print(`Ignored, because it fails without a mutant when repeated: ${name}`),
  });
  const atOnce = options.isCautious ? FEW_A_TASK : MUTANTS_A_TASK;
  for (const [file, numbers] of open) pool.addMutants((mutatedFiles.get(file) as MutatedFile).plan, numbers, options.budgetMs, atOnce);
  try {
    await pool.run(options.workers, options.until);
  } finally {
    pool.close();
  }
  return left;
}

const isDecided = (mutant: Mutant, missing: readonly string[], isCovered: boolean, options: Options): boolean =>
  options.isDecided?.(mutant, missing, isCovered) ?? missing.length === 0;

/** Whether a result is final, so that running the tests again could not change it. */
function holds({ killedBy, run, of, ms, hasIgnored = false }: Result, { again, budgetMs, isCautious = false }: Options): boolean {
  if (killedBy !== undefined || of === 0) return true;
  return !again && !(isCautious && hasIgnored) && (run === of || ms >= budgetMs);
}

function mutatedFileOf(file: string, tests: readonly string[], coverages: readonly Coverage[], { isCautious }: Options): MutatedFile {
  const source = mutatedSource(file);
  // On a busy machine, any test may take long.
  const plan = planOf(file, coverages, isCautious ? Number.POSITIVE_INFINITY : LONGEST_TEST_MS);
  const complete = new Set(coverages.filter(({ isPartial }) => !(isCautious && isPartial)).map(({ test }) => test));
  const missing = tests.filter((test) => !complete.has(test) && distancesFrom(test).has(file));
  const ignored = new Set(isCautious ? coverages.flatMap((coverage) => coverage.ignored[file] ?? []) : []);
  return { source, plan, known: new KnownResults(source, plan, coverages), missing, ignored };
}

/** In source order. */
function testedOf({ source, known, missing, ignored }: MutatedFile, results: ReadonlyMap<Mutant, Result>, options: Options): Tested[] {
  const tested = source.mutants.flatMap((mutant, number): Tested[] => {
    const result = results.get(mutant);
    if (!result) return [];
    const isIgnored = ignored.has(number) || (options.isCautious === true && result.hasIgnored === true);
    const isUndecided = isIgnored || result.run < result.of || !isDecided(mutant, missing, result.of > 0, options);
    const place = `${mutant.file}:${lineOf(source.text, mutant.start)}`;
    return [{ mutant, result, place, tests: known.testsOf(number), isUndecided: isUndecided && result.killedBy === undefined }];
  });
  return tested.sort((a, b) => a.mutant.start - b.mutant.start);
}
