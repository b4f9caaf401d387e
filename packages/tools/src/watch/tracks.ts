import type { Point } from "../places/geography.ts";

/** Where a vehicle was when it was last inside a place. */
export interface LastInside extends Point {
  /** Whether it stood still there. */
  stands?: true;
  /** When it then seemed to stand elsewhere, in one record so far. */
  outsideAt?: number;
}

/** What is known of one rule and one vehicle, driver or job. */
export interface Track {
  /** When the last record was made that was taken into account. */
  date: number;
  /** Whether the opposite of the condition has been seen since the last event. Without it, nothing has begun. */
  isArmed: boolean;
  /** When the first of the records was made that have met the condition since; undefined while it is not met. */
  since?: number | undefined;
  /** Where it last was inside the place. */
  inside?: LastInside | undefined;
  /** Set while it stands still outside, with when it then seemed to stand inside, in one record so far. */
  outside?: { insideAt?: number } | undefined;
  /** The faults seen, and when each was first missing; 0 while it is there. */
  codes?: Readonly<Record<string, number>> | undefined;
  /** When the last event happened. */
  toldAt?: number | undefined;
}

/** Whether a record meets a condition; undefined if it does not say, or lies in the margin between yes and no. */
export type Reading = boolean | undefined;
