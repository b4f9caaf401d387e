import { isBeside, passing, type Weeks, weekFindings, weeksOf } from "./broken-driving.ts";
import { REST_THAT_ENDS_DAY, type Shift } from "./broken-shifts.ts";
import { BOTH_SENTENCES, type Finding, type Infringement, overlaps, paired, type Rule, rowOf } from "./infringement.ts";
import { DAY, minutesDown, minutesUp, WEEK, WORK_LIMITS } from "./limits.ts";
import { lengthOf, type Record, type Stretch } from "./record.ts";
import type { Period } from "./timeline.ts";

const { averageWork, averageWeeks, weeklyWork, nightWork, night, workWithoutBreak, longWork, workBreak, longWorkBreak, workBreakPart } =
  WORK_LIMITS;

/** Driving and other work, but not availability (Article 3(a) and 3(b)). */
const isWork = ({ kind }: Stretch) => kind === "driving" || kind === "work";

/** The average of each 17 weeks, of which the last has work and none is before the first work. */
function averageFindings(strict: Weeks, lenient: Weeks): Infringement[] {
  const ends = [...strict.keys()].sort((a, b) => a - b);
  return ends.flatMap((last) => {
    const start = last - (averageWeeks - 1) * WEEK;
    if (start < (ends[0] ?? 0)) return [];
    const averageOf = (weeks: Weeks) => {
      let sum = 0;
      for (let week = start; week <= last; week += WEEK) sum += lengthOf(weeks.get(week) ?? []);
      return minutesDown(sum / averageWeeks);
    };
    const [most, least] = [averageOf(strict), averageOf(lenient)];
    if (most <= averageWork) return [];
    const end = last + WEEK;
    return [rowOf("averageWork", { start, end, at: end, limit: averageWork }, [most, least], least > averageWork ? "certain" : "possible")];
  });
}

/** Whether work is between 00:00 and 04:00 UTC. */
const isAtNight = ({ start, end }: Period) => {
  const midnight = Math.floor(start / DAY) * DAY;
  return start < midnight + night[1] || end > midnight + DAY + night[0];
};

/** Shifts with the gaps at their ends, in which drivers may have gone on working. Shifts without such gaps are left out. */
const withGaps = (shifts: readonly Shift[]): Shift[] =>
  shifts.flatMap((shift, index) => {
    const [before, after] = [shifts[index - 1], shifts[index + 1]];
    if (!shift.startsInDoubt && !after?.startsInDoubt) return [];
    const start = shift.startsInDoubt && before ? before.end : shift.start;
    return [{ ...shift, start, end: after?.startsInDoubt ? after.start : shift.end }];
  });

/** The lengths of what stretches show without work in between: rest, and leniently availability beside a colleague who drives (Article 7 of the regulation). */
function breaksIn(record: Record, from: number, to: number): number[] {
  const { reading, stretches } = record;
  const breaks: number[] = [];
  let isBreak = false;
  for (let index = from; index < to; index++) {
    const { kind, start, end } = stretches[index] as Stretch;
    const isMore = isBreak;
    isBreak = kind === "rest" || (reading === "lenient" && isBeside(record, index));
    if (isBreak) breaks.push((isMore ? (breaks.pop() ?? 0) : 0) + end - start);
  }
  return breaks.map(minutesUp);
}

/** What each shift shows of night work and breaks. A rest counts as a break unless it is as long as `longest`. */
function shiftFindings(
  record: Record,
  shifts: readonly Shift[],
  longest = Number.POSITIVE_INFINITY,
): { nights: Finding[]; breaks: Finding[] } {
  const { stretches } = record;
  const [nights, breaks]: [Finding[], Finding[]] = [[], []];
  let index = 0;
  for (const { start, end, isExact } of shifts) {
    const inShift: Stretch[] = [];
    while (index > 0 && (stretches[index - 1] as Stretch).start >= start) index--;
    for (; index < stretches.length && (stretches[index] as Stretch).start < end; index++) {
      const stretch = stretches[index] as Stretch;
      if (stretch.start >= start) inShift.push(stretch);
    }
    const work = inShift.filter(isWork);
    if (work.length === 0) continue;
    const inDay = work.filter((one) => one.start < start + DAY).map((one) => ({ start: one.start, end: Math.min(one.end, start + DAY) }));
    const actual = lengthOf(inDay);
    const at = passing(inDay, nightWork);
    const isBroken = at !== undefined && inDay.some(isAtNight);
    nights.push({ start, end, at: at ?? end, limit: nightWork, actual, isBroken, isDoubtful: true });
    const worked = lengthOf(work);
    const limit = worked > longWork ? longWorkBreak : worked > workWithoutBreak ? workBreak : 0;
    const rest = breaksIn(record, index - inShift.length, index)
      .filter((length) => length >= workBreakPart && length < longest)
      .reduce((sum, length) => sum + length, 0);
    const until = (work.at(-1) as Stretch).end;
    breaks.push({ start, end, at: until, limit, actual: rest, isBroken: rest < limit, isDoubtful: !isExact });
  }
  return { nights, breaks };
}

/** Consecutive work (Article 5(1)): 15 minutes of rest or availability, which is no working time (Article 3(b)), interrupt it. */
function workFindings({ stretches }: Record): Finding[] {
  const found: Finding[] = [];
  let current: Finding | undefined;
  let pause = 0;
  for (const stretch of stretches) {
    const { start, end } = stretch;
    const length = end - start;
    if (isWork(stretch)) {
      current ??= { start, end, at: end, limit: workWithoutBreak, actual: 0, isBroken: false };
      if (!current.isBroken && current.actual + length > workWithoutBreak) {
        current.isBroken = true;
        current.at = start + workWithoutBreak - current.actual;
      }
      current.actual += length;
      current.end = end;
    }
    pause = isWork(stretch) ? 0 : pause + length;
    if (!current || minutesUp(pause) < workBreakPart) continue;
    found.push({ ...current, actual: minutesDown(current.actual), isBroken: minutesDown(current.actual) > workWithoutBreak });
    current = undefined;
  }
  return found;
}

/** Joins the rows of the same missing break: what is certain counts, with the figures of the shift. */
function joinedBreaks(inShifts: readonly Infringement[], withoutBreak: readonly Infringement[]): Infringement[] {
  const rows: Infringement[] = [];
  for (const row of [...inShifts, ...withoutBreak].sort((a, b) => a.certainty.localeCompare(b.certainty))) {
    const same = rows.find((one) => one.rule !== row.rule && overlaps(one, row));
    if (!same) rows.push(row);
    else if (same.certainty === row.certainty)
      Object.assign(same, { also: [row.rule], article: BOTH_SENTENCES, at: Math.min(same.at, row.at) });
  }
  return rows;
}

/** Infringements of directive 2002/15/EC. */
export function workingTimeFindings(
  strict: Record,
  lenient: Record,
  strictShifts: readonly Shift[],
  lenientShifts: readonly Shift[],
): Infringement[] {
  const [most, least] = [weeksOf(strict, ["driving", "work"]), weeksOf(lenient, ["driving", "work"])];
  const [strictly, leniently] = [shiftFindings(strict, strictShifts), shiftFindings(lenient, lenientShifts)];
  // Shifts that a gap may have joined, and those that it may have divided.
  const divided = shiftFindings(strict, withGaps(lenientShifts), REST_THAT_ENDS_DAY);
  const inShifts = (rule: Rule, joined: Finding[], apart: Finding[], least: Finding[]) => {
    const rows = paired(rule, joined, least);
    const more = paired(rule, apart, least).filter((row) => !rows.some((one) => one.start < row.end && row.start < one.end));
    return [...rows, ...more];
  };
  const nights = inShifts("nightWork", strictly.nights, divided.nights, leniently.nights);
  return [
    ...weekFindings("weeklyWork", most, least, weeklyWork, 1),
    ...averageFindings(most, least),
    ...nights.map((row) => ({ ...row, doubts: [...row.doubts, "night" as const] })),
    ...joinedBreaks(
      inShifts("workBreaks", strictly.breaks, divided.breaks, leniently.breaks),
      paired("workWithoutBreak", workFindings(strict), workFindings(lenient)),
    ),
  ];
}
