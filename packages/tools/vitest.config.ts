import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../tests/vitest/base.ts";

// Two files at a time, for many of them wait for timeouts. No test leaves anything behind, so modules are loaded once.
export default mergeConfig(base, defineConfig({ test: { maxWorkers: 2, isolate: false } }));
