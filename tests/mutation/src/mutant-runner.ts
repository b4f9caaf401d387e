import { join } from "node:path";
import type { Candidate, Chunk, Plan } from "./plan.ts";
import type { Switches } from "./registry.ts";
import { root } from "./root.ts";
import type { Result } from "./task-queue.ts";
import type { Run, RunOptions } from "./test-file-runner.ts";

/** A test's time limit is this plus five times its duration without a mutant, since the machine may be busy or the mutated path longer. */
const TEST_MS = 2_000;
const HOOKS_MS = 10_000;
/** Factor for the time limit of runs that confirm whether a failure counts. */
const PATIENCE = 3;

const now = performance.now.bind(performance);

export interface Listener {
  started: (test: string, ms: number) => void;
  /** Called when a test also fails without a mutant. */
  unreliable: (id: string, name: string) => void;
}

interface Tries {
  runs: number;
  kills: number;
}

/** Runs tests against one mutant after another, in this process. */
export class MutantRunner {
  readonly #switches: Switches;
  readonly #runFile: (test: string, options: RunOptions) => Promise<Run>;
  readonly #listener: Listener;
  /** Kills by source file and chunk: tests that killed one mutant of a file often kill the next. */
  readonly #tries = new Map<string, Tries>();
  /** The last killer by source file: neighboring mutants are often killed by the same tests. */
  readonly #lastKiller = new Map<string, string>();
  /** Ids of tests that have passed on their own without a mutant. */
  readonly #reliable = new Set<string>();
  readonly #unreliable = new Set<string>();

  constructor(switches: Switches, runFile: (test: string, options: RunOptions) => Promise<Run>, listener: Listener) {
    this.#switches = switches;
    this.#runFile = runFile;
    this.#listener = listener;
  }

  /** Runs the tests that cover a mutant until one fails or the time budget is spent, starting with those most likely to kill it. */
  async test(plan: Plan, number: number, budgetMs: number): Promise<Result> {
    const candidates = plan.mutants[number] ?? [];
    const left = new Set(candidates);
    const start = now();
    let run = 0;
    let hasIgnored = false;
    const result = (): Result => ({ run, of: candidates.length, ms: Math.round(now() - start), ...(hasIgnored && { hasIgnored }) });
    while (left.size > 0 && now() - start < budgetMs) {
      const candidate = this.#likeliest(plan, [...left]);
      left.delete(candidate);
      const { chunk, tests } = testsOf(plan, candidate);
      run++;
      const failed = await this.#failureIn(plan.file, number, chunk, tests);
      this.#note(plan.file, chunk, failed !== undefined);
      hasIgnored ||= tests.some(({ id }) => this.#unreliable.has(id));
      if (failed) return { killedBy: `${chunk.test} > ${failed.failed}`, message: failed.message, test: chunk.test, ...result() };
    }
    return result();
  }

  /** Ignores tests that failed without a mutant in an earlier process. */
  distrust(ids: readonly string[]): void {
    for (const id of ids) this.#unreliable.add(id);
  }

  /** Runs the chunk with the most kills without a mutant: it fails if earlier runs left state behind. */
  async control(plan: Plan): Promise<boolean> {
    const killsOf = (chunk: Chunk) => this.#tries.get(keyOf(plan.file, chunk))?.kills ?? 0;
    const chunk = plan.chunks.reduce<Chunk | undefined>((best, one) => (killsOf(one) > (best ? killsOf(best) : 0) ? one : best), undefined);
    if (!chunk) return true;
    const tests = chunk.tests.filter(({ id }) => !this.#unreliable.has(id));
    const run = await this.#run(plan.file, undefined, chunk, tests, PATIENCE);
    if (run.failed !== undefined) this.#exclude(chunk, run, tests);
    return run.failed === undefined;
  }

  async #failureIn(file: string, number: number, chunk: Chunk, all: Chunk["tests"]): Promise<Run | undefined> {
    const tests = all.filter(({ id }) => !this.#unreliable.has(id));
    if (tests.length === 0) return undefined;
    const run = await this.#run(file, number, chunk, tests, 1);
    if (run.failed === undefined) return undefined;
    const isTimeout = /^timeout/.test(run.message ?? "");
    if (isTimeout && (await this.#run(file, number, chunk, tests, PATIENCE)).failed === undefined) return undefined;
    const killer = run.tests.find(({ passed }) => !passed)?.id ?? `${chunk.test} ${tests[0]?.id}`;
    if (this.#reliable.has(killer)) return run;
    const control = await this.#run(file, undefined, chunk, tests, PATIENCE);
    if (control.failed === undefined) {
      this.#reliable.add(killer);
      return run;
    }
    this.#exclude(chunk, control, tests);
    return undefined;
  }

  #exclude({ test }: Chunk, run: Run, tests: Chunk["tests"]): void {
    const failing = run.tests.filter(({ passed }) => !passed).map(({ id }) => id);
    // If a hook failed, the whole file did.
    for (const id of failing.length > 0 ? failing : tests.map((one) => one.id)) {
      this.#unreliable.add(id);
      this.#listener.unreliable(id, `${test} > ${run.failed}`);
    }
  }

  async #run(file: string, number: number | undefined, chunk: Chunk, tests: Chunk["tests"], patience: number): Promise<Run> {
    const ms = new Map(tests.map((test) => [test.id, test.ms]));
    const longest = (id: string) => patience * (TEST_MS + 5 * (ms.get(id) ?? 0));
    this.#listener.started(chunk.test, msOf(tests) + chunk.loadMs);
    this.#switches.turnOn(number === undefined ? undefined : { file, number });
    const hooksMs = patience * (HOOKS_MS + 5 * chunk.loadMs);
    this.#switches.endBy(now() + hooksMs);
    try {
      return await this.#runFile(chunk.test, {
        ids: tests.map(({ id }) => id),
        msOf: longest,
        bail: true,
        switched: join(root, file),
        onTest: (id) => this.#switches.endBy(now() + (id === undefined ? hooksMs : longest(id))),
      });
    } finally {
      this.#switches.turnOn(undefined);
    }
  }

  #note(file: string, chunk: Chunk, killed: boolean): void {
    const key = keyOf(file, chunk);
    const { runs, kills } = this.#tries.get(key) ?? { runs: 0, kills: 0 };
    this.#tries.set(key, { runs: runs + 1, kills: kills + (killed ? 1 : 0) });
    if (killed) this.#lastKiller.set(file, key);
  }

  #likeliest(plan: Plan, candidates: readonly Candidate[]): Candidate {
    const home = `packages/${plan.file.split("/")[1]}/`;
    const killsPerMs = (candidate: Candidate): number => {
      const { chunk, tests } = testsOf(plan, candidate);
      const key = keyOf(plan.file, chunk);
      const { runs, kills } = this.#tries.get(key) ?? { runs: 0, kills: 0 };
      const expected = (0.1 + chunk.weight) * (chunk.test.startsWith(home) ? 1 : 0.5) * (candidate[1] === "all" ? 0.5 : 1);
      const again = this.#lastKiller.get(plan.file) === key ? 2 : 1;
      return (again * (kills + expected)) / (runs + 1) / (msOf(tests) + chunk.loadMs);
    };
    return candidates.reduce((best, one) => (killsPerMs(one) > killsPerMs(best) ? one : best));
  }
}

const keyOf = (file: string, chunk: Chunk) => `${file} ${chunk.test} ${chunk.tests[0]?.id}`;

const msOf = (tests: Chunk["tests"]) => tests.reduce((sum, { ms }) => sum + ms, 0);

function testsOf(plan: Plan, [at, which]: Candidate): { chunk: Chunk; tests: Chunk["tests"] } {
  const chunk = plan.chunks[at] as Chunk;
  return { chunk, tests: which === "all" ? chunk.tests : which.map((index) => chunk.tests[index] as Chunk["tests"][number]) };
}
