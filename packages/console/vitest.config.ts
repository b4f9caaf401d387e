import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../tests/vitest/base.ts";

export default mergeConfig(base, defineConfig({ test: { isolate: false } }));
