import { defineConfig, mergeConfig } from "vitest/config";
import { base, here } from "./vitest.base.ts";

const LONGEST_MS = 30 * 60_000;

/** The tests that take minutes. One file at a time: each of them uses the whole machine. Nothing is taken from the cache, so they may open any file. */
export default mergeConfig(
  { ...base, plugins: [], test: { ...base.test, include: ["test/**/*.long.ts"], setupFiles: [here("vitest.canary.ts")] } },
  defineConfig({ test: { testTimeout: LONGEST_MS, fileParallelism: false, disableConsoleIntercept: true } }),
);
