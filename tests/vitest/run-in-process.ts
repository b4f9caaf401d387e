import { Readable, Writable } from "node:stream";
import { canaryIn } from "./canary.ts";

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Thrown when the program would end the process. */
class Exit extends Error {}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a command-line program to completion in this process, with its own environment and outputs. Its stdin is empty or, if the user types something, a
 * terminal. Starting a process would take fifty times as long.
 */
export async function runInProcess(program: () => Promise<void>, env: Readonly<Record<string, string>>, typed?: string): Promise<Ended> {
  const out = { stdout: "", stderr: "" };
  let exited: number | undefined;
  const capture = (name: "stdout" | "stderr") =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _, done) => {
        // A program may catch the error thrown in place of its exit.
        if (exited === undefined) out[name] += chunk;
        done();
      },
    });
  const isTerminal = { isTTY: typed !== undefined };
  const own = {
    stdin: Object.assign(Readable.from(typed ? [typed] : []), isTerminal),
    stdout: capture("stdout"),
    stderr: Object.assign(capture("stderr"), isTerminal),
    env: { ...env },
    exit: (code?: number) => {
      exited ??= code ?? Number(process.exitCode ?? 0);
      throw new Exit();
    },
  };
  const { exitCode } = process;
  const before = Object.keys(own).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  const listeners = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  process.exitCode = undefined;
  for (const [name, value] of Object.entries(own)) Object.defineProperty(process, name, { value, configurable: true, writable: true });
  let code: number;
  try {
    await program();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    code = exited ?? Number(process.exitCode ?? 0);
    process.exitCode = exitCode;
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor);
    for (const [signal, known] of listeners)
      for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener);
  }
  const shown = canaryIn(out.stdout) ?? canaryIn(out.stderr);
  if (shown !== undefined) throw new Error(`A secret was written: ${shown}`);
  return { code, signal: null, ...out };
}
