import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Plan } from "./plan.ts";
import { type MutantsTask, type Report, type Result, type Task, TaskQueue } from "./task-queue.ts";
import { cacheFolder, slugOf, writeJson } from "./workspace.ts";

const runSource = fileURLToPath(new URL("../scripts/run-source.mjs", import.meta.url));

/** A process that reports nothing for this long plus twenty times the duration of its chunk is stuck in a mutant. */
const SILENT_MS = 40_000;
const START_MS = 120_000;
/** A test file is stopped between tests after 45 seconds (`worker-runner.ts`): one that reports nothing for much longer never finishes. */
const COVERAGE_MS = 120_000;
const POLL_MS = 200;
const MAX_FAILED_STARTS = 3;

interface Listener {
  /** `failing` is -1 for a test file that never finishes. */
  covered?: (test: string, failing: number) => void;
  tested?: (file: string, number: number, result: Result) => void;
  unreliable?: (name: string) => void;
}

interface Worker {
  name: string;
  child: ChildProcess;
  /** Number of characters of its reports read so far. */
  read: number;
  task: Task | undefined;
  started: (Report & { kind: "started" }) | undefined;
  reportedAt: number;
  patienceMs: number;
  /** Reported since the last control run. */
  pending: (Report & { kind: "tested" })[];
}

function workFolder(): string {
  const folder = join(cacheFolder, "work");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Worker processes, monitored from outside because a mutant may never finish. */
export class Pool {
  readonly #folder = mkdtempSync(join(workFolder(), "run-"));
  readonly #queue: TaskQueue;
  readonly #listener: Listener;
  readonly #unreliable = new Set<string>();
  readonly #workers = new Set<Worker>();
  #started = 0;
  #failedStarts = 0;
  #open = 0;

  /** Only these sources are loaded with switches, since adding them to all takes seconds. */
  constructor(sources: readonly string[], listener: Listener) {
    this.#queue = new TaskQueue(this.#folder, sources);
    this.#listener = listener;
  }

  addCoverage(test: string): void {
    this.#add({ kind: "coverage", test });
  }

  addMutants(plan: Plan, numbers: readonly number[], budgetMs: number, atOnce: number): void {
    const { file } = plan;
    writeJson(join(this.#folder, "plans", `${slugOf(file)}.json`), plan);
    for (let at = 0; at < numbers.length; at += atOnce)
      this.#add({ kind: "mutants", file, numbers: numbers.slice(at, at + atOnce), budgetMs, unreliable: [...this.#unreliable] });
  }

  #add(task: Task): void {
    this.#open++;
    this.#queue.add(task);
  }

  /** Returns when all tasks are done or time is up. */
  async run(processes: number, until: number): Promise<void> {
    while (this.#open > 0 && Date.now() < until) {
      while (this.#workers.size < Math.min(processes, this.#open)) this.#start();
      await sleep(POLL_MS);
      for (const worker of this.#workers) this.#poll(worker);
    }
    for (const worker of this.#workers) this.#end(worker);
  }

  close(): void {
    for (const worker of this.#workers) this.#end(worker);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #start(): void {
    const name = String(this.#started++);
    const log = openSync(this.#logPath(name), "a");
    const child = spawn(process.execPath, [runSource, "src/worker.ts"], {
      // A separate process group, so that killing it also ends whatever tests spawned.
      detached: true,
      stdio: ["ignore", log, log],
      env: { ...process.env, FLEETWIRE_MUTATION_FOLDER: this.#folder, FLEETWIRE_MUTATION_WORKER: name, NODE_ENV: "test" },
    });
    closeSync(log);
    const fresh = { read: 0, task: undefined, started: undefined, reportedAt: Date.now(), patienceMs: START_MS, pending: [] };
    this.#workers.add({ name, child, ...fresh });
  }

  #logPath(worker: string): string {
    return join(this.#folder, `${worker}.log`);
  }

  #poll(worker: Worker): void {
    const { exitCode, signalCode } = worker.child;
    for (const report of this.#reportsOf(worker)) {
      worker.reportedAt = Date.now();
      this.#take(worker, report);
    }
    if (exitCode === null && signalCode === null && Date.now() - worker.reportedAt < worker.patienceMs) return;
    this.#end(worker);
    if (worker.read === 0 && ++this.#failedStarts >= MAX_FAILED_STARTS)
      throw new Error(`No worker could be started:\n${readFileSync(this.#logPath(worker.name), "utf8").slice(-2_000)}`);
    this.#takeStuck(worker);
    this.#finish(worker);
  }

  #reportsOf(worker: Worker): Report[] {
    let text: string;
    try {
      text = readFileSync(this.#queue.reportsPath(worker.name), "utf8");
    } catch {
      // Nothing has been reported yet.
      return [];
    }
    const whole = text.lastIndexOf("\n") + 1;
    const lines = text.slice(worker.read, whole).split("\n").filter(Boolean);
    worker.read = whole;
    return lines.map((line) => JSON.parse(line) as Report);
  }

  #take(worker: Worker, report: Report): void {
    if (report.kind === "claimed") {
      this.#finish(worker);
      worker.task = report.task;
      worker.patienceMs = report.task.kind === "coverage" ? COVERAGE_MS : SILENT_MS;
    } else if (report.kind === "covered") {
      this.#listener.covered?.(report.test, report.failing);
      this.#finish(worker);
    } else if (report.kind === "started") {
      worker.started = report;
      worker.patienceMs = SILENT_MS + 20 * report.ms;
    } else if (report.kind === "tested") {
      worker.started = undefined;
      worker.pending.push(report);
    } else if (report.kind === "unreliable") {
      this.#unreliable.add(report.id);
      this.#listener.unreliable?.(report.name);
    } else {
      worker.started = undefined;
      if (report.passed) for (const { file, number, result } of worker.pending) this.#settle(worker, file, number, result);
      worker.pending = [];
    }
  }

  #settle({ task }: Worker, file: string, number: number, result: Result): void {
    if (task?.kind === "mutants") task.numbers = task.numbers.filter((other) => other !== number);
    this.#listener.tested?.(file, number, result);
  }

  /** Reports the mutant in which a process was stuck, or of which it died, as killed. */
  #takeStuck(worker: Worker): void {
    const { started, task } = worker;
    if (task?.kind === "coverage" && worker.child.exitCode !== 0) this.#listener.covered?.(task.test, -1);
    if (!started || task?.kind !== "mutants" || !task.numbers.includes(started.number)) return;
    const result = {
      killedBy: `${started.test} > the process`,
      message: "timeout: it does not end",
      test: started.test,
      run: 1,
      of: 1,
      ms: 0,
    };
    this.#settle(worker, started.file, started.number, result);
  }

  /** Hands the rest of a task to another process. */
  #finish(worker: Worker): void {
    const { task } = worker;
    worker.task = undefined;
    worker.pending = [];
    if (!task) return;
    this.#open--;
    if (task.kind === "mutants" && task.numbers.length > 0) this.#add({ ...(task as MutantsTask), unreliable: [...this.#unreliable] });
  }

  #end(worker: Worker): void {
    this.#workers.delete(worker);
    const { pid } = worker.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The process group no longer exists.
    }
  }
}
