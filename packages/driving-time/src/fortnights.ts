import { LIMITS, WEEK, weekStart } from "./limits.ts";
import type { Rest } from "./record.ts";
import type { Period } from "./timeline.ts";

const { weeklyRest, reducedWeeklyRest } = LIMITS;

/** What counts in a week: how many weekly rests (more than two make no difference), and whether one is regular. */
interface Counted {
  rests: number;
  hasRegular: boolean;
}

const NONE: Counted = { rests: 0, hasRegular: false };
const REDUCED: Counted = { rests: 1, hasRegular: false };
const BOTH: Counted = { rests: 2, hasRegular: true };

/** What a rest of at least a length may count as: a long one counts as several that follow each other. */
const SHARES: readonly (readonly [length: number, Counted])[] = [
  [weeklyRest + reducedWeeklyRest, BOTH],
  [weeklyRest, { rests: 1, hasRegular: true }],
  [reducedWeeklyRest, REDUCED],
  [0, NONE],
];

const sumOf = (a: Counted, b: Counted): Counted => ({ rests: Math.min(2, a.rests + b.rests), hasRegular: a.hasRegular || b.hasRegular });

/** What is demanded of a week, the one before it and the one before that. */
export type Demand = (week: Counted, before: Counted, earlier: Counted) => boolean;

const hasTwo = (week: Counted, before: Counted) => week.rests + before.rests >= 2;

export const DEMANDS = {
  /** Two weekly rests in two weeks. */
  two: hasTwo,
  /** One of them regular (Article 8(6), first subparagraph). */
  regular: (week, before) => hasTwo(week, before) && (week.hasRegular || before.hasRegular),
  /** The least that drivers of goods abroad must take: not three reduced ones in a row (Article 8(6), third subparagraph). */
  regularInThree: (week, before, earlier) => hasTwo(week, before) && (week.hasRegular || before.hasRegular || earlier.hasRegular),
} satisfies { [name: string]: Demand };

interface Week {
  /** What lies in this week alone, or fills it. */
  own: Counted;
  /** The length of the rest that falls in this week and the next. */
  shared: number;
}

/** One way of counting rests up to a week. */
interface Way {
  week: Counted;
  before: Counted;
  earlier: Counted;
  /** What the rest that this week shares with the next leaves to the next. */
  next: Counted;
}

/** The fewest weeks in which no way of counting rests meets a demand, and the first and the last of which it is made. */
export interface Broken extends Period {
  first: number;
  last: number;
}

/** A week without any record, in which everything may have been right. */
const UNKNOWN: Week = { own: BOTH, shared: 0 };

/** The ways of dividing a rest between two weeks (Article 8(9)). */
const divided = (shared: number): [Counted, Counted][] =>
  SHARES.flatMap(([first, left]) =>
    SHARES.flatMap(([second, right]): [Counted, Counted][] => (first + second <= shared ? [[left, right]] : [])),
  );

function follow(ways: readonly Way[], { own, shared }: Week): Way[] {
  const found = new Map<string, Way>();
  for (const { week: before, before: earlier, next } of ways)
    for (const [left, right] of divided(shared)) {
      const way = { week: sumOf(sumOf(own, next), left), before, earlier, next: right };
      const key = [way.week, before, earlier, right].map(({ rests, hasRegular }) => `${rests}${hasRegular}`).join();
      found.set(key, way);
    }
  return [...found.values()];
}

/** Calendar weeks with the weekly rests that may count in them. */
export class Fortnights {
  readonly #first: number;
  readonly #weeks: Week[] = [];

  /** The week before the first rest has a reduced rest, which demands a regular one of the first week. */
  constructor(rests: readonly Rest[]) {
    const [first, last] = [rests[0] as Rest, rests.at(-1) as Rest];
    const isEndless = first.start === Number.NEGATIVE_INFINITY;
    this.#first = weekStart(isEndless ? first.end - 1 : first.start);
    const end = weekStart(last.start);
    for (let week = this.#first; week <= end; week += WEEK) this.#weeks.push({ own: NONE, shared: 0 });
    for (const rest of rests) this.#count(rest, end);
  }

  #count({ start, end, length }: Rest, lastWeek: number): void {
    const [from, to] = [Math.max(weekStart(start), this.#first), Math.min(weekStart(end - 1), lastWeek)];
    const isShared = to - from === WEEK && length < Number.POSITIVE_INFINITY;
    const share = to - from > WEEK ? BOTH : (SHARES.find(([least]) => length >= least)?.[1] ?? NONE);
    for (let week = from; week <= to; week += WEEK) {
      const one = this.#week((week - this.#first) / WEEK);
      if (!isShared) one.own = sumOf(one.own, share);
      else if (week === from) one.shared = length;
    }
  }

  #week(index: number): Week {
    return this.#weeks[index] ?? UNKNOWN;
  }

  /** All ways up to a week, the last two of which nothing is demanded of. */
  #waysTo(index: number): Way[] {
    if (index < 0) return [{ week: REDUCED, before: BOTH, earlier: BOTH, next: NONE }];
    const free = divided(this.#week(index - 2).shared).map(([, next]): Way => ({ week: BOTH, before: BOTH, earlier: BOTH, next }));
    return follow(follow(free, this.#week(index - 1)), this.#week(index));
  }

  /** Follows weeks from one that a demand is made of, to the first that cannot meet it. */
  #breaksAt(from: number, isMet: Demand, until = this.#weeks.length - 1): number | undefined {
    let ways = this.#waysTo(from - 1);
    for (let index = from; index <= until; index++) {
      ways = follow(ways, this.#week(index)).filter(({ week, before, earlier }) => isMet(week, before, earlier));
      if (ways.length === 0) return index;
    }
    return undefined;
  }

  /** The weeks that break a demand however rests are counted. Each demand is part of one row. */
  broken(isMet: Demand): Broken[] {
    const found: Broken[] = [];
    for (let from = 0; ; ) {
      const last = this.#breaksAt(from, isMet);
      if (last === undefined) return found;
      let least = last;
      while (least > from && this.#breaksAt(least, isMet, last) === undefined) least--;
      const week = (index: number) => this.#first + index * WEEK;
      found.push({ start: week(Math.max(0, least - 1)), end: week(last + 1), first: week(least), last: week(last) });
      from = last + 1;
    }
  }

  /** Whether the same weeks break another demand. */
  isBroken({ first, last }: Broken, isMet: Demand): boolean {
    const index = (week: number) => (week - this.#first) / WEEK;
    return this.#breaksAt(index(first), isMet, index(last)) !== undefined;
  }
}
