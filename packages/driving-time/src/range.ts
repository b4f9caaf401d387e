/**
 * A value that gaps in the data leave uncertain: the correct one lies between the two, whatever happened in the gaps. Without gaps, both are
 * equal. `atMost` is `Infinity`, or an instant in `atLeast` is `-Infinity`, if the data does not reach back far enough.
 */
export interface Range {
  atLeast: number;
  atMost: number;
}

export const exactly = (value: number): Range => ({ atLeast: value, atMost: value });

export const NOTHING: Range = exactly(0);

export const plus = ({ atLeast, atMost }: Range, least: number, most: number): Range => ({
  atLeast: atLeast + least,
  atMost: atMost + most,
});

/** Returns the smallest range that includes both. */
export function including(known: Range | undefined, { atLeast, atMost }: Range): Range {
  return known ? { atLeast: Math.min(known.atLeast, atLeast), atMost: Math.max(known.atMost, atMost) } : { atLeast, atMost };
}

/** Returns what is left of a limit, at least 0. */
export const leftOf = (limit: Range, { atLeast, atMost }: Range): Range => ({
  atLeast: Math.max(0, limit.atLeast - atMost),
  atMost: Math.max(0, limit.atMost - atLeast),
});

export const smallest = (...ranges: readonly Range[]): Range => ({
  atLeast: Math.min(...ranges.map(({ atLeast }) => atLeast)),
  atMost: Math.min(...ranges.map(({ atMost }) => atMost)),
});
