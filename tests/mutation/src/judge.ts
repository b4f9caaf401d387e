import { join } from "node:path";
import type { Verdict } from "./orders.ts";
import type { Chunk, Plan } from "./plan.ts";
import type { Switches } from "./registry.ts";
import { root } from "./root.ts";
import type { Run, RunOptions } from "./test-file-runner.ts";

/** Beside five times what it takes without a mutant: a busy machine, or a mutant's longer way. */
const TEST_MS = 2_000;
/** What loading a test file costs, about. */
const LOAD_MS = 150;

type RunFile = (test: string, options: RunOptions) => Promise<Run>;

const now = performance.now.bind(performance);

/** How often a chunk caught mutants of a file: what caught one before likely catches the next. */
interface Tried {
  runs: number;
  caught: number;
}

export interface Hooks {
  begun: (test: string, ms: number) => void;
  /** A test fails without a mutant too. */
  unsound: (id: string, name: string) => void;
}

/** Judges mutants of one source file after another in this process. */
export class Judge {
  readonly #switches: Switches;
  readonly #runFile: RunFile;
  readonly #hooks: Hooks;
  readonly #tried = new Map<string, Tried>();
  /** Mutants that stand beside each other are often caught by the same tests. */
  readonly #lastCaught = new Map<string, string>();
  /** Tests that were seen to pass by themselves without a mutant. */
  readonly #sound = new Set<string>();
  readonly #unsound = new Set<string>();

  constructor(switches: Switches, runFile: RunFile, hooks: Hooks) {
    this.#switches = switches;
    this.#runFile = runFile;
    this.#hooks = hooks;
  }

  async judge(plan: Plan, number: number, budgetMs: number): Promise<Verdict> {
    const arms = plan.mutants[number] ?? [];
    const start = now();
    const left = new Set(arms);
    let run = 0;
    while (left.size > 0 && now() - start < budgetMs) {
      const arm = this.#likeliest(plan, [...left]);
      left.delete(arm);
      const chunk = plan.chunks[arm[0]] as Chunk;
      const tests = arm[1] === "all" ? chunk.tests : arm[1].map((at) => chunk.tests[at] as Chunk["tests"][number]);
      const failed = await this.#failureIn(plan.file, number, chunk, tests);
      run++;
      this.#note(plan.file, chunk, failed !== undefined);
      if (failed)
        return {
          by: `${chunk.test} > ${failed.failed}`,
          message: failed.message,
          test: chunk.test,
          run,
          of: arms.length,
          ms: Math.round(now() - start),
        };
    }
    return { run, of: arms.length, ms: Math.round(now() - start) };
  }

  async #failureIn(file: string, number: number, chunk: Chunk, tests: Chunk["tests"]): Promise<Run | undefined> {
    const able = tests.filter(({ id }) => !this.#unsound.has(id));
    if (able.length === 0) return undefined;
    const failed = await this.#run(file, number, chunk, able, 1);
    if (failed.failed === undefined) return undefined;
    const ids = failed.tests.filter(({ passed }) => !passed).map(({ id }) => id);
    const again = /^timeout/.test(failed.message ?? "");
    // A busy machine may have been to blame.
    if (again && (await this.#run(file, number, chunk, able, 3)).failed === undefined) return undefined;
    const key = ids[0] ?? `${chunk.test} ${able[0]?.id}`;
    if (this.#sound.has(key)) return failed;
    const control = await this.#run(file, undefined, chunk, able, 3);
    if (control.failed === undefined) {
      this.#sound.add(key);
      return failed;
    }
    this.#distrust(chunk, control, able);
    return undefined;
  }

  /** Takes the vote of tests that were seen to fail without a mutant, by an earlier process. */
  distrust(ids: readonly string[]): void {
    for (const id of ids) this.#unsound.add(id);
  }

  #distrust(chunk: Chunk, { tests, failed }: Run, able: Chunk["tests"]): void {
    const failing = tests.filter(({ passed }) => !passed).map(({ id }) => id);
    // A hook failed, and with it the file.
    for (const id of failing.length > 0 ? failing : able.map((test) => test.id)) {
      this.#unsound.add(id);
      this.#hooks.unsound(id, `${chunk.test} > ${failed}`);
    }
  }

  /** Runs, without a mutant, the chunk that catches most: what others left behind shows in it. */
  async isWell(plan: Plan): Promise<boolean> {
    const best = plan.chunks
      .map((chunk) => [chunk, this.#tried.get(this.#key(plan.file, chunk))?.caught ?? 0] as const)
      .sort((a, b) => b[1] - a[1])[0];
    if (!best || best[1] === 0) return true;
    const able = best[0].tests.filter(({ id }) => !this.#unsound.has(id));
    const control = await this.#run(plan.file, undefined, best[0], able, 3);
    if (control.failed !== undefined) this.#distrust(best[0], control, able);
    return control.failed === undefined;
  }

  async #run(file: string, number: number | undefined, chunk: Chunk, tests: Chunk["tests"], patience: number): Promise<Run> {
    const ms = new Map(tests.map((test) => [test.id, test.ms]));
    const msOf = (id: string) => patience * (TEST_MS + 5 * (ms.get(id) ?? 0));
    this.#hooks.begun(
      chunk.test,
      tests.reduce((sum, test) => sum + test.ms, 0),
    );
    if (number === undefined) this.#switches.turnOff();
    else this.#switches.turnOn(file, number);
    this.#switches.endBy(now() + patience * 10_000);
    try {
      return await this.#runFile(chunk.test, {
        ids: tests.map(({ id }) => id),
        msOf,
        bail: true,
        switched: join(root, file),
        onTest: (id) => this.#switches.endBy(now() + (id === undefined ? patience * 10_000 : msOf(id))),
      });
    } finally {
      this.#switches.turnOff();
    }
  }

  #key = (file: string, chunk: Chunk) => `${file} ${chunk.test} ${chunk.tests[0]?.id}`;

  #note(file: string, chunk: Chunk, caught: boolean): void {
    const key = this.#key(file, chunk);
    const { runs, caught: before } = this.#tried.get(key) ?? { runs: 0, caught: 0 };
    if (caught) this.#lastCaught.set(file, key);
    this.#tried.set(key, { runs: runs + 1, caught: before + (caught ? 1 : 0) });
  }

  #likeliest(plan: Plan, arms: Plan["mutants"][number]): Plan["mutants"][number][number] {
    const home = `packages/${plan.file.split("/")[1]}/`;
    const worth = ([at, tests]: (typeof arms)[number]): number => {
      const chunk = plan.chunks[at] as Chunk;
      const { runs, caught } = this.#tried.get(this.#key(plan.file, chunk)) ?? { runs: 0, caught: 0 };
      const likely = (0.1 + chunk.weight) * (chunk.test.startsWith(home) ? 1 : 0.5) * (tests === "all" ? 0.5 : 1);
      const ms = tests === "all" ? chunk.ms : tests.reduce((sum, index) => sum + (chunk.tests[index]?.ms ?? 0), 0);
      const again = this.#lastCaught.get(plan.file) === this.#key(plan.file, chunk) ? 2 : 1;
      return (again * (caught + likely)) / (runs + 1) / (ms + LOAD_MS);
    };
    return arms.reduce((best, arm) => (worth(arm) > worth(best) ? arm : best));
  }
}
