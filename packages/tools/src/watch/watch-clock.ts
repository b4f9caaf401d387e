import { parseDateTime } from "@fleetwire/core/internal";
import type { Position } from "../fleet/position.ts";

const MINUTE = 60_000;
/** A record from further ahead has a wrong date. */
export const MAX_AHEAD = 5 * MINUTE;
/** 1970, 1980 and 1999 stand for no date. */
const EARLIEST = Date.UTC(2000, 0);
/** A vehicle that drives reports at least this often. */
const RECENT = 60 * MINUTE;
/** One vehicle's clock may be wrong, but hardly those of so many. */
const WITNESSES = 3;
/** After so many polls with new records that fit both times, the clock of this machine is believed. */
const MAX_HELD = 5;

const isAround = (date: number, at: number) => date > at - RECENT && date <= at + MAX_AHEAD;

/** How many of the dates are around an instant, and how many are of its future. */
function support(dates: readonly number[], at: number): { around: number; ahead: number } {
  let [around, ahead] = [0, 0];
  for (const date of dates) {
    if (date > at + MAX_AHEAD) ahead++;
    else if (isAround(date, at)) around++;
  }
  return { around, ahead };
}

/** When a record says that it was made. A tracker that does not know sends the year in which its count of seconds or weeks begins. */
export function statedDate({ date }: Position): number | undefined {
  const at = parseDateTime(date);
  return at === undefined || at < EARLIEST ? undefined : at;
}

const datesOf = (positions: readonly Position[]) => positions.flatMap((position) => statedDate(position) ?? []);

/**
 * The time as the engine sees it. The clock of this machine counts while it runs steadily. Where it jumps, time runs on from where it was, until
 * the records that arrive say which of the two is right.
 */
export class WatchClock {
  readonly #maxStep: number;
  #polledAt = performance.now();
  #wall: number | undefined;
  #now: number | undefined;
  #fleet: number | undefined;
  #fleetBefore: number | undefined;
  #held = 0;

  /** @param readAt When the fleet was last read, if a process before has read it. */
  constructor(intervalMs: number, readAt?: number) {
    this.#maxStep = Math.max(3 * intervalMs, 3 * MINUTE);
    this.#fleet = readAt;
  }

  /**
   * The time up to which the fleet is known to have sent what there was: that of its newest record, and what has passed since. A vehicle is silent
   * compared with this, whatever the clock of this machine says.
   */
  get fleet(): number {
    return this.#fleet as number;
  }

  /** The same at the poll before: what arrives now was sent after it, whatever its date. */
  get fleetBefore(): number {
    return Math.min(this.#fleetBefore ?? Number.NEGATIVE_INFINITY, this.fleet);
  }

  /** Returns the time of a poll, given the clock of this machine, the records that are new and the whole list. */
  at(wall: number, arrived: readonly Position[], positions: readonly Position[]): number {
    const passed = this.#wall === undefined ? 0 : wall - this.#wall;
    const polledAt = performance.now();
    // Whoever polls seldom does not make the clock jump.
    const maxStep = this.#maxStep + polledAt - this.#polledAt;
    const elapsed = passed >= 0 && passed <= maxStep ? passed : 0;
    const dates = datesOf(arrived);
    [this.#wall, this.#polledAt] = [wall, polledAt];
    const stated = this.#chosen(wall, elapsed, dates, maxStep);
    const now = this.#corrected(stated, dates, positions);
    const newest = dates.reduce((latest, date) => (date <= now + MAX_AHEAD ? Math.max(latest, date) : latest), Number.NEGATIVE_INFINITY);
    // A fleet that sends local time may be hours behind the clock that the process before has saved.
    if (this.#now === undefined && newest < (this.#fleet ?? newest) - RECENT + MAX_AHEAD) this.#fleet = undefined;
    this.#fleetBefore = this.#fleet;
    const latest = Math.max(newest, (this.#fleet ?? Number.NEGATIVE_INFINITY) + elapsed);
    this.#fleet = Number.isFinite(latest) ? Math.min(now, latest) : now;
    this.#now = now;
    return now;
  }

  /** The clock of this machine, or the time that runs on beside it. */
  #chosen(wall: number, elapsed: number, dates: readonly number[], maxStep: number): number {
    if (this.#now === undefined) return wall;
    const ahead = wall - this.#now;
    if (ahead >= 0 && ahead <= maxStep) return wall;
    // A clock that was a little ahead has soon caught up.
    const isBackALittle = ahead < 0 && -ahead <= MAX_AHEAD;
    const continued = this.#now + (isBackALittle ? 0 : elapsed);
    const difference = support(dates, wall).around - support(dates, continued).around;
    if (difference === 0 && dates.length > 0 && ahead < 0) this.#held++;
    else if (difference < 0) this.#held = 0;
    if (difference <= 0 && this.#held <= MAX_HELD) return continued;
    this.#held = 0;
    return wall;
  }

  /** The time that most vehicles state, if it is later: a clock that is behind its fleet would take every record for one from the future. */
  #corrected(now: number, dates: readonly number[], positions: readonly Position[]): number {
    if (support(dates, now).ahead === 0) return now;
    const all = datesOf(positions);
    const { around, ahead } = support(all, now);
    const isMajority = ahead >= WITNESSES && ahead > around && 2 * ahead > positions.length;
    return isMajority ? (all.sort((a, b) => b - a)[WITNESSES - 1] as number) : now;
  }
}
