import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// Two files at a time, since most of their time is spent waiting for hosts. The matrix is printed unchanged.
export default mergeConfig(
  base,
  defineConfig({ test: { maxWorkers: 2, disableConsoleIntercept: true, globalSetup: "test/npx-installations.ts" } }),
);
