import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// So that the table is printed unchanged.
export default mergeConfig(base, defineConfig({ test: { hookTimeout: 180_000, disableConsoleIntercept: true } }));
