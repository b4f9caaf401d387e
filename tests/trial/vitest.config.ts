import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// One file at a time, since each copies the repository. The trial's figures are printed unchanged.
export default mergeConfig(base, defineConfig({ test: { fileParallelism: false, disableConsoleIntercept: true, hookTimeout: 400_000 } }));
