/** Weekly rests by brute force: every way of counting rests in calendar weeks is tried (Article 8(6) and 8(9)). Minutes since 1970. */

export interface RestOfMinutes {
  from: number;
  to: number;
  rest: number;
}

const H = 60;
const DAY = 24 * H;
export const WEEK = 7 * DAY;

/** Minutes since 1970 of the Monday on which a week begins. */
export function mondayOf(minute: number): number {
  const date = new Date(minute * 60_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - ((date.getUTCDay() + 6) % 7)) / 60_000;
}

/** How many weekly rests a week has, and how many of them are regular. */
type Week = [all: number, regular: number];

const worth = (rest: number): Week => (rest >= 69 * H ? [2, 1] : rest >= 45 * H ? [1, 1] : rest >= 24 * H ? [1, 0] : [0, 0]);

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
  #waysOf({ from, to, rest }: RestOfMinutes): Map<number, Week>[] {
    const monday = mondayOf(from);
    const last = Math.min(to === Number.POSITIVE_INFINITY ? to : mondayOf(to - 1), this.#end);
    const touched: number[] = [];
    for (let week = monday; week <= last; week += WEEK) touched.push(week);
    if (touched.length === 1) return [new Map([[monday, worth(rest)]])];
    if (touched.length > 2 || rest === Number.POSITIVE_INFINITY) return [new Map(touched.map((week) => [week, [2, 1]]))];
    // From 69 hours on, a rest counts as a regular and a reduced one.
    const parts = rest < 69 * H ? [0, rest] : [0, 24 * H, 45 * H, 69 * H];
    return parts.map(
      (part) =>
        new Map([
          [monday, worth(part)],
          [monday + WEEK, worth(rest - part)],
        ]),
    );
  }

  /** Whether any way of counting obeys the law in each week from the first to the last. */
  canObey(law: Law, first: number, last: number): boolean {
    const rests = this.#rests.filter(({ from, to }) => to > first - 2 * WEEK && from < last + WEEK);
    const counted = new Map<number, Week>();
    const weekOf = (week: number): Week => {
      if (week >= this.#start) return counted.get(week) ?? [0, 0];
      // Before a known start, one reduced rest: the first week needs a regular one.
      return this.#isKnown && first === this.#start && week === first - WEEK ? [1, 0] : [9, 9];
    };
    const obeys = (week: number) => {
      const [earlier, before] = [week - 2 * WEEK, week - WEEK].map((one): Week => (one < first - 2 * WEEK ? [9, 9] : weekOf(one)));
      return isObeyed(law, [earlier as Week, before as Week, weekOf(week)]);
    };
    const tryFrom = (index: number, checked: number): boolean => {
      const rest = rests[index];
      // Rests that begin in later weeks do not change this one.
      const until = rest ? Math.min(mondayOf(rest.from), last + WEEK) : last + WEEK;
      for (let week = checked; week < until; week += WEEK) if (!obeys(week)) return false;
      if (!rest) return true;
      return this.#waysOf(rest).some((way) => {
        for (const [week, [all, regular]] of way) {
          const [before, regularBefore] = counted.get(week) ?? [0, 0];
          counted.set(week, [before + all, regularBefore + regular]);
        }
        const isPossible = tryFrom(index + 1, Math.max(checked, until));
        for (const [week, [all, regular]] of way) {
          const [now, regularNow] = counted.get(week) as Week;
          counted.set(week, [now - all, regularNow - regular]);
        }
        return isPossible;
      });
    };
    return tryFrom(0, first);
  }

  /** The latest week from which on the law cannot be obeyed up to another. */
  #latest(law: Law, first: number, last: number): BrokenWeeks {
    let latest = last;
    while (latest > first && this.canObey(law, latest, last)) latest -= WEEK;
    return { first: latest, last, from: Math.max(this.#start, latest - WEEK), to: last + WEEK };
  }

  /** Where the law cannot be obeyed, each week in one of them at most. */
  broken(law: Law): BrokenWeeks[] {
    const found: BrokenWeeks[] = [];
    let first = this.#start;
    for (let last = first; last <= this.#end; last += WEEK) {
      if (this.canObey(law, first, last)) continue;
      found.push(this.#latest(law, first, last));
      first = last + WEEK;
    }
    return found;
  }

  /** Every shortest run of weeks in which the law cannot be obeyed. */
  impossible(law: Law): BrokenWeeks[] {
    const found: BrokenWeeks[] = [];
    for (let last = this.#start; last <= this.#end; last += WEEK)
      if (!this.canObey(law, this.#start, last)) found.push(this.#latest(law, this.#start, last));
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
