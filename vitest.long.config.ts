import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "./vitest.base.ts";

const LONGEST_MS = 30 * 60_000;

/** The tests that take minutes. One file at a time: each of them uses the whole machine. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: ["test/**/*.long.ts"] } },
  defineConfig({ test: { testTimeout: LONGEST_MS, fileParallelism: false, disableConsoleIntercept: true } }),
);
