import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

export default mergeConfig(
  base,
  defineConfig({
    test: {
      maxWorkers: 2,
      globalSetup: "test/installed-programs.ts",
      testTimeout: 180_000,
      // The table is printed unchanged.
      disableConsoleIntercept: true,
      // Two files at a time, except for the one whose servers use the whole machine.
      projects: [
        { extends: true, test: { name: "parts", exclude: ["test/replicas.test.ts"], sequence: { groupOrder: 0 } } },
        { extends: true, test: { name: "deployment", exclude: ["test/!(replicas).test.ts"], maxWorkers: 1, sequence: { groupOrder: 1 } } },
      ],
    },
  }),
);
