import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CLIENT, TOOLS } from "./all-mutants.ts";
import type { Order } from "./judge-process.ts";
import type { Mutant } from "./mutant.ts";
import { mutatedModule, type Program, wholeProgram } from "./program.ts";
import type { Suite } from "./suite.ts";

export interface Judgement {
  mutant: Mutant;
  /** What caught it; undefined where it survived. */
  by: string | undefined;
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const PROCESSES = 2;
/** A mutant that never ends has been caught by then. */
const LONGEST_MS = 60_000;
const NO_END = "timeout: it did not end";
/** What mutants leave behind in a process stays small. */
const MUTANTS_A_PROCESS = 60;

function suiteOf(mutant: Mutant): Suite {
  if (mutant.file.startsWith(CLIENT)) return "client";
  return mutant.file.startsWith(TOOLS) ? "results" : "contract";
}

/** One process that judges a mutant after another, and is replaced when one does not end. */
class Judge {
  readonly #start: () => ChildProcess;
  readonly #document: string;
  #child: ChildProcess | undefined;
  #judged = 0;

  constructor(start: () => ChildProcess, document: string) {
    this.#start = start;
    this.#document = document;
  }

  async judge(altered: Program, suite: Suite): Promise<string | undefined> {
    if (this.#judged++ % MUTANTS_A_PROCESS === 0) this.end();
    this.#child ??= this.#start();
    const child = this.#child;
    child.send({ altered, publishedDocument: this.#document, suite } satisfies Order);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), LONGEST_MS);
    const { signal } = over;
    try {
      const ended = once(child, "exit", { signal }).then(() => [{ by: "crash: the process ended" }]);
      const [{ by }] = (await Promise.race([once(child, "message", { signal }), ended])) as [{ by?: string }];
      if (child.exitCode !== null) this.end();
      return by;
    } catch {
      this.end();
      return NO_END;
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  }

  end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

/** Starts processes that hold the whole program, in which a server is linked and not spawned. */
async function startIn(folder: string): Promise<() => ChildProcess> {
  const program = join(folder, "program.json");
  const judge = join(folder, "judge.mjs");
  await writeFile(program, JSON.stringify(await wholeProgram()));
  await build({ entryPoints: [at("judge-process.ts")], bundle: true, format: "esm", platform: "node", outfile: judge });
  const args = [program, at("suite.ts"), at("../src/checks/spawned-server.ts"), at("linked-server.ts")];
  return () =>
    fork(judge, args, {
      stdio: "ignore",
      // Far from UTC, so that it shows where a time leans on the machine's zone.
      env: { ...process.env, TZ: "Asia/Kathmandu" },
      execArgv: ["--conditions=fleetwire-source", "--experimental-import-meta-resolve", "--no-warnings"],
    });
}

/** Judges each mutant by the contract's checks, after the program as it is, which has to stand. */
export async function judgeMutants(mutants: readonly Mutant[], onJudged: (judgement: Judgement) => void = () => {}): Promise<Judgement[]> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-mutants-"));
  const document = JSON.stringify(JSON.parse(await readFile(at("../../core/openapi.json"), "utf8")));
  const queue = [...mutants];
  const judgements: Judgement[] = [];

  const work = async (judge: Judge): Promise<void> => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const altered = await mutatedModule(mutant);
      const judged = () => (altered === undefined ? "syntax: it is no program" : judge.judge(altered, suiteOf(mutant)));
      let by = await judged();
      // What others left behind in the process, or a busy machine, may have been to blame.
      if (by === NO_END) by = await judged();
      const judgement = { mutant, by };
      judgements.push(judgement);
      onJudged(judgement);
    }
  };

  try {
    const start = await startIn(folder);
    const judges = Array.from({ length: PROCESSES }, () => new Judge(start, document));
    try {
      const objection = await judges[0]?.judge({}, "contract");
      if (objection !== undefined) throw new Error(`the contract does not hold as it is: ${objection}`);
      await Promise.all(judges.map(work));
    } finally {
      for (const judge of judges) judge.end();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return judgements;
}
