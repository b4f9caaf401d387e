import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Ended } from "../../../tests/vitest/run-in-process.ts";
import type { AtEnd } from "../../tools/test/served-fleet.ts";

/** The messages of a log on stderr, each of whose lines is JSON. */
export const messagesIn = (stderr: string): string[] =>
  stderr
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

/** The first line on stderr of everything run with --sandbox. */
export const NOTICE = "fleetwire-mcp: sandbox: every vehicle, person and position is made up\n";

export const BIN = fileURLToPath(new URL("../dist/fleetwire-mcp.js", import.meta.url));

/** Only the path is taken from the environment, so that its variables have no influence. */
export const cleanEnv = (env: Record<string, string> = {}): Record<string, string> => ({ PATH: process.env["PATH"] ?? "", ...env });

export const request = (id: number | string, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });

/** The first request of a host of an older revision. */
export const initialize = (id: number) =>
  request(id, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } });

export interface Spawned {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
  /** Waits for the given number of lines on stdout. */
  lines(count: number): Promise<string[]>;
  send(message: unknown): void;
}

/** The resident memory of a process in MiB, or at most so far (VmHWM). */
export const memoryOf = (pid: number | undefined, field: "VmRSS" | "VmHWM" = "VmRSS") =>
  Math.round(Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024);

/** Starts the built bin, and kills it when the test ends. Concurrent tests pass the `onTestFinished` of their context. */
export function start(args: readonly string[], env: Record<string, string> = {}, atEnd: AtEnd = onTestFinished): Spawned {
  const child = spawn(process.execPath, [BIN, ...args], { env: cleanEnv(env) });
  const out = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (chunk: string) => (out[stream] += chunk));
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, ...out }));
  atEnd(() => {
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
