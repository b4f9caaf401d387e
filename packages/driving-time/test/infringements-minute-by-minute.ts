/**
 * A second implementation of infringements, written from the texts of the law: it walks through an array of minutes, and knows neither gaps nor doubts. It
 * shares no code with the first, and is slow and plain.
 */

import { DAY, H, mondayOf, neededReduced, type RestOfMinutes, WEEK, Weeks } from "./weekly-rests-by-force.ts";

/** What a driver did in a minute: driving, other work, availability or rest; in capitals, with another driver's card in the vehicle. */
export type Minute = "d" | "w" | "a" | "r" | "D" | "W" | "A" | "R";

export interface Broken {
  rule: string;
  /** The shift, week or other period that the rule looks at, and when the rule was broken, in minutes since 1970. */
  from: number;
  to: number;
  at: number;
  limit: number;
  actual: number;
  /** Whether no reading of the law allows it, and nothing that is unknown before the first minute. */
  isSure: boolean;
  /** What is the same missing break. */
  same?: Broken[];
}

/**
 * `minutes` begin at the minute `first`; before them and after them the driver rests for ever. `isAboard` says in which minutes the vehicle is on a
 * ferry or train.
 */
export function brokenRules(minutes: readonly Minute[], first: number, isAboard: (minute: number) => boolean = () => false): Broken[] {
  const found: Broken[] = [];
  const last = first + minutes.length;
  const what = (minute: number) => (minute < first || minute >= last ? "r" : (minutes[minute - first] as Minute));
  const kind = (minute: number) => what(minute).toLowerCase();
  const inTeam = (minute: number) => what(minute) !== kind(minute);
  const works = (minute: number) => kind(minute) === "d" || kind(minute) === "w";
  const note = (rule: string, [from, to]: [number, number], at: number, limit: number, actual: number, isSure = true) =>
    found.push({ rule, from, to, at, limit, actual, isSure });

  // Rests, and with them those that a ferry interrupts: twice at most, an hour in all, at least 11 hours of rest (Article 9(1)).
  const pieces: RestOfMinutes[] = [{ from: first - 10 * WEEK, to: first, rest: Number.POSITIVE_INFINITY }];
  for (let minute = first; minute < last; minute++) {
    const piece = pieces[pieces.length - 1] as RestOfMinutes;
    if (kind(minute) !== "r") continue;
    if (piece.to === minute) {
      piece.to++;
      piece.rest++;
    } else pieces.push({ from: minute, to: minute + 1, rest: 1 });
  }
  const end = pieces[pieces.length - 1] as RestOfMinutes;
  if (end.to === last) end.rest = Number.POSITIVE_INFINITY;
  else pieces.push({ from: last, to: Number.POSITIVE_INFINITY, rest: Number.POSITIVE_INFINITY });
  if (end.to === last) end.to = Number.POSITIVE_INFINITY;
  const isFerry = ({ from, to }: RestOfMinutes) => [from, Math.min(to, last) - 1].some((minute) => minute >= first && isAboard(minute));
  /** A piece alone, and with the next one or two, if each is shorter than a limit. */
  const wholesAt = (one: number, limit: number) =>
    [1, 2, 3]
      .map((count) => pieces.slice(one, one + count))
      .filter((parts, index) => parts.length === index + 1 && (index === 0 || parts.every((part) => part.rest < limit && isFerry(part))))
      .map((parts) => {
        const [from, to] = [(parts[0] as RestOfMinutes).from, (parts.at(-1) as RestOfMinutes).to];
        return { from, to, rest: parts.reduce((sum, part) => sum + part.rest, 0), parts: parts.length };
      })
      .filter(({ from, to, rest, parts }) => parts === 1 || to - from - rest <= H);
  type Whole = ReturnType<typeof wholesAt>[number];
  const rests: Whole[] = [];
  for (let one = 0; one < pieces.length; one += rests.at(-1)?.parts ?? 1) {
    const wholes = wholesAt(one, 11 * H);
    rests.push(wholes.find(({ rest, parts }) => parts > 1 && rest >= 11 * H) ?? (wholes[0] as Whole));
  }
  // The same for weekly rests of at least 24 hours, or 45 if there are as many.
  const long: Whole[] = [];
  for (let one = 0; one < pieces.length; ) {
    const wholes = wholesAt(one, 45 * H).filter(({ rest, parts }) => parts === 1 || rest >= 24 * H);
    const whole = (wholes.find(({ rest }) => rest >= 45 * H) ?? wholes.at(-1)) as Whole;
    if (whole.rest >= 24 * H) long.push(whole);
    one += whole.parts;
  }
  const isWeekly = (rest: RestOfMinutes) => long.some(({ from, to }) => from < rest.to && rest.from < to);

  // Article 7: 45 minutes, or 15 and later 30. Also 45 minutes of availability beside another driver.
  let [driven, hadPart, passed, firstDriven, lastDriven] = [0, false, 0, 0, 0];
  const breakOver = () => {
    if (driven > 4.5 * H) note("drivingWithoutBreak", [firstDriven, lastDriven], passed, 4.5 * H, driven);
    [driven, hadPart] = [0, false];
  };
  for (let minute = first; minute < last; ) {
    let until = minute;
    while (until < last && kind(until) === kind(minute)) until++;
    const length = until - minute;
    if (kind(minute) === "d") {
      if (driven <= 4.5 * H) passed = minute + 4.5 * H - driven;
      if (driven === 0) firstDriven = minute;
      lastDriven = until;
      driven += length;
    }
    const beside = kind(minute) === "a" && length >= 45 && Array.from({ length }, (_, index) => inTeam(minute + index)).some(Boolean);
    if ((kind(minute) === "r" || beside) && driven > 0) {
      if (length >= 45 || (hadPart && length >= 30)) breakOver();
      else if (length >= 15) hadPart = true;
    }
    minute = until;
  }
  breakOver();

  // Article 6(2) and 6(3), directive 2002/15/EC, Article 4(a).
  const countedIn = (from: number, to: number, counts: (minute: number) => boolean) => {
    let sum = 0;
    for (let minute = Math.max(from, first); minute < Math.min(to, last); minute++) if (counts(minute)) sum++;
    return sum;
  };
  const passing = (from: number, to: number, limit: number, counts: (minute: number) => boolean) => {
    let sum = 0;
    for (let minute = Math.max(from, first); minute < to; minute++) if (counts(minute) && ++sum > limit) return minute;
    return Number.NaN;
  };
  const drives = (minute: number) => kind(minute) === "d";
  /** Whether another driver's card was in the vehicle at some time of this availability. */
  const isBesideAt = (minute: number) => {
    let [from, to] = [minute, minute];
    while (kind(from - 1) === "a" && !inTeam(from)) from--;
    while (kind(to + 1) === "a" && !inTeam(to)) to++;
    return inTeam(from) || inTeam(to);
  };
  for (let monday = mondayOf(first); monday < last; monday += WEEK) {
    const check = (rule: string, from: number, limit: number, counts: (minute: number) => boolean) => {
      const actual = countedIn(from, monday + WEEK, counts);
      if (actual > limit && countedIn(monday, monday + WEEK, counts) > 0)
        note(rule, [from, monday + WEEK], passing(from, monday + WEEK, limit, counts), limit, actual);
    };
    check("weeklyDriving", monday, 56 * H, drives);
    check("fortnightlyDriving", monday - WEEK, 90 * H, drives);
    check("weeklyWork", monday, 60 * H, works);
  }

  // Article 8: from one daily rest to the next. Article 6(1): driving between them.
  let start = first;
  let reduced = 0;
  let firstRest = 1;
  const extended = new Map<number, number>();
  while (firstRest < rests.length) {
    const isTeamUntil = (minute: number) =>
      countedIn(start, minute, inTeam) > 0 && countedIn(start + H, minute, (one) => drives(one) && !inTeam(one)) === 0;
    let [hadThree, bestRest, best, limit, actual, chosen] = [false, -1, 0, 0, 0, -1];
    for (let one = firstRest; one < rests.length && chosen < 0; one++) {
      const { from, rest } = rests[one] as RestOfMinutes;
      const team = isTeamUntil(from);
      const over = start + (team ? 30 : 24) * H;
      const inside = Math.min(rest, Math.max(0, over - from));
      limit = team || hadThree || reduced < 3 || isWeekly(rests[one] as RestOfMinutes) ? 9 * H : 11 * H;
      actual = inside;
      if (inside >= 9 * H) {
        chosen = one;
        if (inside < limit) reduced++;
        else if (inside < 11 * H && !team && !hadThree) reduced++;
      } else {
        if (inside > best) [bestRest, best] = [one, inside];
        actual = best;
        if (over <= from || rest >= 9 * H) {
          // A rest of 7 hours ends the day even if it is too short (Commission decision C(2011) 3759).
          if (bestRest >= 0 && (rests[bestRest] as RestOfMinutes).rest >= 7 * H) chosen = bestRest;
          else for (chosen = one; (rests[chosen] as RestOfMinutes).rest < 7 * H; ) chosen++;
        } else if (rest >= 3 * H) hadThree = true;
      }
    }
    const ending = rests[chosen] as RestOfMinutes;
    const restDue = start + (isTeamUntil(ending.from) ? 30 : 24) * H;
    if (actual < limit) note("dailyRest", [start, Math.max(ending.from, restDue)], restDue, limit, actual);
    if (isWeekly(ending)) reduced = 0;

    const until = Math.min(ending.from, last);
    const today = countedIn(start, until, drives);
    const nine = passing(start, until, 9 * H, drives);
    const week = Number.isNaN(nine) ? Number.NaN : mondayOf(nine);
    const longest = (extended.get(week) ?? 0) < 2 ? 10 * H : 9 * H;
    if (today > 9 * H) extended.set(week, (extended.get(week) ?? 0) + 1);
    if (today > longest) note("dailyDriving", [start, until], passing(start, until, longest, drives), longest, today);

    // Directive 2002/15/EC, Articles 5 and 7.
    const inDay = countedIn(start, Math.min(until, start + DAY), works);
    const atNight = countedIn(start, Math.min(until, start + DAY), (minute) => works(minute) && minute % DAY < 4 * H);
    if (inDay > 10 * H && atNight > 0) note("nightWork", [start, until], passing(start, start + DAY, 10 * H, works), 10 * H, inDay);
    const work = countedIn(start, until, works);
    const needed = work > 9 * H ? 45 : work > 6 * H ? 30 : 0;
    const breaks = pieces
      .filter(({ from, to, rest }) => from >= start && to > from && to <= until && rest >= 15)
      .reduce((sum, { rest }) => sum + rest, 0);
    let lastWork = until;
    while (lastWork > start && !works(lastWork - 1)) lastWork--;
    // Beside a colleague who drives, a driver may have a break although the tachograph says availability.
    let [pause, withAvailability] = [0, 0];
    for (let minute = start; minute <= until; minute++) {
      const isPause = minute < until && (kind(minute) === "r" || (kind(minute) === "a" && isBesideAt(minute)));
      if (isPause) pause++;
      else {
        if (pause >= 15) withAvailability += pause;
        pause = 0;
      }
    }
    if (breaks < needed) note("workBreaks", [start, until], lastWork, needed, breaks, withAvailability < needed);

    start = ending.to;
    firstRest = chosen + 1;
  }

  // Directive 2002/15/EC, Article 5(1): six hours without a break.
  let [worked, sixHours, firstWorked, lastWorked] = [0, 0, 0, 0];
  const restOver = () => {
    if (worked > 6 * H) note("workWithoutBreak", [firstWorked, lastWorked], sixHours, 6 * H, worked);
    worked = 0;
  };
  let resting = 0;
  for (let minute = first; minute < last; minute++) {
    // Availability is no working time, so what follows it is not consecutive.
    resting = works(minute) ? 0 : resting + 1;
    if (resting === 15) restOver();
    if (!works(minute)) continue;
    if (worked === 0) firstWorked = minute;
    lastWorked = minute + 1;
    if (++worked === 6 * H + 1) sixHours = minute;
  }
  restOver();
  joinBreaks(found);

  // Article 8(6): from one weekly rest to the next, and how many in two weeks.
  const late: [number, number][] = [];
  for (let one = 1; one < long.length; one++) {
    const [before, rest] = [long[one - 1] as RestOfMinutes, long[one] as RestOfMinutes];
    const time = rest.from - before.to;
    if (time <= 6 * DAY) continue;
    note("weeklyRestDue", [before.to, rest.from], before.to + 6 * DAY, 6 * DAY, time);
    late.push([before.to, rest.from]);
  }
  const [known, generous] = [new Weeks(long, true), new Weeks(long, false)];
  const longestIn = (limit: number, from: number, to: number) =>
    [...rests, ...long].reduce((most, one) => (one.rest < limit && one.from < to && one.to > from ? Math.max(most, one.rest) : most), 0);
  const broken = known.broken("one of them regular");
  const surely = new Map(
    generous.broken("abroad").map((found) => [broken.filter(({ last }) => last >= found.first && last <= found.last).at(-1), found]),
  );
  for (const home of broken) {
    const sure = surely.get(home);
    const [weeks, { first: since, last: week, from, to }] = sure ? [generous, sure] : [known, home];
    const limit = weeks.canObey("two rests", since, week) ? 45 * H : 24 * H;
    if (limit === 24 * H && late.some((one) => one[0] < to && one[1] > from)) continue;
    const ended = long.filter((one) => one.from < home.last + WEEK && one.to > home.last).at(-1)?.to ?? to;
    const at = Math.min(ended, to);
    found.push({ rule: "weeklyRest", from, to, at, limit, actual: longestIn(limit, from, to), isSure: sure !== undefined });
  }
  for (const { first: since, last: week, from, to } of generous.broken("abroad", "overlap")) {
    note("weeklyRest cannot be", [from, to], to, 45 * H, longestIn(45 * H, from, to));
    if (!generous.canObey("two rests", since, week)) note("weeklyRest cannot be", [from, to], to, 24 * H, longestIn(24 * H, from, to));
  }

  // Article 8(6b) and 8(7): compensation by the end of the third week after, with a rest of at least nine hours.
  const spent = new Set<RestOfMinutes>();
  const needed = neededReduced(long);
  for (const reducedRest of needed) {
    const due = mondayOf(reducedRest.to - 1) + 4 * WEEK;
    const owed = 45 * H - reducedRest.rest;
    let [longest, isPaid] = [0, false];
    for (const one of rests) {
      if (one.from < reducedRest.to || one.from >= due || isPaid || spent.has(one)) continue;
      if (needed.some(({ from, to }) => from < one.to && one.from < to)) continue;
      const spare = one.rest < 45 * H ? one.rest - 9 * H : one.rest - 45 * H;
      const inTime = Math.min(spare, due - one.from - 9 * H);
      if (inTime >= owed) {
        isPaid = true;
        spent.add(one);
      } else longest = Math.max(longest, inTime);
    }
    if (!isPaid) note("weeklyRestCompensation", [reducedRest.from, due], due, owed, longest);
  }
  return found;
}

/** More than six hours at a time and too little break in all are one missing break; if only one of them is sure, it is that one. */
function joinBreaks(found: Broken[]): void {
  for (const shift of found.filter(({ rule }) => rule === "workBreaks")) {
    const long = found.filter(({ rule, from, to }) => rule === "workWithoutBreak" && from < shift.to && to > shift.from);
    if (long.length === 0) continue;
    const dropped = shift.isSure ? long : [shift];
    if (shift.isSure) shift.same = long;
    if (shift.isSure) shift.at = Math.min(shift.at, ...long.map(({ at }) => at));
    for (const one of dropped) found.splice(found.indexOf(one), 1);
  }
}
