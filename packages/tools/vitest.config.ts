import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../tests/vitest/base.ts";

// No test leaves anything behind, so modules are loaded once.
export default mergeConfig(base, defineConfig({ test: { isolate: false } }));
