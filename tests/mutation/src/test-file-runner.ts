import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { type File, getFn, type Suite, startTests, type Task, type Test } from "@vitest/runner";
import { TestRunner, vi } from "vitest";
import { PLAIN, REGISTRY } from "./registry.ts";
import { root } from "./root.ts";

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const now = performance.now.bind(performance);

/** Tests that ask for more take too long to be run for each mutant. */
const ORDINARY_TIMEOUT_MS = 60_000;

export interface Run {
  /** The first test or hook that failed, and how. */
  failed: string | undefined;
  message: string | undefined;
  tests: { id: string; name: string; ms: number; passed: boolean }[];
  ms: number;
}

export interface RunOptions {
  /** Default: all tests of the file. */
  ids?: readonly string[] | undefined;
  /** Time limits by test id. */
  msOf: (id: string) => number;
  bail: boolean;
  /** The only source to load with switches. Default: all sources, which is slower. */
  switched?: string | undefined;
  onTest?: (id: string | undefined) => void;
  /** Called when all tests are collected and the first hook is about to run. */
  onCollected?: () => void;
}

/** What vitest sets on a runner besides its configuration. */
interface Lent {
  moduleRunner: { fetchModule: (url: string) => Promise<ModuleNode> };
  _otel: unknown;
  workerState: { filepath: string; evaluatedModules: { idToModuleMap: Map<string, ModuleNode> } };
}

interface ModuleNode {
  id: string;
  url: string;
  meta?: { code?: string | undefined };
  promise?: unknown;
  exports?: unknown;
  evaluated?: boolean;
  importers: Set<string>;
}

/** Runs test files repeatedly in this process, each time with fresh modules. */
export class TestFileRunner extends TestRunner {
  #options: RunOptions = { msOf: () => 60_000, bail: true };
  #stopped = false;
  readonly #codes = new Map<string, { withSwitches: string | undefined; plain: string | undefined }>();

  onBeforeRunFiles(): void {
    this.#options.onCollected?.();
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.#stopped || test.timeout > ORDINARY_TIMEOUT_MS) test.mode = "skip";
    await super.onBeforeRunTask(test);
    this.#options.onTest?.(test.id);
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    if (this.#stopped) suite.mode = "skip";
    await super.onBeforeRunSuite(suite);
  }

  /** Applies the test's own time limit, which is far shorter than the test file's. */
  async runTask(test: Test): Promise<void> {
    const most = this.#options.msOf(test.id);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = startTimer(() => reject(new Error(`timeout: more than ${most} ms`)), most);
    });
    try {
      await Promise.race([getFn(test)(), late]);
    } finally {
      stopTimer(timer);
    }
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test);
    if (this.#options.bail && test.result?.state === "fail") this.#stopped = true;
    this.#options.onTest?.(undefined);
  }

  /** Skips the remaining tests of a file. */
  stop(): void {
    this.#stopped = true;
  }

  /** Copies what vitest set on another runner in this process. */
  borrow(other: TestFileRunner): void {
    const { moduleRunner, _otel } = other as unknown as Lent;
    Object.assign(this, { moduleRunner, _otel });
  }

  async #chooseCodes(switched: string | undefined): Promise<void> {
    for (const [id, { url, meta }] of modulesOf(this)) {
      if (id.endsWith(PLAIN) || !meta || !(this.#codes.has(id) || meta.code?.includes(REGISTRY))) continue;
      const codes = this.#codes.get(id) ?? {
        withSwitches: meta.code,
        plain: (await (this as unknown as Lent).moduleRunner.fetchModule(url + PLAIN)).meta?.code,
      };
      this.#codes.set(id, codes);
      meta.code = switched === undefined || switched === id ? codes.withSwitches : codes.plain;
    }
  }

  /** Files in this repository that the last test file loaded. */
  loadedModules(): string[] {
    return [...modulesOf(this)].filter(([, { evaluated }]) => evaluated).map(([id]) => id);
  }

  async runFile(path: string, options: RunOptions): Promise<Run> {
    this.#options = options;
    this.#stopped = false;
    const start = now();
    const before = surroundings();
    forgetModules(this);
    await this.#chooseCodes(options.switched);
    (this as unknown as Lent).workerState.filepath = path;
    try {
      const [file] = await startTests([{ filepath: path, testIds: options.ids ? [...options.ids] : undefined } as never], this);
      return { ...outcomeOf(file as File), ms: now() - start };
    } finally {
      before.restore();
    }
  }
}

/** The modules of this repository, which are evaluated for each run; third-party packages are evaluated only once. */
function* modulesOf(runner: TestFileRunner): Generator<[string, ModuleNode]> {
  const nodes = (runner as unknown as Lent).workerState.evaluatedModules.idToModuleMap;
  for (const [id, node] of nodes) {
    if (!id.startsWith(root) || id.includes("/node_modules/") || id.includes("/tests/mutation/src/") || node.meta?.code === undefined)
      continue;
    yield [id, node];
  }
}

function forgetModules(runner: TestFileRunner): void {
  for (const [, node] of modulesOf(runner)) {
    node.promise = undefined;
    node.exports = undefined;
    node.evaluated = false;
    node.importers.clear();
  }
}

/** Saves the globals that tests and the setup file replace; `restore` puts them back. */
function surroundings(): { restore: () => void } {
  const { spawn } = childProcess;
  const { fetch } = globalThis;
  const writes = [process.stdout.write, process.stderr.write] as const;
  const levels = ["debug", "error", "info", "log", "warn"] as const;
  const printed = levels.map((level) => console[level]);
  const env = { ...process.env };
  const folder = process.cwd();
  return {
    restore: () => {
      vi.useRealTimers();
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
      vi.resetConfig();
      childProcess.spawn = spawn;
      syncBuiltinESMExports();
      globalThis.fetch = fetch;
      [process.stdout.write, process.stderr.write] = writes;
      for (const [at, level] of levels.entries()) console[level] = printed[at] as typeof console.log;
      for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
      Object.assign(process.env, env);
      process.chdir(folder);
      process.exitCode = undefined;
    },
  };
}

const nameOf = (task: Task): string => (task.suite?.name ? `${nameOf(task.suite)} > ${task.name}` : task.name);

function outcomeOf(file: File): Omit<Run, "ms"> {
  const tests: Run["tests"] = [];
  let failed: string | undefined;
  let message: string | undefined;
  const visit = (task: Task) => {
    for (const child of "tasks" in task ? task.tasks : []) visit(child);
    if (task.type === "test" && task.result && (task.result.state === "pass" || task.result.state === "fail"))
      tests.push({ id: task.id, name: nameOf(task), ms: task.result.duration ?? 0, passed: task.result.state === "pass" });
    if (failed === undefined && task.result?.state === "fail" && (task.result.errors?.length ?? 0) > 0) {
      failed = nameOf(task);
      message = task.result.errors?.[0]?.message.split("\n")[0]?.slice(0, 200);
    }
  };
  visit(file);
  return { failed, message, tests };
}

export const packageOf = (testFile: string): string => dirname(dirname(testFile));
