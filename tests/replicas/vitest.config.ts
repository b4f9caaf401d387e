import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// One file at a time, since each starts servers that use the whole machine. The table is printed unchanged.
export default mergeConfig(base, defineConfig({ test: { fileParallelism: false, disableConsoleIntercept: true, testTimeout: 180_000 } }));
