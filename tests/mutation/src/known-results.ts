import { join } from "node:path";
import type { MutatedSource } from "./all-mutants.ts";
import { type Coverage, hashOfTest } from "./coverage.ts";
import type { Chunk, Plan } from "./plan.ts";
import { codeOf } from "./syntax.ts";
import type { Result } from "./task-queue.ts";
import { cacheFolder, hashOf, readJson, slugOf, writeJson } from "./workspace.ts";

interface Kept extends Result {
  /** Hash of the tests that the result depends on. */
  hash: string;
}

interface KeptFile {
  /** Hash of the source. */
  hash: string;
  results: Record<string, Kept>;
}

const pathOf = (file: string) => join(cacheFolder, "results", `${slugOf(file)}.json`);

/**
 * Results for the mutants of one source file, by number. A kill is valid until the source or the failing test changes, a survival until the
 * source or any test that covers the mutant does.
 */
export class KnownResults {
  readonly #source: MutatedSource;
  readonly #hashes: ReadonlyMap<string, string>;
  readonly #plan: Plan;
  readonly #kept: KeptFile;

  constructor(source: MutatedSource, plan: Plan, coverages: readonly Coverage[]) {
    this.#source = source;
    this.#plan = plan;
    this.#hashes = new Map(coverages.map((coverage) => [coverage.test, hashOfTest(coverage)]));
    const hash = hashOf(codeOf(source.file, source.text));
    const kept = readJson<KeptFile>(pathOf(source.file));
    this.#kept = kept?.hash === hash ? kept : { hash, results: {} };
  }

  of(number: number): Result | undefined {
    const kept = this.#kept.results[this.#idOf(number)];
    return kept && kept.hash === this.#hashOf(number, kept) ? kept : undefined;
  }

  keep(number: number, result: Result): void {
    this.#kept.results[this.#idOf(number)] = { ...result, hash: this.#hashOf(number, result) };
    writeJson(pathOf(this.#source.file), this.#kept);
  }

  /** Test files that cover a mutant, the most relevant first. */
  testsOf(number: number): string[] {
    const chunks = (this.#plan.mutants[number] ?? []).map(([chunk, tests]) => ({
      ...(this.#plan.chunks[chunk] as Chunk),
      loads: tests === "all",
    }));
    const sorted = chunks.toSorted((a, b) => Number(a.loads) - Number(b.loads) || b.weight - a.weight);
    return [...new Set(sorted.map(({ test }) => test))];
  }

  #idOf(number: number): string {
    return this.#source.mutants[number]?.id ?? "";
  }

  #hashOf(number: number, { killedBy, test }: Result): string {
    if (killedBy !== undefined) return this.#hashes.get(test ?? "") ?? "";
    const tests = this.testsOf(number).toSorted();
    return hashOf(...tests.map((file) => `${file} ${this.#hashes.get(file)}`));
  }
}
