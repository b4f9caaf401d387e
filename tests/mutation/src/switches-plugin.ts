import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Vite } from "vitest/node";
import { mutatedSource, productFiles } from "./all-mutants.ts";
import { PLAIN, REGISTRY } from "./registry.ts";
import { root } from "./root.ts";
import { withSwitches } from "./switches.ts";
import { slugOf } from "./workspace.ts";

/**
 * Loads each mutated source with its mutants behind switches, or unchanged on request. If there are plans, only their sources get switches, since adding them
 * to all takes seconds; otherwise coverage is being recorded.
 */
export function switchesPlugin(plans: string): Vite.Plugin {
  const hasPlans = existsSync(plans);
  const switched = productFiles().filter((file) => !hasPlans || existsSync(join(plans, `${slugOf(file)}.json`)));
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
