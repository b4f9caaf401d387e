import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A worker's task: record the coverage of a test file, or run the tests against mutants of one source file. */
export type Task = { kind: "coverage"; test: string } | MutantsTask;

export interface MutantsTask {
  kind: "mutants";
  file: string;
  numbers: number[];
  /** Total time limit for the tests of one mutant. */
  budgetMs: number;
  /** Ids of tests that have failed without a mutant. */
  unreliable: string[];
}

/** A worker's reports, one per line. */
export type Report =
  | { kind: "claimed"; task: Task }
  | { kind: "covered"; test: string; ms: number; failing: number }
  /** A chunk of tests starts against a mutant; `ms` is how long it took when coverage was recorded. */
  | { kind: "started"; file: string; number: number; test: string; ms: number }
  | { kind: "tested"; file: string; number: number; result: Result }
  /** A test failed without a mutant and is ignored from now on. */
  | { kind: "unreliable"; id: string; name: string }
  /** Whether tests still pass without a mutant: if not, kills since the last control run do not count. */
  | { kind: "controlled"; passed: boolean };

export interface Result {
  /** The test that failed, as `file > name`; undefined if the mutant survived. */
  killedBy?: string | undefined;
  message?: string | undefined;
  test?: string | undefined;
  /** How many chunks of covering tests were run, and how many there are. */
  run: number;
  of: number;
  ms: number;
  /** Whether a covering test was ignored because it failed without a mutant. */
  hasIgnored?: boolean;
}

const sourcesPath = (folder: string) => join(folder, "sources.json");

/** The sources that workers load with switches. */
export const mutatedSources = (folder: string): string[] => JSON.parse(readFileSync(sourcesPath(folder), "utf8")) as string[];

/** A folder with a file for each task; a worker takes a task by renaming its file. */
export class TaskQueue {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string, sources?: readonly string[]) {
    this.#folder = folder;
    if (sources) writeFileSync(sourcesPath(folder), JSON.stringify(sources));
    for (const name of ["open", "claimed", "reports"]) mkdirSync(join(folder, name), { recursive: true });
  }

  add(task: Task): void {
    const name = `${String(this.#count++).padStart(6, "0")}-${process.pid}.json`;
    writeFileSync(join(this.#folder, name), JSON.stringify(task));
    renameSync(join(this.#folder, name), join(this.#folder, "open", name));
  }

  claim(): Task | undefined {
    for (const name of readdirSync(join(this.#folder, "open")).sort()) {
      const claimed = join(this.#folder, "claimed", name);
      try {
        renameSync(join(this.#folder, "open", name), claimed);
      } catch {
        // Another worker took it first.
        continue;
      }
      return JSON.parse(readFileSync(claimed, "utf8")) as Task;
    }
    return undefined;
  }

  reportsPath(worker: string): string {
    return join(this.#folder, "reports", `${worker}.jsonl`);
  }

  report(worker: string, report: Report): void {
    appendFileSync(this.reportsPath(worker), `${JSON.stringify(report)}\n`);
  }
}
