import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// On a busy machine, what normally takes a browser milliseconds can take seconds.
export default mergeConfig(base, defineConfig({ test: { testTimeout: 180_000, hookTimeout: 180_000, maxWorkers: 2 } }));
