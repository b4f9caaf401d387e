import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const inTree = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const SERVER: string = inTree("packages/mcp-server/dist/fleetwire-mcp.js");
export const SANDBOX: string = inTree("packages/sandbox/dist/fleetwire-sandbox.js");
export const CONSOLE_SCRIPT: string = inTree("scripts/console.mjs");

const END_MS = 10_000;
const START_MS = 60_000;

const running = new Set<ChildProcess>();

/** Kills the program's process group, since nginx has workers. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}

// Whatever happens to the test, no program outlives it.
process.once("exit", () => {
  for (const child of running) killGroup(child, "SIGKILL");
});

export interface Program {
  pid: number;
  /** The first group of the pattern that the program printed when it was ready. */
  ready: string;
  /** Calls back with each further line that it prints. */
  onLine(listener: (line: string) => void): void;
  signal(signal: NodeJS.Signals): void;
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface ProgramOptions {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** What it prints when it is ready. */
  pattern: RegExp;
  /** The user to run as, if the test runs as root. */
  uid?: number;
}

/** Starts a program in a group of its own, with a clean environment, and waits until it is ready. */
export async function startProgram(path: string, { args, env = {}, pattern, uid }: ProgramOptions): Promise<Program> {
  const child = spawn(path, args, {
    detached: true,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  running.add(child);
  const ended = once(child, "exit").finally(() => running.delete(child));
  const listeners = new Set<(line: string) => void>();
  let printed = "";
  const ready = new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${path} was not ready within ${START_MS} ms: ${printed}`)), START_MS);
    const seek = (line: string) => {
      printed += `${line}\n`;
      const found = pattern.exec(line);
      if (found === null) return;
      clearTimeout(late);
      listeners.delete(seek);
      resolve(found[1] ?? "");
    };
    listeners.add(seek);
    void ended.then(([code, signal]) => reject(new Error(`${path} ended with ${code ?? signal}: ${printed}`)));
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) for (const listener of listeners) listener(line);
    });
  }
  const end: Program["end"] = async (signal = "SIGTERM") => {
    killGroup(child, signal);
    const tooLate = setTimeout(() => killGroup(child, "SIGKILL"), END_MS);
    await ended;
    clearTimeout(tooLate);
  };
  try {
    const onLine: Program["onLine"] = (listener) => void listeners.add(listener);
    return { pid: child.pid as number, ready: await ready, signal: (signal) => killGroup(child, signal), end, onLine };
  } catch (error) {
    killGroup(child, "SIGKILL");
    throw error;
  }
}

/** Starts the built server over HTTP. `ready` is its address. */
export const startServer = (env: ProgramOptions["env"], ...args: string[]): Promise<Program> =>
  startProgram(process.execPath, {
    args: [SERVER, "http", "--port", "0", ...args],
    ...(env && { env }),
    pattern: /ready at ([^\s"]+)["\n]/,
  });
