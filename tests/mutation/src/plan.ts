import type { Coverage } from "./coverage.ts";

/** Tests of one file that together take about a second. */
export interface Chunk {
  test: string;
  tests: { id: string; ms: number }[];
  ms: number;
  /** Time for loading the file and running the hooks that run once. */
  loadMs: number;
  /** From 0 to 1: tests that reach code that few others reach are likely to be about this source. */
  weight: number;
}

/** A chunk's position, and which of its tests reach a mutant: all of them if loading the file reaches it. */
export type Candidate = [chunk: number, tests: number[] | "all"];

/** Which tests cover which mutants of one source file. */
export interface Plan {
  file: string;
  chunks: Chunk[];
  /** Indexed by the mutant's number. */
  mutants: Record<number, Candidate[]>;
}

const CHUNK_MS = 1_000;

/** Longer tests are usually ignored: they try a great many cases, and shorter tests cover the important ones. */
export const LONGEST_TEST_MS = 5_000;

/** Overhead added to each test's duration. */
const TEST_MS = 20;

interface Weighed {
  id: string;
  ms: number;
  weight: number;
  hits: readonly number[];
}

/** Puts the tests most specific to the source into the first chunk. */
function chunksOf({ test, ms: loadMs }: Coverage, tests: readonly Weighed[]): [Chunk, Weighed[]][] {
  const chunks: [Chunk, Weighed[]][] = [];
  for (const one of tests.toSorted((a, b) => b.weight / (b.ms + TEST_MS) - a.weight / (a.ms + TEST_MS))) {
    let last = chunks.at(-1);
    if (!last || last[0].ms + one.ms > Math.max(CHUNK_MS, loadMs)) {
      last = [{ test, tests: [], ms: 0, loadMs, weight: 0 }, []];
      chunks.push(last);
    }
    const [chunk, weighed] = last;
    chunk.tests.push({ id: one.id, ms: one.ms });
    chunk.ms += one.ms;
    chunk.weight += one.weight;
    weighed.push(one);
  }
  return chunks;
}

export function planOf(file: string, coverages: readonly Coverage[], longestMs: number): Plan {
  const plan: Plan = { file, chunks: [], mutants: {} };
  const passedBy = (number: number, chunk: number, tests: number[] | "all") => {
    const candidates = plan.mutants[number] ?? [];
    plan.mutants[number] = candidates;
    candidates.push([chunk, tests]);
  };
  const timesPassed = new Map<number, number>();
  for (const { tests, hooks } of coverages)
    for (const { [file]: numbers = [] } of [hooks, ...tests.map(({ hits }) => hits)])
      for (const number of numbers) timesPassed.set(number, (timesPassed.get(number) ?? 0) + 1);

  for (const coverage of coverages) {
    const loaded = coverage.loads[file] ?? [];
    const inHooks = coverage.hooks[file] ?? [];
    const tests = coverage.tests
      .filter(({ ms }) => ms <= longestMs)
      .map(({ id, ms, hits: { [file]: inTest = [] } }) => {
        const hits = inHooks.length === 0 ? inTest : [...new Set([...inTest, ...inHooks])];
        const weight = hits.reduce((sum, number) => sum + 1 / (timesPassed.get(number) ?? 1), 0);
        return { id, ms, hits, weight };
      });
    if (loaded.length === 0 && tests.every(({ hits }) => hits.length === 0)) continue;
    for (const [chunk, weighed] of chunksOf(coverage, tests)) {
      const at = plan.chunks.push(chunk) - 1;
      const byMutant = new Map<number, number[]>();
      for (const [index, { hits }] of weighed.entries())
        for (const number of hits) byMutant.set(number, [...(byMutant.get(number) ?? []), index]);
      for (const [number, indexes] of byMutant) passedBy(number, at, indexes);
      for (const number of loaded) if (!byMutant.has(number)) passedBy(number, at, "all");
    }
  }
  const most = Math.max(...plan.chunks.map(({ weight }) => weight));
  if (most > 0) for (const chunk of plan.chunks) chunk.weight /= most;
  return plan;
}
