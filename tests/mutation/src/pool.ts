import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Event, type Order, Orders, type Verdict } from "./orders.ts";
import type { Plan } from "./plan.ts";
import { cacheFolder, slugOf, writeJson } from "./workspace.ts";

const runSource = fileURLToPath(new URL("../scripts/run-source.mjs", import.meta.url));

/** Beside twenty times what a chunk of tests takes: a process that says nothing for so long is stuck in a mutant. */
const SILENT_MS = 40_000;
const START_MS = 120_000;
const LOOK_MS = 200;
const MUTANTS_AN_ORDER = 40;

export interface Listener {
  covered?: (event: Event & { kind: "covered" }) => void;
  judged?: (file: string, number: number, verdict: Verdict) => void;
  unsound?: (name: string) => void;
}

interface Worker {
  name: string;
  child: ChildProcess;
  /** How many characters of its events were read. */
  read: number;
  order: (Order & { kind: "judge" }) | undefined;
  cover: string | undefined;
  begun: (Event & { kind: "begun" }) | undefined;
  lastAt: number;
  patience: number;
  /** Judged since tests were last seen to pass without a mutant. */
  pending: (Event & { kind: "judged" })[];
}

/** Processes that carry out orders, each watched from outside: a mutant may never end. */
export class Pool {
  readonly #folder = join(cacheFolder, "work", String(process.pid));
  readonly #orders = new Orders(this.#folder);
  readonly #listener: Listener;
  readonly #unsound = new Set<string>();
  readonly #workers = new Set<Worker>();
  #started = 0;
  #idle = 0;
  #open = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  cover(tests: readonly string[]): void {
    for (const test of tests) this.#add({ kind: "cover", test });
  }

  judge(plan: Plan, numbers: readonly number[], budgetMs: number): void {
    writeJson(join(this.#folder, "plans", `${slugOf(plan.file)}.json`), plan);
    for (let at = 0; at < numbers.length; at += MUTANTS_AN_ORDER)
      this.#add({
        kind: "judge",
        file: plan.file,
        numbers: numbers.slice(at, at + MUTANTS_AN_ORDER),
        budgetMs,
        unsound: [...this.#unsound],
      });
  }

  #add(order: Order): void {
    this.#open++;
    this.#orders.add(order);
  }

  /** Until all orders are carried out, or time is up. */
  async run(processes: number, until: number): Promise<void> {
    while (this.#open > 0 && Date.now() < until) {
      while (this.#workers.size < Math.min(processes, this.#open)) this.#start();
      await sleep(LOOK_MS);
      for (const worker of this.#workers) this.#look(worker);
    }
    for (const worker of this.#workers) this.#end(worker);
  }

  close(): void {
    for (const worker of this.#workers) this.#end(worker);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #start(): void {
    const name = String(this.#started++);
    const log = openSync(join(this.#folder, `${name}.log`), "a");
    // Its own group: what tests spawn ends with it.
    const child = spawn(process.execPath, [runSource, "src/worker.ts"], {
      detached: true,
      stdio: ["ignore", log, log],
      env: { ...process.env, FLEETWIRE_MUTATION_FOLDER: this.#folder, FLEETWIRE_MUTATION_WORKER: name, NODE_ENV: "test" },
    });
    closeSync(log);
    const worker: Worker = {
      name,
      child,
      read: 0,
      order: undefined,
      cover: undefined,
      begun: undefined,
      lastAt: Date.now(),
      patience: START_MS,
      pending: [],
    };
    this.#workers.add(worker);
  }

  #look(worker: Worker): void {
    const { child } = worker;
    const ended = child.exitCode !== null || child.signalCode !== null;
    for (const event of this.#eventsOf(worker)) {
      worker.lastAt = Date.now();
      this.#take(worker, event);
    }
    if (!ended && Date.now() - worker.lastAt < worker.patience) return;
    this.#end(worker);
    this.#salvage(worker);
  }

  #eventsOf(worker: Worker): Event[] {
    let text: string;
    try {
      text = readFileSync(this.#orders.eventsPath(worker.name), "utf8");
    } catch {
      return [];
    }
    const whole = text.lastIndexOf("\n") + 1;
    const lines = text.slice(worker.read, whole).split("\n").filter(Boolean);
    worker.read = whole;
    return lines.map((line) => JSON.parse(line) as Event);
  }

  #take(worker: Worker, event: Event): void {
    if (event.kind === "claimed") {
      this.#finish(worker);
      worker.order = event.order.kind === "judge" ? { ...event.order } : undefined;
      worker.cover = event.order.kind === "cover" ? event.order.test : undefined;
      worker.patience = event.order.kind === "cover" ? 300_000 : SILENT_MS;
    } else if (event.kind === "covered") {
      worker.cover = undefined;
      this.#open--;
      this.#listener.covered?.(event);
    } else if (event.kind === "begun") {
      worker.begun = event;
      worker.patience = SILENT_MS + 20 * event.ms;
    } else if (event.kind === "judged") {
      worker.begun = undefined;
      worker.pending.push(event);
    } else if (event.kind === "unsound") {
      this.#unsound.add(event.id);
      this.#listener.unsound?.(event.name);
    } else {
      worker.begun = undefined;
      if (event.well) this.#commit(worker);
      worker.pending = [];
    }
  }

  #commit(worker: Worker): void {
    for (const { file, number, verdict } of worker.pending) this.#report(worker, file, number, verdict);
  }

  #report(worker: Worker, file: string, number: number, verdict: Verdict): void {
    if (worker.order) worker.order.numbers = worker.order.numbers.filter((other) => other !== number);
    this.#listener.judged?.(file, number, verdict);
  }

  /** An order that was left is given to another, without the mutant that its process was stuck in. */
  #salvage(worker: Worker): void {
    const { begun, order } = worker;
    if (worker.read === 0 && ++this.#idle > 2) throw new Error(`No worker starts: ${this.#logOf(worker)}`);
    if (worker.cover !== undefined) {
      this.#listener.covered?.({ kind: "covered", test: worker.cover, ms: 0, failing: -1 });
      worker.cover = undefined;
      this.#open--;
    }
    if (begun && order?.numbers.includes(begun.number)) {
      const verdict = { by: `${begun.test} > the process`, message: "timeout: it did not end", test: begun.test, run: 1, of: 1, ms: 0 };
      this.#report(worker, begun.file, begun.number, verdict);
    }
    // A process that ends by itself between controls was not seen to be well.
    worker.begun = undefined;
    this.#finish(worker);
  }

  #finish(worker: Worker): void {
    const { order } = worker;
    worker.order = undefined;
    worker.pending = [];
    if (!order) return;
    this.#open--;
    if (order.numbers.length > 0) this.#add({ ...order, unsound: [...this.#unsound] });
  }

  #logOf({ name }: Worker): string {
    return readFileSync(join(this.#folder, `${name}.log`), "utf8").slice(-2_000);
  }

  #end(worker: Worker): void {
    this.#workers.delete(worker);
    const { pid } = worker.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended, with all that it started.
    }
  }
}
