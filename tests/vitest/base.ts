import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

/** Resolves workspace packages to their sources, so that tests need no build. */
const conditions = ["fleetwire-source", "import", "default"];
export const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export const base: ViteUserConfig = {
  resolve: { conditions: [...conditions, "browser"] },
  ssr: { resolve: { conditions: [...conditions, "node"], externalConditions: ["node", "import", "default"] } },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: [here("canary.ts")],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine may take seconds for what is polled.
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default"],
    restoreMocks: true,
  },
};
