import { join } from "node:path";
import type { Vite } from "vitest/node";
import { mutatedSource, productFiles, root } from "./all-mutants.ts";
import { REGISTRY } from "./registry.ts";
import { withSwitches } from "./switches.ts";

/** Loads each product source with its mutants behind switches. */
export function switchesPlugin(): Vite.Plugin {
  const files = new Map(productFiles().map((file) => [join(root, file), file]));
  return {
    name: "fleetwire-mutants",
    enforce: "pre",
    load(id: string) {
      const file = files.get(id);
      if (file === undefined) return null;
      const source = mutatedSource(file);
      return { code: withSwitches(source, source.mutants, REGISTRY), map: null };
    },
  };
}
