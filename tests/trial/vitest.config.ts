import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.ts";

// One file at a time: each works on a copy of the whole tree. The figures of the trial are printed as they stand.
export default mergeConfig(base, defineConfig({ test: { fileParallelism: false, disableConsoleIntercept: true, hookTimeout: 400_000 } }));
