import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { codeOf } from "./syntax.ts";
import { cacheFolder, hashOf, readJson, slugOf, writeJson } from "./workspace.ts";

/** Numbers of mutants that were passed, by source file. */
export type Hits = Record<string, number[]>;

interface CoveredTest {
  id: string;
  name: string;
  ms: number;
  hits: Hits;
}

/** What a test file passes: while it loads, in hooks that run once, and in each of its tests. */
export interface Coverage {
  test: string;
  /** Files of the repository that it stands on, itself included. */
  modules: string[];
  loads: Hits;
  hooks: Hits;
  /** What loading and these hooks take. */
  ms: number;
  tests: CoveredTest[];
  /** Tests that fail without a mutant, and so do not count. */
  failing: string[];
}

interface Kept extends Coverage {
  /** Of the test without the product, and of each product file that it loads. */
  hash: string;
  sources: Record<string, string>;
}

const pathOf = (test: string) => join(cacheFolder, "coverage", `${slugOf(test)}.json`);

const isProduct = (file: string) => /^packages\/[^/]+\/src\//.test(file);

const contentOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "");

/** Mutants are known by their numbers, which depend on some of these; the others write the records. */
const ENGINE = [
  "all-mutants.ts",
  "step-mutants.ts",
  "field-mutants.ts",
  "operation-mutants.ts",
  "switches.ts",
  "coverage.ts",
  "worker-runner.ts",
];

const hashOfEngine = hashOf(...ENGINE.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")));

/** Of the test file and all that it loads but the product: results are kept as long as this is the same. */
export const hashOfTest = ({ modules }: Coverage): string =>
  hashOf(...modules.filter((file) => !isProduct(file)).map((file) => `${file}\n${contentOf(file)}`));

const codeHashes = new Map<string, string>();

/** Within one process a source stays as it is. */
function hashOfCode(file: string): string {
  const hash = codeHashes.get(file) ?? hashOf(codeOf(file, contentOf(file)));
  codeHashes.set(file, hash);
  return hash;
}

export function keepCoverage(coverage: Coverage): void {
  const sources = Object.fromEntries(coverage.modules.filter(isProduct).map((file) => [file, hashOfCode(file)]));
  writeJson(pathOf(coverage.test), { ...coverage, hash: hashOf(hashOfTest(coverage), hashOfEngine), sources } satisfies Kept);
}

/** What was recorded, unless the test or one of these product files has changed since. */
export function keptCoverage(test: string, files: readonly string[]): Coverage | undefined {
  const kept = readJson<Kept>(pathOf(test));
  if (!kept || kept.hash !== hashOf(hashOfTest(kept), hashOfEngine)) return undefined;
  const isSame = (file: string) => kept.sources[file] === undefined || kept.sources[file] === hashOfCode(file);
  // Where a product file is gone, the test may load others now.
  return files.every(isSame) && Object.keys(kept.sources).every((file) => contentOf(file) !== "") ? kept : undefined;
}
