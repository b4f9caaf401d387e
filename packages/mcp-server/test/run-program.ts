import { type Ended, runInProcess } from "../../../tests/vitest/run-in-process.ts";
import { runProgram } from "../src/cli/program.ts";
import { cleanEnv } from "./spawned-bin.ts";

/** Runs `fleetwire-mcp` to completion in this process. built-bin.test.ts compares the built bin with it. */
export const run = (args: readonly string[], env: Record<string, string> = {}, typed?: string): Promise<Ended> =>
  runInProcess(() => runProgram(args), cleanEnv(env), typed);
