import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "./base.ts";

const MAX_DURATION = 30 * 60_000;

/** The tests that take minutes, one file at a time, since each uses the whole machine. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: ["test/**/*.long.ts"] } },
  defineConfig({ test: { testTimeout: MAX_DURATION, hookTimeout: MAX_DURATION, fileParallelism: false, disableConsoleIntercept: true } }),
);
