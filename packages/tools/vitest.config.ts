import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../tests/vitest/base.ts";

// No test leaves anything behind, so modules are loaded once. It is the longest of the packages, and ends beside idle cores otherwise.
export default mergeConfig(base, defineConfig({ test: { isolate: false, maxWorkers: 2 } }));
