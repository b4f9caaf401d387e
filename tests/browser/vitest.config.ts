import { defineConfig, mergeConfig } from "vitest/config";
import { base } from "../vitest/base.ts";

// On a busy machine, what normally takes a browser milliseconds can take seconds.
export default mergeConfig(
  base,
  defineConfig({
    test: {
      testTimeout: 180_000,
      maxWorkers: 2,
      globalSetup: "test/installed-chromium.ts",
      expect: { poll: { timeout: 30_000 } },
      // Two files at a time, except for the one that measures.
      projects: [
        { extends: true, test: { name: "pages", exclude: ["test/frames.test.ts"], sequence: { groupOrder: 0 } } },
        { extends: true, test: { name: "frames", exclude: ["test/!(frames).test.ts"], maxWorkers: 1, sequence: { groupOrder: 1 } } },
      ],
    },
  }),
);
