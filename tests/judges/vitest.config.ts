import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// Two files at a time, since most of their time is spent waiting for programs; on a busy machine, that can take a minute. Tables are printed unchanged.
export default mergeConfig(
  base,
  defineConfig({ test: { maxWorkers: 2, hookTimeout: 180_000, testTimeout: 180_000, disableConsoleIntercept: true } }),
);
