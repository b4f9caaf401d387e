import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Vite } from "vitest/node";
import { mutatedSource } from "./all-mutants.ts";
import { PLAIN, REGISTRY } from "./registry.ts";
import { root } from "./root.ts";
import { withSwitches } from "./switches.ts";

/** Loads each of these sources with its mutants behind switches, or unchanged on request. */
export function switchesPlugin(switched: readonly string[]): Vite.Plugin {
  const files = new Map(switched.map((file) => [join(root, file), file]));
  return {
    name: "fleetwire-mutants",
    enforce: "pre",
    load(id: string) {
      const path = id.replace(PLAIN, "");
      const file = files.get(path);
      if (file === undefined) return null;
      if (path !== id) return { code: readFileSync(path, "utf8"), map: null };
      const source = mutatedSource(file);
      return { code: withSwitches(source, source.mutants, REGISTRY), map: null };
    },
  };
}
