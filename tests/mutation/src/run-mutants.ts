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
  /** The test files that count. */
  tests: readonly string[];
  /** So many of all mutants, always the same ones. */
  sample?: number | undefined;
  /** When to stop, in milliseconds since 1970. */
  until: number;
  workers: number;
  /** What the tests of one mutant may take together, in milliseconds. */
  budgetMs: number;
  /** Tests known survivors again. */
  again: boolean;
  print: (line: string) => void;
}

interface MutatedFile {
  source: MutatedSource;
  plan: Plan;
  known: KnownResults;
}

const SEED = 1;
/** File names that begin alike, such as paginate and pagination, are about the same. */
const STEM = 6;
/** Without coverage there is no result: it may take no more than this share of the time. */
const COVERAGE_SHARE = 0.6;

/** There may be no time for all tests: those named like one of the files come first, then those of the same packages. */
function nearestFirst(tests: readonly string[], files: readonly string[]): string[] {
  const homes = new Set(files.map((file) => file.split("/")[1]));
  const stems = files.map((file) => basename(file).slice(0, STEM));
  const distance = (test: string) => (stems.some((stem) => basename(test).includes(stem)) ? 0 : homes.has(test.split("/")[1]) ? 1 : 2);
  return tests.toSorted((a, b) => distance(a) - distance(b));
}

/** Records what test files pass, where they or one of these source files changed since the last time. */
async function coverageOf(files: readonly string[], options: Options): Promise<Coverage[]> {
  const { tests, until, workers, print } = options;
  const stale = nearestFirst(tests, files).filter((test) => keptCoverage(test, files) === undefined);
  const next = progress("Coverage of test files", stale.length, print);
  const pool = new Pool({
    covered: (test, failing) => {
      next();
      if (failing > 0) print(`Do not count, for they fail without a mutant: ${failing} in ${test}`);
      if (failing >= 0) return;
      print(`Does not count, for it does not end: ${test}`);
      // Finding out takes long: known until it changes.
      keepCoverage({ test, modules: [test], loads: {}, hooks: {}, ms: 0, tests: [], failing: ["it does not end"] });
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

/** Tests the mutants of these source files; `left` is how many there was no time for. */
export async function runMutants(files: readonly string[], options: Options): Promise<{ tested: Tested[]; left: number }> {
  if (files.length === 0) return { tested: [], left: 0 };
  const coverages = await coverageOf(files, options);
  const isComplete = coverages.length === options.tests.length;
  const mutatedFiles = new Map(files.map((file) => [file, mutatedFileOf(file, coverages)]));
  const all = [...mutatedFiles.values()].flatMap(({ source }) => source.mutants);
  const asked = new Set(options.sample === undefined ? all : sampleOf(all, options.sample, SEED));
  const results = new Map<Mutant, Result>();
  const open = new Map<string, number[]>();
  let left = 0;
  for (const [file, { source, plan, known }] of mutatedFiles) {
    for (const [number, mutant] of source.mutants.entries()) {
      if (!asked.has(mutant)) continue;
      const isUncovered = plan.mutants[number] === undefined;
      const result = isUncovered ? { run: 0, of: 0, ms: 0 } : known.of(number);
      // While some coverage is missing, a test may cover it all the same.
      if (isUncovered && !isComplete) left++;
      else if (result && holds(result, options)) results.set(mutant, result);
      else open.set(file, [...(open.get(file) ?? []), number]);
    }
  }
  left += await testOpen(open, mutatedFiles, results, options);
  return { tested: [...mutatedFiles.values()].flatMap((file) => testedOf(file, results, isComplete)), left };
}

/** Adds results for those that have none yet; returns how many there was no time for. */
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
    unreliable: (name) => options.print(`Does not count, for it fails without a mutant when it is repeated: ${name}`),
  });
  for (const [file, numbers] of open) pool.addMutants((mutatedFiles.get(file) as MutatedFile).plan, numbers, options.budgetMs);
  try {
    await pool.run(options.workers, options.until);
  } finally {
    pool.close();
  }
  return left;
}

/** Whether running the tests again could not change a result. */
function holds({ killedBy, run, of, ms }: Result, { again, budgetMs }: Options): boolean {
  if (killedBy !== undefined || of === 0) return true;
  return !again && (run === of || ms >= budgetMs);
}

function mutatedFileOf(file: string, coverages: readonly Coverage[]): MutatedFile {
  const source = mutatedSource(file);
  const plan = planOf(file, coverages);
  return { source, plan, known: new KnownResults(source, plan, coverages) };
}

/** In the order in which they stand. */
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
