import { LIMITS, WEEK, weekStart } from "./limits.ts";
import type { Rest } from "./record.ts";
import type { Period } from "./timeline.ts";

const { weeklyRest, reducedWeeklyRest } = LIMITS;

/** What counts in a week: how many weekly rests, of which more than two make no difference, and 3 more if one is regular. */
type Counted = number;

const [NONE, REDUCED, REGULAR, BOTH] = [0, 1, 4, 5] as const;
const KINDS = 6;
const ALL_COUNTED: readonly Counted[] = Array.from({ length: KINDS }, (_, counted) => counted);

const restsIn = (counted: Counted) => counted % 3;
const hasRegular = (counted: Counted) => counted >= 3;
const sumOf = (a: Counted, b: Counted): Counted => Math.min(2, restsIn(a) + restsIn(b)) + (hasRegular(a) || hasRegular(b) ? 3 : 0);

/** A rest of this length counts as a regular and a reduced one, which follow each other. */
const SEVERAL = weeklyRest + reducedWeeklyRest;

/** What a rest of at least a length may count as. */
const SHARES: readonly (readonly [length: number, Counted])[] = [
  [SEVERAL, BOTH],
  [weeklyRest, REGULAR],
  [reducedWeeklyRest, REDUCED],
  [0, NONE],
];

/** What is demanded of a week, the one before it and the one before that. */
type Demand = (week: Counted, before: Counted, earlier: Counted) => boolean;

const hasTwo = (week: Counted, before: Counted) => restsIn(week) + restsIn(before) >= 2;

export const DEMANDS = {
  /** Two weekly rests in two weeks. */
  two: hasTwo,
  /** One of them regular (Article 8(6), first subparagraph). */
  regular: (week, before) => hasTwo(week, before) && (hasRegular(week) || hasRegular(before)),
  /** The least that drivers of goods abroad must take: not three reduced ones in a row (Article 8(6), third subparagraph). */
  regularInThree: (week, before, earlier) => hasTwo(week, before) && [week, before, earlier].some(hasRegular),
} satisfies { [name: string]: Demand };

interface Week {
  /** What lies in this week alone, or fills it. */
  own: Counted;
  /** The ways of dividing the rest that falls in this week and the next (Article 8(9)). */
  shared: readonly (readonly [Counted, Counted])[];
}

/** The best ways of dividing a rest, which meet every demand that worse ones meet. A rest in doubt may have been two reduced ones. */
function dividedOf(length: number, isDoubtful = false): Week["shared"] {
  const fits = (first: number, second: number) =>
    first + second <= length && (isDoubtful || length >= SEVERAL || first === 0 || second === 0);
  const ways = SHARES.flatMap(([first, left]) =>
    SHARES.flatMap(([second, right]) => (fits(first, second) ? [[left, right] as const] : [])),
  );
  return ways.filter(([left, right]) => !ways.some(([more, other]) => more >= left && other >= right && more + other > left + right));
}

const UNDIVIDED = dividedOf(0);

/**
 * One way of counting rests up to a week: in digits, what the rest that this week shares with the next leaves to the next, and what counts in this week,
 * the one before and the one before that.
 */
type Way = number;

const wayOf = (next: Counted, week: Counted, before: Counted, earlier: Counted): Way =>
  ((next * KINDS + week) * KINDS + before) * KINDS + earlier;
const digit = (way: Way, place: 0 | 1 | 2 | 3): Counted => Math.floor(way / KINDS ** place) % KINDS;

function follow(ways: Iterable<Way>, { own, shared }: Week): Set<Way> {
  const found = new Set<Way>();
  for (const way of ways) {
    const counted = sumOf(own, digit(way, 3));
    for (const [left, right] of shared) found.add(wayOf(right, sumOf(counted, left), digit(way, 2), digit(way, 1)));
  }
  return found;
}

/** The fewest weeks in which no way of counting rests meets a demand, and the first and the last of which it is made. */
export interface Broken extends Period {
  first: number;
  last: number;
}

/** A week without any record, in which everything may have been right. */
const UNKNOWN: Week = { own: BOTH, shared: UNDIVIDED };

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
    for (let week = this.#first; week <= end; week += WEEK) this.#weeks.push({ own: NONE, shared: UNDIVIDED });
    for (const rest of rests) this.#count(rest, end);
  }

  #count({ start, end, length, isDoubtful }: Rest, lastWeek: number): void {
    const [from, to] = [Math.max(weekStart(start), this.#first), Math.min(weekStart(end - 1), lastWeek)];
    const isShared = to - from === WEEK && length < Number.POSITIVE_INFINITY;
    const share = to - from > WEEK ? BOTH : (SHARES.find(([least]) => length >= least)?.[1] ?? NONE);
    for (let week = from; week <= to; week += WEEK) {
      const one = this.#week((week - this.#first) / WEEK);
      if (!isShared) one.own = sumOf(one.own, share);
      else if (week === from) one.shared = dividedOf(length, isDoubtful);
    }
  }

  #week(index: number): Week {
    return this.#weeks[index] ?? UNKNOWN;
  }

  /** All ways up to a week, the last two of which nothing is demanded of. */
  #waysTo(index: number): Set<Way> {
    if (index < 0) return new Set([wayOf(NONE, REDUCED, BOTH, BOTH)]);
    const free = this.#week(index - 2).shared.map(([, next]) => wayOf(next, BOTH, BOTH, BOTH));
    return follow(follow(free, this.#week(index - 1)), this.#week(index));
  }

  /** Follows weeks from one that a demand is made of, to the first that cannot meet it. */
  #breaksAt(from: number, isMet: Demand, until = this.#weeks.length - 1, past = this.#waysTo(from - 1)): number | undefined {
    let ways = past;
    for (let index = from; index <= until; index++) {
      ways = follow(ways, this.#week(index));
      for (const way of ways) if (!isMet(digit(way, 2), digit(way, 1), digit(way, 0))) ways.delete(way);
      if (ways.size === 0) return index;
    }
    return undefined;
  }

  /** The last of each of the weeks that break a demand however rests are counted. Each week's demand is part of one of them. */
  #lasts(isMet: Demand): number[] {
    const found: number[] = [];
    for (let last = this.#breaksAt(0, isMet); last !== undefined; last = this.#breaksAt(last + 1, isMet)) found.push(last);
    return found;
  }

  /**
   * The same from a week on, a list for each way in which weeks before it may have counted: one if its own demand may be met, and one if not. A list of
   * the former kind that begins with the week itself ends there, as those of the latter go on.
   */
  #lastsAfterAny(from: number, isMet: Demand, until?: number): number[][] {
    const shares = new Set(this.#week(from - 1).shared.map(([, next]) => next));
    const pasts = [...shares].flatMap((next) =>
      ALL_COUNTED.flatMap((week) => [NONE, BOTH].map((before) => new Set([wayOf(next, week, before, NONE)]))),
    );
    const lastsAfter = (past: Set<Way>, first: number) => {
      const found: number[] = [];
      let last = this.#breaksAt(first, isMet, until, past);
      while (last !== undefined) {
        found.push(last);
        last = last === from ? undefined : this.#breaksAt(last + 1, isMet, until);
      }
      return found;
    };
    return pasts.flatMap((past) => [lastsAfter(past, from), lastsAfter(follow(past, this.#week(from)), from + 1)]);
  }

  /** The fewest weeks that break a demand however rests are counted. */
  broken(isMet: Demand): Broken[] {
    const week = (index: number) => this.#first + index * WEEK;
    return this.#lasts(isMet).map((last, index, lasts) => {
      const from = (lasts[index - 1] ?? -1) + 1;
      let first = last;
      while (first > from && this.#breaksAt(first, isMet, last) === undefined) first--;
      return { start: week(Math.max(0, first - 1)), end: week(last + 1), first: week(first), last: week(last) };
    });
  }

  #indexOf(week: number): number {
    return (week - this.#first) / WEEK;
  }

  /** Whether these weeks break a demand, and are counted as such, whatever was before the first whole week. */
  surelyBreaks({ last }: Broken, isMet: Demand): boolean {
    const to = this.#indexOf(last);
    return this.#lastsAfterAny(1, isMet, to).every((lasts) => lasts[0] === 1 || lasts.includes(to));
  }

  /** Whether other weeks of a period would break a demand without a rest, whatever was before the period, or before what is known of it. */
  surelyNeeds({ start, end }: Period, without: Fortnights, rest: Period): boolean {
    const from = Math.max(1, this.#indexOf(start));
    if (this.#indexOf(weekStart(rest.start)) < from) return false;
    const until = Math.min(this.#indexOf(end), this.#weeks.length) - 1;
    return [DEMANDS.regular, DEMANDS.two].some((isMet) => {
      const others = without.#lastsAfterAny(from, isMet, until);
      return this.#lastsAfterAny(from, isMet, until).every((lasts, index) => {
        const other = others[index] as number[];
        return lasts.join() !== other.join() || (lasts[0] === from && other[0] === from);
      });
    });
  }

  /** The weeks that break any demand, to compare. */
  get brokenWeeks(): string {
    return [DEMANDS.regular, DEMANDS.two].map((isMet) => this.#lasts(isMet).join()).join(";");
  }

  /** Whether the same weeks break another demand. */
  isBroken({ first, last }: Broken, isMet: Demand): boolean {
    return this.#breaksAt(this.#indexOf(first), isMet, this.#indexOf(last)) !== undefined;
  }
}
