import { readFileSync } from "node:fs";
import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./orders.ts";

/** Mutants that no test can tell from the source, by the reason why. */
export interface KnownSurvivors {
  reason: string;
  mutants: string[];
}

export const knownSurvivors = JSON.parse(readFileSync(new URL("../survivors.json", import.meta.url), "utf8")) as KnownSurvivors[];

const known = new Set(knownSurvivors.flatMap(({ mutants }) => mutants));

export interface Judged {
  mutant: Mutant;
  verdict: Verdict;
  /** Where it stands, `file:line`. */
  place: string;
  /** Test files that pass it. */
  tests: string[];
}

/** `core/client`, or `core` for what stands in no folder. */
function moduleOf(file: string): string {
  const [, name = "", , ...path] = file.split("/");
  return path.length > 1 ? `${name}/${path[0]}` : name;
}

const share = (caught: number, all: number) => (all === 0 ? "-" : `${((100 * caught) / all).toFixed(1)} %`);

export interface Score {
  judged: number;
  caught: number;
  share: number;
  /** Survivors of which no reason is listed. */
  unexplained: Judged[];
  /** Listed as survivors, and caught. */
  outdated: string[];
}

const isCaught = ({ verdict }: Judged) => verdict.by !== undefined;

export function scoreOf(all: readonly Judged[]): Score {
  const caught = all.filter(isCaught);
  return {
    judged: all.length,
    caught: caught.length,
    share: all.length === 0 ? 1 : caught.length / all.length,
    unexplained: all.filter((one) => !isCaught(one) && !known.has(one.mutant.id)),
    outdated: caught.map(({ mutant }) => mutant.id).filter((id) => known.has(id)),
  };
}

export function byModule(all: readonly Judged[]): Map<string, Judged[]> {
  const modules = new Map<string, Judged[]>();
  for (const one of all) {
    const name = moduleOf(one.mutant.file);
    modules.set(name, [...(modules.get(name) ?? []), one]);
  }
  return new Map([...modules].sort(([a], [b]) => a.localeCompare(b)));
}

/** A line for each module: mutants, caught, share, and how many survive for a listed reason. */
export function summaryOf(all: readonly Judged[]): string {
  const row = (name: string, some: readonly Judged[]) => {
    const { judged, caught, unexplained } = scoreOf(some);
    const explained = judged - caught - unexplained.length;
    return `${name.padEnd(28)} ${String(judged).padStart(6)} ${String(caught).padStart(6)}  ${share(caught, judged).padStart(7)}${explained > 0 ? `  (${explained} explained)` : ""}`;
  };
  return [
    `${"module".padEnd(28)} mutants caught   share`,
    ...[...byModule(all)].map(([name, some]) => row(name, some)),
    row("all", all),
  ].join("\n");
}

const FEW = 4;

/** A survivor: where it stands, what was changed, and which tests come nearest. */
export function survivorLine({ place, mutant, tests, verdict }: Judged): string {
  const { what } = mutant;
  const near = tests
    .slice(0, FEW)
    .map((test) => test.replace(/^packages\//, ""))
    .join(", ");
  const partly = verdict.run < verdict.of ? `, ${verdict.run} of ${verdict.of} parts of them run` : "";
  return `${place}  ${what}\n    ${tests.length === 0 ? "no test passes it" : `covered by ${near}${tests.length > FEW ? ` and ${tests.length - FEW} more` : ""}${partly}`}`;
}
