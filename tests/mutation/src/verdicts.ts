import { join } from "node:path";
import type { MutatedSource } from "./all-mutants.ts";
import { type Coverage, hashOfTest } from "./coverage.ts";
import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./orders.ts";
import type { Plan } from "./plan.ts";
import { cacheFolder, hashOf, readJson, slugOf, writeJson } from "./workspace.ts";

/** A verdict, and the tests that it stands on. */
interface Kept extends Verdict {
  hash: string;
}

interface KeptFile {
  source: string;
  verdicts: Record<string, Kept>;
}

const pathOf = (file: string) => join(cacheFolder, "verdicts", `${slugOf(file)}.json`);

/** What is known of the mutants of one source file: caught ones stay caught while the test that did is unchanged, survivors while all that cover them are. */
export class Verdicts {
  readonly #source: MutatedSource;
  readonly #hashes: ReadonlyMap<string, string>;
  readonly #plan: Plan;
  readonly #kept: KeptFile;

  constructor(source: MutatedSource, plan: Plan, coverages: readonly Coverage[]) {
    this.#source = source;
    this.#plan = plan;
    this.#hashes = new Map(coverages.map((coverage) => [coverage.test, hashOfTest(coverage)]));
    const hash = hashOf(source.text);
    const kept = readJson<KeptFile>(pathOf(source.file));
    this.#kept = kept?.source === hash ? kept : { source: hash, verdicts: {} };
  }

  of(mutant: Mutant): Verdict | undefined {
    const kept = this.#kept.verdicts[mutant.id];
    return kept && kept.hash === this.#hashOf(mutant, kept) ? kept : undefined;
  }

  keep(mutant: Mutant, verdict: Verdict): void {
    this.#kept.verdicts[mutant.id] = { ...verdict, hash: this.#hashOf(mutant, verdict) };
    writeJson(pathOf(this.#source.file), this.#kept);
  }

  #hashOf(mutant: Mutant, { by, test }: Verdict): string {
    if (by !== undefined) return this.#hashes.get(test ?? "") ?? "";
    return hashOf(...this.testsOf(mutant).map((file) => `${file} ${this.#hashes.get(file)}`));
  }

  /** Test files that cover a mutant, those that pass it in a test before those that only load it. */
  testsOf(mutant: Mutant): string[] {
    const arms = this.#plan.mutants[this.#source.mutants.indexOf(mutant)] ?? [];
    const own = arms.filter(([, tests]) => tests !== "all");
    const of = (some: typeof arms) => some.map(([chunk]) => this.#plan.chunks[chunk]?.test ?? "");
    return [...new Set([...of(own), ...of(arms)])];
  }
}
