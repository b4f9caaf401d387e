import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "./root.ts";

const CONDITION = "fleetwire-source";

type Exports = Record<string, string | Record<string, string>>;

const exportsOf = new Map<string, Exports>();

/** The source that a workspace package exports under a name such as `@fleetwire/core/operations/get-job`. */
function exportedBy(specifier: string): string | undefined {
  const [, name, rest = ""] = /^@fleetwire\/([^/]+)\/?(.*)$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const manifest = join(root, "packages", name, "package.json");
  const exported = exportsOf.get(name) ?? (existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")).exports as Exports) : {});
  exportsOf.set(name, exported);
  for (const [key, target] of Object.entries(exported)) {
    const path = typeof target === "string" ? target : target[CONDITION];
    const [start = "", end] = key.slice(2).split("*");
    if (path === undefined) continue;
    if (rest === start && end === undefined) return join("packages", name, path);
    if (end !== undefined && rest.startsWith(start)) return join("packages", name, path.replace("*", rest.slice(start.length)));
  }
  return undefined;
}

/** The repository's files that a file loads; imports of types only are erased. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const loaded = [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map((one) => one.moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((one) => (one.isType ? [] : (one.moduleRequest?.value ?? [])))),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return [...new Set(loaded)].flatMap((specifier) => {
    const path = specifier.startsWith(".") ? join(dirname(file), specifier) : exportedBy(specifier);
    return path?.endsWith(".ts") && existsSync(join(root, path)) ? path : [];
  });
}

const imports = new Map<string, string[]>();

/** For each file that a file loads, directly or not, the number of imports on the shortest way to it. */
export function distancesFrom(file: string): Map<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [at, distance] of distances) {
    const next = imports.get(at) ?? importsOf(at);
    imports.set(at, next);
    for (const one of next) if (!distances.has(one)) distances.set(one, distance + 1);
  }
  return distances;
}
