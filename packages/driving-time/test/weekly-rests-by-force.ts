/** Weekly rests by brute force: every way of counting rests in calendar weeks is tried (Article 8(6) and 8(9)). Minutes since 1970. */

export interface RestOfMinutes {
  from: number;
  to: number;
  rest: number;
}

export const H = 60;
export const DAY = 24 * H;
export const WEEK = 7 * DAY;

/** Minutes since 1970 of the Monday on which a week begins. The first day of 1970 was a Thursday. */
export const mondayOf = (minute: number): number => minute - ((minute + 3 * DAY) % WEEK);

/** How many weekly rests a week has, and how many of them are regular. */
type Week = [all: number, regular: number];
type Counted = ReadonlyMap<number, Week>;

const worth = (rest: number): Week => (rest >= 69 * H ? [2, 1] : rest >= 45 * H ? [1, 1] : rest >= 24 * H ? [1, 0] : [0, 0]);

function plus(counted: Counted, way: Counted): Counted {
  const sum = new Map(counted);
  for (const [week, [all, regular]] of way) sum.set(week, [all + (sum.get(week)?.[0] ?? 0), regular + (sum.get(week)?.[1] ?? 0)]);
  return sum;
}

/** What the law says of a week, with the two before it. */
export type Law = "two rests" | "one of them regular" | "abroad";

function isObeyed(law: Law, [earlier, before, week]: [Week, Week, Week]): boolean {
  if (before[0] + week[0] < 2) return false;
  if (law === "one of them regular") return before[1] + week[1] > 0;
  return law === "two rests" || earlier[1] + before[1] + week[1] > 0;
}

export interface BrokenWeeks {
  /** The first and the last week that break the law together with those before them. */
  first: number;
  last: number;
  /** The weeks concerned. */
  from: number;
  to: number;
}

/** The weeks of a driver. If `isKnown`, nothing is known before the first rest, otherwise the driver rested before it for ever. */
export class Weeks {
  readonly #rests: readonly RestOfMinutes[];
  readonly #start: number;
  readonly #end: number;
  readonly #isKnown: boolean;

  constructor(rests: readonly RestOfMinutes[], isKnown: boolean) {
    const [first, ...others] = rests as [RestOfMinutes, ...RestOfMinutes[]];
    const from = first.to - 45 * H;
    this.#rests = isKnown ? [{ from, to: first.to, rest: 45 * H }, ...others] : rests;
    this.#start = mondayOf(isKnown ? from : first.to - 1);
    this.#end = mondayOf((rests.at(-1) as RestOfMinutes).from);
    this.#isKnown = isKnown;
  }

  /** The weeks in which a rest may count, in every way. */
  #waysOf({ from, to, rest }: RestOfMinutes): Counted[] {
    const monday = mondayOf(from);
    const last = Math.min(to === Number.POSITIVE_INFINITY ? to : mondayOf(to - 1), this.#end);
    const touched: number[] = [];
    for (let week = monday; week <= last; week += WEEK) touched.push(week);
    if (touched.length === 1) return [new Map([[monday, worth(rest)]])];
    if (touched.length > 2 || rest === Number.POSITIVE_INFINITY) return [new Map(touched.map((week) => [week, [2, 1]]))];
    // From 69 hours on, a rest counts as a regular and a reduced one.
    const parts = rest < 69 * H ? [0, rest] : [0, 24 * H, 45 * H, 69 * H];
    return parts.map((part) => new Map([monday, monday + WEEK].map((week, index) => [week, worth(index === 0 ? part : rest - part)])));
  }

  /** Whether any way of counting obeys the law in each week from the first to the last. */
  canObey(law: Law, first: number, last: number): boolean {
    const rests = this.#rests.filter(({ from, to }) => to > first - 2 * WEEK && from < last + WEEK);
    const weekOf = (counted: Counted, week: number): Week => {
      if (week >= this.#start) return counted.get(week) ?? [0, 0];
      // Before a known start, one reduced rest: the first week needs a regular one.
      return this.#isKnown && first === this.#start && week === first - WEEK ? [1, 0] : [9, 9];
    };
    const tryFrom = (index: number, checked: number, counted: Counted): boolean => {
      const rest = rests[index];
      // Rests that begin in later weeks do not change this one.
      const until = rest ? Math.min(mondayOf(rest.from), last + WEEK) : last + WEEK;
      for (let week = checked; week < until; week += WEEK) {
        const three = [2, 1, 0].map((ago) => weekOf(counted, week - ago * WEEK)) as [Week, Week, Week];
        if (!isObeyed(law, three)) return false;
      }
      return !rest || this.#waysOf(rest).some((way) => tryFrom(index + 1, Math.max(checked, until), plus(counted, way)));
    };
    return tryFrom(0, first, new Map());
  }

  /** Where the law cannot be obeyed: each week in one of them at most, or every shortest run of weeks. */
  broken(law: Law, may: "overlap" | "not overlap" = "not overlap"): BrokenWeeks[] {
    const found: BrokenWeeks[] = [];
    let first = this.#start;
    for (let last = first; last <= this.#end; last += WEEK) {
      if (this.canObey(law, first, last)) continue;
      let latest = last;
      while (latest > first && this.canObey(law, latest, last)) latest -= WEEK;
      found.push({ first: latest, last, from: Math.max(this.#start, latest - WEEK), to: last + WEEK });
      if (may !== "overlap") first = last + WEEK;
    }
    return found;
  }
}

/** Reduced rests that a driver needs: without them, other weeks would break the law. The shortest are given up first. */
export function neededReduced(rests: readonly RestOfMinutes[]): RestOfMinutes[] {
  const lawsBroken = (some: readonly RestOfMinutes[]) => {
    const weeks = new Weeks(some, true);
    return JSON.stringify([weeks.broken("two rests"), weeks.broken("one of them regular")].map((found) => found.map(({ last }) => last)));
  };
  const before = lawsBroken(rests);
  let kept = [...rests];
  for (const one of rests.filter(({ rest }) => rest < 45 * H).sort((a, b) => a.rest - b.rest || a.from - b.from)) {
    const without = kept.filter((other) => other !== one);
    if (lawsBroken(without) === before) kept = without;
  }
  return kept.filter(({ rest }) => rest < 45 * H);
}
