import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import { checkDeclaredInputs } from "./vitest.declared-inputs.ts";

/** Resolves workspace packages to their sources, so that tests need no build. */
const conditions = ["fleetwire-source", "import", "default"];
export const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export const base: ViteUserConfig = {
  plugins: [checkDeclaredInputs()],
  resolve: { conditions: [...conditions, "browser"] },
  ssr: { resolve: { conditions: [...conditions, "node"], externalConditions: ["node", "import", "default"] } },
  test: {
    include: ["test/**/*.test.ts"],
    // Must come first, to see what the others and the tests open.
    setupFiles: [here("vitest.opened-files.ts"), here("vitest.canary.ts")],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    reporters: ["default"],
    restoreMocks: true,
  },
};
