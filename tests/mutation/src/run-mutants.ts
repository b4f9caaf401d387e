import { type MutatedSource, mutatedSource } from "./all-mutants.ts";
import { type Coverage, keepCoverage, keptCoverage } from "./coverage.ts";
import { KnownResults } from "./known-results.ts";
import type { Mutant } from "./mutant.ts";
import { type Plan, planOf } from "./plan.ts";
import { type Listener, Pool } from "./pool.ts";
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
/** Without coverage there is no result: it may take no more than this share of the time. */
const COVERAGE_SHARE = 0.6;

/** Tests of the packages that the files are in come first: there may be no time for all. */
function nearestFirst(tests: readonly string[], files: readonly string[]): string[] {
  const homes = new Set(files.map((file) => file.split("/")[1]));
  const isNear = (test: string) => homes.has(test.split("/")[1]);
  return [...tests.filter(isNear), ...tests.filter((test) => !isNear(test))];
}

/** Records what test files pass, where they or one of these source files changed since the last time. */
async function coverageOf(files: readonly string[], pool: Pool, listener: Listener, options: Options): Promise<Coverage[]> {
  const { tests, until, workers, print } = options;
  const stale = nearestFirst(tests, files).filter((test) => keptCoverage(test, files) === undefined);
  const next = progress("Coverage of test files", stale.length, print);
  listener.covered = (test, failing) => {
    next();
    if (failing === 0) return;
    print(
      failing < 0 ? `Does not count, for it does not end: ${test}` : `Do not count, for they fail without a mutant: ${failing} in ${test}`,
    );
    // Finding out takes long: known until it changes.
    if (failing < 0) keepCoverage({ test, modules: [test], loads: {}, hooks: {}, ms: 0, tests: [], failing: ["it does not end"] });
  };
  for (const test of stale) pool.addCoverage(test);
  await pool.run(workers, Date.now() + (until - Date.now()) * COVERAGE_SHARE);
  return tests.flatMap((test) => keptCoverage(test, files) ?? []);
}

/** Tests the mutants of these source files; `left` is how many there was no time for. */
export async function runMutants(files: readonly string[], options: Options): Promise<{ tested: Tested[]; left: number }> {
  if (files.length === 0) return { tested: [], left: 0 };
  const listener: Listener = {
    covered: () => {},
    tested: () => {},
    unreliable: (name) => options.print(`Does not count, for it fails without a mutant when it is repeated: ${name}`),
  };
  const pool = new Pool(listener);
  try {
    const coverages = await coverageOf(files, pool, listener, options);
    const mutatedFiles = new Map(files.map((file) => [file, mutatedFileOf(file, coverages)]));
    const all = [...mutatedFiles.values()].flatMap(({ source }) => source.mutants);
    const asked = new Set(options.sample === undefined ? all : sampleOf(all, options.sample, SEED));
    const results = new Map<Mutant, Result>();
    let [open, left] = [0, 0];
    for (const { source, plan, known } of mutatedFiles.values()) {
      const unknown: number[] = [];
      for (const [number, mutant] of source.mutants.entries()) {
        if (!asked.has(mutant)) continue;
        const isUncovered = plan.mutants[number] === undefined;
        // While some coverage is missing, a test may cover it all the same.
        if (isUncovered && coverages.length < options.tests.length) {
          left++;
          continue;
        }
        const result = isUncovered ? { run: 0, of: 0, ms: 0 } : known.of(number);
        if (result && holds(result, options)) results.set(mutant, result);
        else unknown.push(number);
      }
      open += unknown.length;
      pool.addMutants(plan, unknown, options.budgetMs);
    }
    const next = progress("Mutants", open, options.print);
    listener.tested = (file, number, result) => {
      const { source, known } = mutatedFiles.get(file) as MutatedFile;
      results.set(source.mutants[number] as Mutant, result);
      known.keep(number, result);
      open--;
      next();
    };
    await pool.run(options.workers, options.until);
    const isComplete = coverages.length === options.tests.length;
    return { tested: [...mutatedFiles.values()].flatMap((file) => testedOf(file, results, isComplete)), left: left + open };
  } finally {
    pool.close();
  }
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
