import { activitiesOf } from "./drivers-work.ts";
import { type Activity, DAY, HOUR, MINUTE, type World } from "./world.ts";

/** What regulation (EC) 561/2006 forbids, as far as a question needs it. Records have no gaps in this world. */
export type Rule = "break" | "dailyDriving" | "weeklyDriving" | "fortnight" | "dailyRest" | "weeklyRestLate" | "weeklyRestShort";

export interface Broken {
  rule: Rule;
  driver: string;
  /** When it was broken. */
  at: number;
  /** The driving, or the rest, in ms; for a late weekly rest, the time until it. */
  actual: number;
}

interface Span {
  start: number;
  end: number;
}

const length = ({ start, end }: Span) => end - start;
const isRest = ({ activity }: Activity) => activity === "REST";
/** Beside another driver at the wheel, availability is a break (article 7). */
const isBreak = (one: Activity) => isRest(one) || (one.activity === "AVAILABILITY" && one["driverCardSlot"] === 2);
const isDriving = ({ activity }: Activity) => activity === "DRIVING";

function joined(activities: readonly Activity[], counts: (one: Activity) => boolean): Span[] {
  const spans: Span[] = [];
  for (const one of activities.filter(counts)) {
    const last = spans.at(-1);
    if (last && one.start - last.end < MINUTE) last.end = one.end;
    else spans.push({ start: one.start, end: one.end });
  }
  return spans;
}

type Found = Omit<Broken, "driver">;

/** Article 7: 45 minutes, or 15 and then 30, after four and a half hours of driving. Driving counts until the break. */
function breaks(activities: readonly Activity[]): Found[] {
  const pauses = joined(activities, isBreak);
  const steps = [
    ...activities.filter(isDriving).map((drive) => ({ drive, start: drive.start })),
    ...pauses.map((pause) => ({ pause, start: pause.start })),
  ];
  const found: Found[] = [];
  let [driven, hasFirst, at] = [0, false, 0];
  const close = () => {
    if (driven > 4.5 * HOUR) found.push({ rule: "break", at, actual: driven });
    [driven, hasFirst, at] = [0, false, 0];
  };
  for (const step of steps.sort((a, b) => a.start - b.start)) {
    if ("drive" in step) {
      if (driven <= 4.5 * HOUR && driven + length(step.drive) > 4.5 * HOUR) at = step.start + 4.5 * HOUR - driven;
      driven += length(step.drive);
    } else if (length(step.pause) >= 45 * MINUTE || (hasFirst && length(step.pause) >= 30 * MINUTE)) close();
    else if (driven > 0 && length(step.pause) >= 15 * MINUTE) hasFirst = true;
  }
  close();
  return found;
}

/** Monday 00:00 UTC. */
const mondayOf = (time: number) => time - ((((time - 4 * DAY) % (7 * DAY)) + 7 * DAY) % (7 * DAY));

const drivenIn = (drives: readonly Span[], from: number, to: number) =>
  drives.reduce((sum, drive) => sum + Math.max(0, Math.min(drive.end, to) - Math.max(drive.start, from)), 0);

/** When the driving since an instant reaches an amount. */
function reaches(drives: readonly Span[], from: number, amount: number): number {
  let left = amount;
  for (const { start, end } of drives.filter((drive) => drive.end > from)) {
    const begin = Math.max(start, from);
    if (end - begin > left) return begin + left;
    left -= end - begin;
  }
  return Number.POSITIVE_INFINITY;
}

/** Articles 6 and 8(1) to 8(5), shift by shift: from a rest of at least 7 hours to the next (Commission decision C(2011) 3759). */
function shifts(activities: readonly Activity[]): Found[] {
  const drives = activities.filter(isDriving);
  const isTeam = activities.some((one) => one["driverCardSlot"] === 2);
  const long = joined(activities, isRest).filter((rest) => length(rest) >= 7 * HOUR);
  const found: Found[] = [];
  const extended = new Map<number, number>();
  let reduced = 0;
  long.slice(1).forEach((rest, index) => {
    const start = long[index]?.end ?? 0;
    const driven = drivenIn(drives, start, rest.start);
    if (driven > 9 * HOUR) {
      const week = mondayOf(reaches(drives, start, 9 * HOUR));
      const days = (extended.get(week) ?? 0) + 1;
      extended.set(week, days);
      const limit = days > 2 ? 9 * HOUR : 10 * HOUR;
      if (driven > limit) found.push({ rule: "dailyDriving", at: reaches(drives, start, limit), actual: driven });
    }
    const due = start + (isTeam ? 30 : 24) * HOUR;
    const isOver = rest.end <= due || rest.start > due - 9 * HOUR || length(rest) >= 9 * HOUR;
    const rested = Math.max(0, Math.min(rest.end, due) - rest.start);
    const isSplit = joined(activities, isRest).some((one) => one.start > start && one.end < rest.start && length(one) >= 3 * HOUR);
    // A daily rest that is extended to a weekly one is not a reduced one (article 8(3)).
    if (length(rest) >= 24 * HOUR) reduced = 0;
    else if (!isTeam && rested < 11 * HOUR && !(isSplit && rested >= 9 * HOUR)) reduced++;
    if (isOver && (rested < 9 * HOUR || (!isTeam && reduced > 3 && rested < 11 * HOUR && !isSplit)))
      found.push({ rule: "dailyRest", at: due, actual: rested });
  });
  return found;
}

/** Articles 6(2) and 6(3). */
function weeks(activities: readonly Activity[], now: number): Found[] {
  const drives = activities.filter(isDriving);
  const found: Found[] = [];
  const first = mondayOf(activities[0]?.start ?? now) + 7 * DAY;
  for (let monday = first; monday < now; monday += 7 * DAY) {
    const week = drivenIn(drives, monday, monday + 7 * DAY);
    const two = week + drivenIn(drives, monday - 7 * DAY, monday);
    if (week > 56 * HOUR) found.push({ rule: "weeklyDriving", at: reaches(drives, monday, 56 * HOUR), actual: week });
    if (monday > first && two > 90 * HOUR) found.push({ rule: "fortnight", at: reaches(drives, monday - 7 * DAY, 90 * HOUR), actual: two });
  }
  return found;
}

/** Article 8(6): begun within six periods of 24 hours of the last; of two in a row, one of 45 hours. */
function weeklyRests(activities: readonly Activity[], now: number): Found[] {
  const rests = joined(activities, isRest).filter((rest) => length(rest) >= 24 * HOUR);
  return rests.flatMap((rest, at) => {
    const next = rests[at + 1];
    const until = next?.start ?? now;
    const late: Found[] = until - rest.end > 6 * DAY ? [{ rule: "weeklyRestLate", at: rest.end + 6 * DAY, actual: until - rest.end }] : [];
    const isShort = next && length(rest) < 45 * HOUR && length(next) < 45 * HOUR && next.end < now;
    return isShort ? [...late, { rule: "weeklyRestShort" as const, at: next.end, actual: length(next) }] : late;
  });
}

const nearestMinute = (time: number) => Math.ceil(time / MINUTE - 0.5) * MINUTE;

/** Judged in the whole minutes that a tachograph records. */
export function brokenBy(world: World, driver: string): Broken[] {
  const activities = activitiesOf(world, driver).map((one) => ({ ...one, start: nearestMinute(one.start), end: nearestMinute(one.end) }));
  const found = [...breaks(activities), ...shifts(activities), ...weeks(activities, world.now), ...weeklyRests(activities, world.now)];
  return found.filter(({ at }) => at < world.now).map((one) => ({ ...one, driver }));
}

/** What the drivers whose names are known broke in a period, in order. */
export const brokenIn = (world: World, [from, to]: readonly [number, number], ...rules: readonly Rule[]) =>
  world.vehicles
    .filter(({ driverId }) => world.activities.has(driverId))
    .flatMap(({ driverName }) => brokenBy(world, driverName))
    .filter(({ rule, at }) => (rules.length === 0 || rules.includes(rule)) && at >= from && at < to)
    .sort((a, b) => a.at - b.at);

/** The rest between the shift that ended last before an instant and the next. */
export function restAround(world: World, driver: string, time: number): Span {
  const rest = joined(activitiesOf(world, driver), isRest).find(({ start, end }) => start <= time && time < end);
  if (!rest) throw new Error(`${driver} did not rest then`);
  return rest;
}
