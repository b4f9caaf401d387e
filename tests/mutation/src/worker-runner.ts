import { join, relative } from "node:path";
import { type CoveredTest, keepCoverage } from "./coverage.ts";
import { Judge } from "./judge.ts";
import { type Event, type Order, Orders } from "./orders.ts";
import type { Plan } from "./plan.ts";
import { REGISTRY, Switches } from "./registry.ts";
import { root } from "./root.ts";
import { packageOf, TestFileRunner } from "./test-file-runner.ts";
import { readJson, slugOf } from "./workspace.ts";

const [folder = "", worker = ""] = [process.env["FLEETWIRE_MUTATION_FOLDER"], process.env["FLEETWIRE_MUTATION_WORKER"]];

/** What runs leave behind in a process stays small. */
const RUNS_A_PROCESS = 1_500;
const MUTANTS_BETWEEN_CONTROLS = 40;

/** In place of running its one test file it carries out orders, until there are none or it has done enough. */
// biome-ignore lint/style/noDefaultExport: vitest takes a runner as a file's default export
export default class WorkerRunner extends TestFileRunner {
  readonly #orders = new Orders(folder);
  readonly #switches = new Switches();
  readonly #files = new TestFileRunner(this.config);
  #now: { file: string; number: number } = { file: "", number: -1 };
  #runs = 0;

  readonly #judge = new Judge(
    this.#switches,
    (test, options) => {
      this.#runs++;
      process.chdir(packageOf(join(root, test)));
      return this.#files.runFile(join(root, test), options);
    },
    {
      begun: (test, ms) => this.#say({ kind: "begun", ...this.#now, test, ms }),
      unsound: (id, name) => this.#say({ kind: "unsound", id, name }),
    },
  );

  async onBeforeCollect(): Promise<void> {
    Object.assign(globalThis, { [REGISTRY]: this.#switches });
    this.#files.borrow(this);
    for (let order = this.#orders.claim(); order; order = this.#runs < RUNS_A_PROCESS ? this.#orders.claim() : undefined) {
      this.#say({ kind: "claimed", order });
      if (order.kind === "cover") await this.#cover(order.test);
      else if (!(await this.#judgeAll(order))) return;
    }
  }

  #say(event: Event): void {
    this.#orders.say(worker, event);
  }

  async #cover(test: string): Promise<void> {
    const path = join(root, test);
    process.chdir(packageOf(path));
    this.#switches.record();
    const loads = new Map<string, Set<number>>();
    const hits = new Map<string, CoveredTest["hits"]>();
    const take = (id: string | undefined) => {
      const taken = this.#switches.takeHits();
      if (id !== undefined) hits.set(id, taken);
      else for (const [file, numbers] of Object.entries(taken)) loads.set(file, new Set([...(loads.get(file) ?? []), ...numbers]));
    };
    let running: string | undefined;
    const run = await this.#files.runFile(path, {
      msOf: () => 60_000,
      bail: false,
      onTest: (id) => {
        take(running);
        running = id;
      },
    });
    take(undefined);
    this.#switches.turnOff();
    const passed = run.tests.filter((one) => one.passed);
    const failing = run.tests.filter((one) => !one.passed).map(({ name }) => name);
    if (run.failed !== undefined && failing.length === 0) failing.push(`${run.failed}: ${run.message}`);
    keepCoverage({
      test,
      modules: this.#files.loadedModules().map((file) => relative(root, file)),
      loads: Object.fromEntries([...loads].map(([file, numbers]) => [file, [...numbers].sort((a, b) => a - b)])),
      tests: passed.map(({ id, name, ms }) => ({ id, name, ms: Math.round(ms), hits: hits.get(id) ?? {} })),
      failing,
    });
    this.#say({ kind: "covered", test, ms: Math.round(run.ms), failing: failing.length });
  }

  /** False where this process is not to be trusted any more. */
  async #judgeAll({ file, numbers, budgetMs, unsound }: Order & { kind: "judge" }): Promise<boolean> {
    const plan = readJson<Plan>(join(folder, "plans", `${slugOf(file)}.json`)) as Plan;
    this.#judge.distrust(unsound);
    for (const [at, number] of numbers.entries()) {
      this.#now = { file, number };
      const verdict = await this.#judge.judge(plan, number, budgetMs);
      this.#say({ kind: "judged", file, number, verdict });
      if ((at + 1) % MUTANTS_BETWEEN_CONTROLS > 0 && at < numbers.length - 1) continue;
      const well = await this.#judge.isWell(plan);
      this.#say({ kind: "looked", well });
      if (!well) return false;
    }
    return true;
  }
}
