import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** What stands on stderr, before all else, of whatever is run with --sandbox. */
export const NOTICE = "fleetwire-mcp: sandbox: every vehicle, person and position is made up\n";

export const BIN = fileURLToPath(new URL("../dist/fleetwire-mcp.js", import.meta.url));

/** Nothing of the environment that tests run in but the path, so that no variable of it decides. */
export const cleanEnv = (env: Record<string, string> = {}): Record<string, string> => ({ PATH: process.env["PATH"] ?? "", ...env });

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Spawned {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
  /** What stdout holds once so many lines have come. */
  lines(count: number): Promise<string[]>;
  send(message: unknown): void;
}

/** Starts the built bin; it is killed where the test ends before it. */
export function start(args: readonly string[], env: Record<string, string> = {}): Spawned {
  const child = spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env) });
  const out = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (chunk: string) => (out[stream] += chunk));
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, ...out }));
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return {
    child,
    ended,
    lines: async (count) => {
      while (out.stdout.split("\n").length <= count && child.exitCode === null) await Promise.race([once(child.stdout, "data"), ended]);
      return out.stdout.split("\n").slice(0, -1);
    },
    send: (message) => child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
  };
}

/** Runs the built bin to its end with nothing on stdin. */
export async function runBin(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin.end();
  return ended;
}
