import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

/** Tests run against the sources of every workspace package, so that no build has to precede them. */
const conditions = ["fleetwire-source", "import", "default"];

export const base: ViteUserConfig = {
  resolve: { conditions: [...conditions, "browser"] },
  ssr: { resolve: { conditions: [...conditions, "node"], externalConditions: ["node", "import", "default"] } },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: [fileURLToPath(new URL("vitest.canary.ts", import.meta.url))],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    reporters: ["default"],
    restoreMocks: true,
  },
};
