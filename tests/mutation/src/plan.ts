import type { Coverage } from "./coverage.ts";

/** Tests of one file that stand beside each other and take about a second. */
export interface Chunk {
  test: string;
  tests: { id: string; ms: number }[];
  ms: number;
  /** From 0 to 1: how much of the source only few other chunks pass, for these tests are likely about it. */
  weight: number;
}

/** Which chunks can see which mutants of one source file. */
export interface Plan {
  file: string;
  chunks: Chunk[];
  /** For each mutant by its number: chunks, and in each the tests that pass it; all where it is passed while the file loads. */
  mutants: Record<number, [chunk: number, tests: number[] | "all"][]>;
}

const CHUNK_MS = 1_000;

/** Tests that take longer have no vote: they try a great many cases, which shorter ones have in small. */
const LONGEST_TEST_MS = 5_000;

function chunksOf({ test, tests }: Coverage): Chunk[] {
  const chunks: Chunk[] = [];
  for (const { id, ms } of tests) {
    if (ms > LONGEST_TEST_MS) continue;
    const last = chunks.at(-1);
    if (!last || last.ms + ms > CHUNK_MS) chunks.push({ test, tests: [{ id, ms }], ms, weight: 0 });
    else {
      last.tests.push({ id, ms });
      last.ms += ms;
    }
  }
  return chunks;
}

export function planOf(file: string, coverages: readonly Coverage[]): Plan {
  const plan: Plan = { file, chunks: [], mutants: {} };
  const passedBy = (number: number, chunk: number, tests: number[] | "all") => {
    const arms = plan.mutants[number] ?? [];
    plan.mutants[number] = arms;
    arms.push([chunk, tests]);
  };
  for (const coverage of coverages) {
    const loaded = coverage.loads[file] ?? [];
    const hits = new Map(coverage.tests.map(({ id, hits: all }) => [id, all[file] ?? []]));
    if (loaded.length === 0 && [...hits.values()].every(({ length }) => length === 0)) continue;
    for (const chunk of chunksOf(coverage)) {
      const at = plan.chunks.push(chunk) - 1;
      const byMutant = new Map<number, number[]>();
      for (const [index, { id }] of chunk.tests.entries())
        for (const number of hits.get(id) ?? []) byMutant.set(number, [...(byMutant.get(number) ?? []), index]);
      for (const [number, tests] of byMutant) passedBy(number, at, tests);
      for (const number of loaded) if (!byMutant.has(number)) passedBy(number, at, "all");
    }
  }
  weigh(plan);
  return plan;
}

function weigh({ chunks, mutants }: Plan): void {
  for (const arms of Object.values(mutants)) {
    const own = arms.filter(([, tests]) => tests !== "all");
    for (const [at] of own) (chunks[at] as Chunk).weight += 1 / own.length;
  }
  const most = Math.max(...chunks.map(({ weight }) => weight));
  if (most > 0) for (const chunk of chunks) chunk.weight /= most;
}
