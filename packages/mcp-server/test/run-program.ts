import { Readable, Writable } from "node:stream";
import { canaryIn } from "../../../vitest.canary.ts";
import { runProgram } from "../src/cli/program.ts";
import { cleanEnv, type Ended } from "./spawned-bin.ts";

/** Thrown where the program would end the process. */
class Exit extends Error {}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs the program to its end with nothing on stdin: in this process, for starting the built bin takes as long as fifty such runs.
 * That the bin does the same is tested in built-bin.test.ts.
 */
export async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const out = { stdout: "", stderr: "" };
  const capture = (name: "stdout" | "stderr") =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _, done) => {
        out[name] += chunk;
        done();
      },
    });
  const own = {
    stdin: Readable.from([]),
    stdout: capture("stdout"),
    stderr: capture("stderr"),
    env: cleanEnv(env),
    exit: (code?: number) => {
      process.exitCode = code ?? process.exitCode;
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
    await runProgram(args);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    code = Number(process.exitCode ?? 0);
    process.exitCode = exitCode;
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor);
    for (const [signal, known] of listeners)
      for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener);
  }
  const shown = canaryIn(out.stdout) ?? canaryIn(out.stderr);
  if (shown !== undefined) throw new Error(`A secret was written: ${shown}`);
  return { code, signal: null, ...out };
}
