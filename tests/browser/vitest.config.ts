import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.ts";

// One browser at a time: the machine that decides has two cores.
export default mergeConfig(base, defineConfig({ test: { fileParallelism: false, hookTimeout: 600_000 } }));
