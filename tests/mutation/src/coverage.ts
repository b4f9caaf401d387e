import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { cacheFolder, hashOf, readJson, slugOf, writeJson } from "./workspace.ts";

/** Numbers of mutants that were passed, by source file. */
type Hits = Record<string, number[]>;

export interface CoveredTest {
  id: string;
  name: string;
  ms: number;
  hits: Hits;
}

/** What a test file passes: while it loads and in its hooks, and in each of its tests. */
export interface Coverage {
  test: string;
  /** Files of the repository that it stands on, itself included. */
  modules: string[];
  loads: Hits;
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

const contentOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "");

const isProduct = (file: string) => /^packages\/[^/]+\/src\//.test(file);

/** Mutants are known by their numbers, which depend on these. */
const MUTATORS = ["all-mutants.ts", "step-mutants.ts", "field-mutants.ts", "operation-mutants.ts", "switches.ts"];

const hashOfMutators = hashOf(...MUTATORS.map((name) => readFileSync(new URL(name, import.meta.url), "utf8")));

/** Of the test file and all that it loads but the product: results are kept as long as this is the same. */
export const hashOfTest = ({ modules }: Coverage): string =>
  hashOf(...modules.filter((file) => !isProduct(file)).map((file) => `${file}\n${contentOf(file)}`));

export function keepCoverage(coverage: Coverage): void {
  const sources = Object.fromEntries(coverage.modules.filter(isProduct).map((file) => [file, hashOf(contentOf(file))]));
  writeJson(pathOf(coverage.test), { ...coverage, hash: hashOf(hashOfTest(coverage), hashOfMutators), sources } satisfies Kept);
}

/** What was recorded, unless the test or one of these product files has changed since. */
export function keptCoverage(test: string, files: readonly string[]): Coverage | undefined {
  const kept = readJson<Kept>(pathOf(test));
  if (!kept || kept.hash !== hashOf(hashOfTest(kept), hashOfMutators)) return undefined;
  const isSame = (file: string) => kept.sources[file] === undefined || kept.sources[file] === hashOf(contentOf(file));
  // Where a product file is gone, the test may load others now.
  return files.every(isSame) && Object.keys(kept.sources).every((file) => contentOf(file) !== "") ? kept : undefined;
}
