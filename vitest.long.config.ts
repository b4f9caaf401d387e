import { defineConfig, mergeConfig } from "vitest/config";
import { base, here } from "./vitest.base.ts";

const MAX_DURATION = 30 * 60_000;

/** The tests that take minutes, one file at a time, since each uses the whole machine. They are not cached, so they may open any file. */
export default mergeConfig(
  { ...base, plugins: [], test: { ...base.test, include: ["test/**/*.long.ts"], setupFiles: [here("vitest.canary.ts")] } },
  defineConfig({ test: { testTimeout: MAX_DURATION, fileParallelism: false, disableConsoleIntercept: true } }),
);
