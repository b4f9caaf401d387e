import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a worker is asked to do: record what a test file passes, or judge mutants of one source file. */
export type Order =
  | { kind: "cover"; test: string }
  | { kind: "judge"; file: string; numbers: number[]; budgetMs: number; unsound: string[] };

/** What a worker says, a line each. */
export type Event =
  | { kind: "claimed"; order: Order }
  | { kind: "covered"; test: string; ms: number; failing: number }
  /** A mutant's run by one chunk of tests begins, which should take so long. */
  | { kind: "begun"; file: string; number: number; test: string; ms: number }
  | { kind: "judged"; file: string; number: number; verdict: Verdict }
  /** A test failed without a mutant, and has no vote any more. */
  | { kind: "unsound"; id: string; name: string }
  /** Whether tests still pass without a mutant: where they do not, what was caught since the last look does not count. */
  | { kind: "looked"; well: boolean };

export interface Verdict {
  /** The test that failed, as `file > name`; undefined where the mutant survived. */
  by?: string | undefined;
  message?: string | undefined;
  /** The file of that test. */
  test?: string | undefined;
  /** Chunks of covering tests that were run, of how many. */
  run: number;
  of: number;
  ms: number;
}

/** Orders lie in a folder, a file each; whoever renames one has it. */
export class Orders {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of ["open", "claimed", "events"]) mkdirSync(join(folder, name), { recursive: true });
  }

  add(order: Order): void {
    const name = `${String(this.#count++).padStart(6, "0")}-${process.pid}.json`;
    writeFileSync(join(this.#folder, name), JSON.stringify(order));
    renameSync(join(this.#folder, name), join(this.#folder, "open", name));
  }

  claim(): Order | undefined {
    for (const name of readdirSync(join(this.#folder, "open")).sort()) {
      const mine = join(this.#folder, "claimed", name);
      try {
        renameSync(join(this.#folder, "open", name), mine);
      } catch {
        continue;
      }
      return JSON.parse(readFileSync(mine, "utf8")) as Order;
    }
    return undefined;
  }

  eventsPath(worker: string): string {
    return join(this.#folder, "events", `${worker}.jsonl`);
  }

  say(worker: string, event: Event): void {
    appendFileSync(this.eventsPath(worker), `${JSON.stringify(event)}\n`);
  }
}
