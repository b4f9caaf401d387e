import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../tests/vitest/base.ts";

// Three files at a time, for those that spawn the bin mostly wait for it; none leaves anything behind, so modules are loaded once.
export default mergeConfig(base, defineConfig({ test: { maxWorkers: 3, isolate: false } }));
