import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../../vitest.base.ts";

// The matrix is printed unchanged.
export default mergeConfig(base, defineConfig({ test: { disableConsoleIntercept: true } }));
