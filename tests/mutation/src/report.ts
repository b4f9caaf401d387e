import { readFileSync } from "node:fs";
import type { Mutant } from "./mutant.ts";
import type { Result } from "./task-queue.ts";

/** Mutants that may survive, by the reason why. */
export interface KnownSurvivors {
  reason: string;
  mutants: string[];
}

export const knownSurvivors = JSON.parse(readFileSync(new URL("../survivors.json", import.meta.url), "utf8")) as KnownSurvivors[];

const known = new Set(knownSurvivors.flatMap(({ mutants }) => mutants));

export interface Tested {
  mutant: Mutant;
  result: Result;
  /** Where it stands, `file:line`. */
  place: string;
  /** Test files that cover it, the nearest first. */
  tests: string[];
  /** Whether it survived while some of the tests that may cover it were not run, for lack of time. */
  isUndecided: boolean;
}

/** Such as `core/client`, or `core` for files in no folder. */
function moduleOf(file: string): string {
  const [, name = "", , ...path] = file.split("/");
  return path.length > 1 ? `${name}/${path[0]}` : name;
}

const share = (killed: number, all: number) => (all === 0 ? "-" : `${((100 * killed) / all).toFixed(1)} %`);

export interface Score {
  tested: number;
  killed: number;
  share: number;
  /** Survivors of which no reason is listed. */
  unexplained: Tested[];
  /** Those among them that a test might kill which there was no time for. */
  undecided: Tested[];
  /** Listed as survivors, and killed. */
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

/** A line for each module: mutants, killed, share, and how many survive for a listed reason. */
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

/** Where a survivor stands, what was changed, and which tests come nearest. */
export function survivorText({ place, mutant, tests, result }: Tested): string {
  const near = tests
    .slice(0, FEW)
    .map((test) => test.replace(/^packages\//, ""))
    .join(", ");
  const partly = result.run < result.of ? `; undecided: ${result.run} of ${result.of} parts of them were run` : "";
  const more = tests.length > FEW ? ` and ${tests.length - FEW} more` : "";
  return `${place}  ${mutant.what}\n    ${tests.length === 0 ? "covered by no test" : `covered by ${near}${more}${partly}`}`;
}
