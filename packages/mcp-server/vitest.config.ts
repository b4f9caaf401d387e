import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.ts";

// Two files at a time: those that spawn the bin mostly wait for it.
export default mergeConfig(base, defineConfig({ test: { maxWorkers: 2 } }));
