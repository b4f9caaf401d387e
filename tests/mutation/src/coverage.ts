import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { codeOf } from "./syntax.ts";
import { cacheFolder, hashOf, readJson, slugOf, writeJson } from "./workspace.ts";

/** Numbers of the mutants reached, by source file. */
export type Hits = Record<string, number[]>;

interface CoveredTest {
  id: string;
  name: string;
  ms: number;
  hits: Hits;
}

/** The mutants that a test file reaches: while loading, in hooks that run once, and in each test. */
export interface Coverage {
  test: string;
  /** Files of the repository that it depends on, including itself. */
  modules: string[];
  loads: Hits;
  hooks: Hits;
  /** Time for loading the file and running these hooks. */
  ms: number;
  tests: CoveredTest[];
  /** Tests that fail without a mutant and are therefore ignored. */
  failing: string[];
  /** Mutants reached by tests that fail without a mutant, or take so long that they were stopped. */
  ignored: Hits;
  /** Whether some tests were not run, for lack of time or because a hook failed. */
  isPartial: boolean;
}

interface Kept extends Coverage {
  /** Hashes of the test without the mutated sources, and of each mutated source that it loads. */
  hash: string;
  sources: Record<string, string>;
  /** The sources whose mutants were recorded, if not all. */
  recorded?: readonly string[] | undefined;
}

const pathOf = (test: string) => join(cacheFolder, "coverage", `${slugOf(test)}.json`);

const isProduct = (file: string) => /^packages\/[^/]+\/src\//.test(file);

const contentOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "");

/** The engine's files that determine mutant numbers or write coverage records. */
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

/** A hash of the test file and everything it loads except mutated sources: results are kept until it changes. */
export const hashOfTest = ({ modules }: Coverage): string =>
  hashOf(...modules.filter((file) => !isProduct(file)).map((file) => `${file}\n${contentOf(file)}`));

const codeHashes = new Map<string, string>();

/** Cached, since sources do not change while a process runs. */
function hashOfCode(file: string): string {
  const hash = codeHashes.get(file) ?? hashOf(codeOf(file, contentOf(file)));
  codeHashes.set(file, hash);
  return hash;
}

export function keepCoverage(coverage: Coverage, recorded?: readonly string[]): void {
  const sources = Object.fromEntries(coverage.modules.filter(isProduct).map((file) => [file, hashOfCode(file)]));
  writeJson(pathOf(coverage.test), { ...coverage, hash: hashOf(hashOfTest(coverage), hashOfEngine), sources, recorded } satisfies Kept);
}

/** The recorded coverage, unless the test or one of these sources has changed since. */
export function keptCoverage(test: string, files: readonly string[]): Coverage | undefined {
  const kept = readJson<Kept>(pathOf(test));
  if (kept?.recorded && !files.every((file) => kept.recorded?.includes(file))) return undefined;
  if (!kept || kept.hash !== hashOf(hashOfTest(kept), hashOfEngine)) return undefined;
  const isSame = (file: string) => kept.sources[file] === undefined || kept.sources[file] === hashOfCode(file);
  // If a source no longer exists, the test may load others instead.
  return files.every(isSame) && Object.keys(kept.sources).every((file) => contentOf(file) !== "") ? kept : undefined;
}
