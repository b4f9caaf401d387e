import { readFileSync } from "node:fs";
import { type Mutant, mutantKinds } from "./mutant.ts";

export interface Judgement {
  mutant: Mutant;
  /** What caught it; undefined where it survived. */
  by: string | undefined;
}

/** Mutants that no check can tell from the contract, by the reason why. */
export interface KnownSurvivors {
  reason: string;
  mutants: string[];
}

export const knownSurvivors = JSON.parse(readFileSync(new URL("survivors.json", import.meta.url), "utf8")) as KnownSurvivors[];

const known = new Set(knownSurvivors.flatMap(({ mutants }) => mutants));

/** A part of the mutants, the same for the same seed. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  let state = seed;
  // Mulberry32: small, and good enough to shuffle.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return mutants
    .map((mutant) => [random(), mutant] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, mutant]) => mutant);
}

export interface Score {
  judged: number;
  caught: number;
  /** Survivors of which no reason is listed. */
  unexplained: string[];
  /** Listed as survivors, and caught. */
  outdated: string[];
  share: number;
}

export function scoreOf(judgements: readonly Judgement[]): Score {
  const survivors = judgements.filter(({ by }) => by === undefined);
  const caught = judgements.length - survivors.length;
  return {
    judged: judgements.length,
    caught,
    unexplained: survivors.map(({ mutant }) => mutant.id).filter((id) => !known.has(id)),
    outdated: judgements.filter(({ mutant, by }) => by !== undefined && known.has(mutant.id)).map(({ mutant }) => mutant.id),
    share: judgements.length === 0 ? 1 : caught / judgements.length,
  };
}

const percent = (part: number, whole: number) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);

/** The share that was caught, by kind and by what caught it, and every survivor. */
export function reportOf(judgements: readonly Judgement[]): string {
  const { judged, caught, unexplained, outdated } = scoreOf(judgements);
  const rows = mutantKinds.map((kind) => {
    const ofKind = judgements.filter(({ mutant }) => mutant.kind === kind);
    const caughtOfKind = ofKind.filter(({ by }) => by !== undefined);
    return `  ${kind.padEnd(10)} ${String(caughtOfKind.length).padStart(5)} of ${String(ofKind.length).padStart(5)}  ${percent(caughtOfKind.length, ofKind.length)}`;
  });
  const by = [...grouped(judgements)].filter(([name]) => name !== "").map(([name, its]) => `${name} ${its.length}`);
  return [
    `Mutants caught: ${caught} of ${judged}, ${percent(caught, judged)}`,
    ...rows,
    `  by ${by.join(", ")}`,
    ...unexplained.map((id) => `  survived, without a reason: ${id}`),
    ...knownSurvivors.flatMap(({ reason, mutants }) => {
      const here = mutants.filter((id) => judgements.some(({ mutant, by: what }) => mutant.id === id && what === undefined));
      return here.length === 0 ? [] : [`  survived, for ${reason}:`, ...here.map((id) => `    ${id}`)];
    }),
    ...outdated.map((id) => `  listed as a survivor, and caught: ${id}`),
  ].join("\n");
}

const judgeOf = ({ by = "" }: Judgement): string => by.split(":")[0] ?? "";

function grouped(judgements: readonly Judgement[]): Map<string, Judgement[]> {
  const groups = new Map<string, Judgement[]>();
  for (const judgement of judgements) groups.set(judgeOf(judgement), [...(groups.get(judgeOf(judgement)) ?? []), judgement]);
  return groups;
}
