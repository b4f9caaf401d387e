import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.ts";

// One file at a time: each starts hosts that use the whole machine. The matrix is printed as it stands.
export default mergeConfig(base, defineConfig({ test: { fileParallelism: false, disableConsoleIntercept: true } }));
