import { join, relative } from "node:path";
import { productFiles } from "./all-mutants.ts";
import { type Hits, keepCoverage } from "./coverage.ts";
import { MutantRunner } from "./mutant-runner.ts";
import { LONGEST_TEST_MS, type Plan } from "./plan.ts";
import { REGISTRY, Switches } from "./registry.ts";
import { root } from "./root.ts";
import { type MutantsTask, mutatedSources, type Report, TaskQueue } from "./task-queue.ts";
import { packageOf, TestFileRunner } from "./test-file-runner.ts";
import { readJson, slugOf } from "./workspace.ts";

const [folder = "", worker = ""] = [process.env["FLEETWIRE_MUTATION_FOLDER"], process.env["FLEETWIRE_MUTATION_WORKER"]];

/** A process is replaced after this many runs, before leftovers accumulate. */
const RUNS_A_PROCESS = 1_500;
const MUTANTS_BETWEEN_CONTROLS = 15;

/** Time limit for a test while recording coverage: slower tests are ignored anyway. */
const COVERED_TEST_MS = 2 * LONGEST_TEST_MS;
const COVERED_FILE_MS = 45_000;

function merged(all: readonly Hits[]): Hits {
  const sets = new Map<string, Set<number>>();
  for (const [file, numbers] of all.flatMap((hits) => Object.entries(hits)))
    sets.set(file, new Set([...(sets.get(file) ?? []), ...numbers]));
  return Object.fromEntries([...sets].map(([file, numbers]) => [file, [...numbers].sort((a, b) => a - b)]));
}

/** Works through tasks instead of running the test file that it was started for. */
// biome-ignore lint/style/noDefaultExport: vitest expects a runner to be a file's default export
export default class WorkerRunner extends TestFileRunner {
  readonly #queue = new TaskQueue(folder);
  readonly #switches = new Switches();
  readonly #sources = mutatedSources(folder);
  readonly #files = new TestFileRunner(this.config);
  #current: { file: string; number: number } = { file: "", number: -1 };
  #runs = 0;

  readonly #mutants = new MutantRunner(
    this.#switches,
    (test, options) => {
      this.#runs++;
      process.chdir(packageOf(join(root, test)));
      return this.#files.runFile(join(root, test), options);
    },
    {
      started: (test, ms) => this.#report({ kind: "started", ...this.#current, test, ms }),
      unreliable: (id, name) => this.#report({ kind: "unreliable", id, name }),
    },
  );

  async onBeforeCollect(): Promise<void> {
    Object.assign(globalThis, { [REGISTRY]: this.#switches });
    this.#files.borrow(this);
    for (let task = this.#queue.claim(); task; task = this.#runs < RUNS_A_PROCESS ? this.#queue.claim() : undefined) {
      this.#report({ kind: "claimed", task });
      if (task.kind === "coverage") await this.#cover(task.test);
      else if (!(await this.#testAll(task))) return;
    }
  }

  #report(report: Report): void {
    this.#queue.report(worker, report);
  }

  async #cover(test: string): Promise<void> {
    const path = join(root, test);
    process.chdir(packageOf(path));
    this.#switches.record();
    let loads: Hits = {};
    const hooks: Hits[] = [];
    const hits = new Map<string, Hits>();
    const take = (id: string | undefined) => {
      const taken = this.#switches.takeHits();
      if (id !== undefined) hits.set(id, taken);
      else hooks.push(taken);
    };
    const start = performance.now();
    let running: string | undefined;
    let isPartial = false;
    const run = await this.#files.runFile(path, {
      msOf: () => COVERED_TEST_MS,
      bail: false,
      onCollected: () => {
        loads = this.#switches.takeHits();
      },
      onTest: (id) => {
        take(running);
        running = id;
        this.#switches.endBy(performance.now() + COVERED_TEST_MS);
        if (performance.now() - start <= COVERED_FILE_MS) return;
        isPartial = true;
        this.#files.stop();
      },
    });
    take(undefined);
    this.#switches.turnOn(undefined);
    const passed = run.tests.filter((one) => one.passed);
    const failing = run.tests.filter((one) => !one.passed).map(({ name }) => name);
    const isHookFailing = run.failed !== undefined && failing.length === 0;
    if (isHookFailing) failing.push(`${run.failed}: ${run.message}`);
    const ignored = run.tests.filter((one) => !one.passed).map(({ id }) => hits.get(id) ?? {});
    const coverage = {
      test,
      modules: this.#files.loadedModules().map((file) => relative(root, file)),
      loads,
      hooks: merged(hooks),
      ms: Math.round(run.ms - run.tests.reduce((sum, { ms }) => sum + ms, 0)),
      tests: passed.map(({ id, name, ms }) => ({ id, name, ms: Math.round(ms), hits: hits.get(id) ?? {} })),
      failing,
      ignored: merged(ignored),
      isPartial: isPartial || isHookFailing,
    };
    keepCoverage(coverage, this.#sources.length < productFiles().length ? this.#sources : undefined);
    this.#report({ kind: "covered", test, ms: Math.round(run.ms), failing: failing.length });
  }

  /** Returns false once tests fail without a mutant, which makes this process unusable. */
  async #testAll({ file, numbers, budgetMs, unreliable }: MutantsTask): Promise<boolean> {
    const plan = readJson<Plan>(join(folder, "plans", `${slugOf(file)}.json`)) as Plan;
    this.#mutants.distrust(unreliable);
    for (const [at, number] of numbers.entries()) {
      this.#current = { file, number };
      const result = await this.#mutants.test(plan, number, budgetMs);
      this.#report({ kind: "tested", file, number, result });
      if ((at + 1) % MUTANTS_BETWEEN_CONTROLS > 0 && at < numbers.length - 1) continue;
      const passed = await this.#mutants.control(plan);
      this.#report({ kind: "controlled", passed });
      if (!passed) return false;
    }
    return true;
  }
}
