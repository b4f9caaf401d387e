import { parseDateTime } from "@fleetwire/core/internal";
import type { Position } from "../fleet/position.ts";

const MINUTE = 60_000;
/** A record from further ahead has a wrong date, and would make later ones look old. */
export const MAX_AHEAD = 5 * MINUTE;
/** After so many polls, a clock that has jumped is believed. */
const MAX_HELD = 5;
/** One vehicle's clock may be wrong, but hardly those of so many. */
const WITNESSES = 3;

/** The dates of the newest records, newest first: a list may be long. */
function newestOf(positions: readonly Position[], count: number): number[] {
  const newest: number[] = [];
  for (const { date } of positions) {
    const at = parseDateTime(date);
    if (at === undefined || (newest.length === count && at <= (newest[count - 1] as number))) continue;
    newest.push(at);
    newest.sort((a, b) => b - a);
    newest.length = Math.min(newest.length, count);
  }
  return newest;
}

const isAround = (date: number | undefined, at: number, before: number) =>
  date !== undefined && date > at - before && date <= at + MAX_AHEAD;

/**
 * The time as the engine sees it. A clock that jumps ahead would make every vehicle look silent, so a jump counts only once the vehicles' own
 * records confirm it, or once it has lasted; a clock that jumps back stands still until then.
 */
export class WatchClock {
  readonly #maxStep: number;
  #last: number | undefined;
  #held = 0;

  constructor(intervalMs: number) {
    this.#maxStep = Math.max(3 * intervalMs, 2 * MINUTE);
  }

  /** Returns the time of a poll, given the clock of this machine, the records that have changed and the number of vehicles. */
  at(wall: number, changed: readonly Position[], vehicles: number): number {
    const needed = Math.min(WITNESSES, vehicles);
    const newest = newestOf(changed, needed)[needed - 1];
    const last = this.#last;
    // A clock that is behind its fleet would take every record for one from the future.
    const stated = newest !== undefined && newest > wall + MAX_AHEAD ? newest : wall;
    const isConfirmed = () => changed.some(({ date }) => isAround(parseDateTime(date), stated, this.#maxStep));
    const hasJumped = last !== undefined && (stated < last || (stated - last > this.#maxStep && !isConfirmed()));
    this.#held = hasJumped ? this.#held + 1 : 0;
    if (!hasJumped || this.#held > MAX_HELD) {
      this.#last = stated;
      this.#held = 0;
    }
    return this.#last as number;
  }
}
