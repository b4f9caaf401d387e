import { readFileSync } from "node:fs";
import type { Mutant } from "./mutant.ts";
import type { Result } from "./task-queue.ts";

/** Mutants that may survive, by reason. */
export interface KnownSurvivors {
  reason: string;
  mutants: string[];
}

export const knownSurvivors = JSON.parse(readFileSync(new URL("../survivors.json", import.meta.url), "utf8")) as KnownSurvivors[];

const known = new Set(knownSurvivors.flatMap(({ mutants }) => mutants));

export interface Tested {
  mutant: Mutant;
  result: Result;
  /** Its location, as `file:line`. */
  place: string;
  /** Test files that cover it, the nearest first. */
  tests: string[];
  /** Whether it survived, but some of the tests that may cover it were not run for lack of time. */
  isUndecided: boolean;
}

/** Such as `core/client`, or `core` for files in no folder. */
function moduleOf(file: string): string {
  const [, name = "", , ...path] = file.split("/");
  return path.length > 1 ? `${name}/${path[0]}` : name;
}

const share = (killed: number, all: number) => (all === 0 ? "-" : `${((100 * killed) / all).toFixed(1)}%`);

export interface Score {
  tested: number;
  killed: number;
  share: number;
  /** Survivors without a listed reason. */
  unexplained: Tested[];
  /** Unexplained survivors that a test skipped for lack of time might still kill. */
  undecided: Tested[];
  /** Mutants listed as survivors but killed. */
  outdated: string[];
}

const isKilled = ({ result }: Tested) => result.killedBy !== undefined;

export function scoreOf(all: readonly Tested[]): Score {
  const killed = all.filter(isKilled);
  const unlisted = all.filter((one) => !isKilled(one) && !known.has(one.mutant.id));
  return {
    tested: all.length,
    killed: killed.length,
    share: all.length === 0 ? 1 : killed.length / all.length,
    unexplained: unlisted.filter(({ isUndecided }) => !isUndecided),
    undecided: unlisted.filter(({ isUndecided }) => isUndecided),
    outdated: killed.map(({ mutant }) => mutant.id).filter((id) => known.has(id)),
  };
}

export function byModule(all: readonly Tested[]): Map<string, Tested[]> {
  const modules = new Map<string, Tested[]>();
  for (const one of all) {
    const name = moduleOf(one.mutant.file);
    modules.set(name, [...(modules.get(name) ?? []), one]);
  }
  return new Map([...modules].sort(([a], [b]) => a.localeCompare(b)));
}

/** A line for each module: the number of mutants, how many were killed, the percentage, and how many survivors have a listed reason. */
export function summaryOf(all: readonly Tested[]): string {
  const row = (name: string, some: readonly Tested[]) => {
    const { tested, killed, unexplained, undecided } = scoreOf(some);
    const explained = tested - killed - unexplained.length - undecided.length;
    const notes = [
      ...(explained > 0 ? [`${explained} explained`] : []),
      ...(undecided.length > 0 ? [`${undecided.length} undecided`] : []),
    ];
    return `${name.padEnd(28)} ${String(tested).padStart(6)} ${String(killed).padStart(6)}  ${share(killed, tested).padStart(7)}${notes.length > 0 ? `  (${notes.join(", ")})` : ""}`;
  };
  return [
    `${"module".padEnd(28)} mutants killed   share`,
    ...[...byModule(all)].map(([name, some]) => row(name, some)),
    row("all", all),
  ].join("\n");
}

const FEW = 4;

/** A survivor's location, its change, and the nearest tests. */
export function survivorText({ place, mutant, tests, result }: Tested): string {
  const near = tests
    .slice(0, FEW)
    .map((test) => test.replace(/^packages\//, ""))
    .join(", ");
  const partly = result.run < result.of ? `; undecided: only ${result.run} of ${result.of} chunks of these tests were run` : "";
  const more = tests.length > FEW ? ` and ${tests.length - FEW} more` : "";
  return `${place}  ${mutant.what}\n    ${tests.length === 0 ? "covered by no test" : `covered by ${near}${more}${partly}`}`;
}
