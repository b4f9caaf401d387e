import type { Mutant } from "./mutant.ts";

/** A random sample of the mutants, the same for the same seed. */
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
