import { driving } from "./ask.ts";
import { isIn, type Period, week } from "./days.ts";
import { type Activity, HOUR, MINUTE, type World } from "./world.ts";

/** The tachograph activities of the one driver with this name, in order. What was sent again when it had grown counts once. */
export function activitiesOf(world: World, driver: string): Activity[] {
  const found = world.activities.get(driving(world, driver)["driverId"]);
  if (!found) throw new Error(`${driver} has no tachograph activities in this world`);
  const sorted = found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return sorted.filter(({ start, activity }, at) => sorted[at + 1]?.start !== start || sorted[at + 1]?.activity !== activity);
}

/** Seconds of one kind of activity within a period. */
export const seconds = (activities: readonly Activity[], kind: string, [start, end]: Period) =>
  activities
    .filter(({ activity }) => activity === kind)
    .reduce((sum, one) => sum + Math.max(0, Math.min(one.end, end) - Math.max(one.start, start)), 0) / 1000;

export const drivingIn = (world: World, driver: string, period: Period) => seconds(activitiesOf(world, driver), "DRIVING", period);

/** Drivers with a tachograph in a group, by driving time in a period, longest first. */
export const ranking = (world: World, period: Period, group?: string) =>
  world.vehicles
    .filter((one) => world.activities.has(one["driverId"]) && (!group || one["assetGroupName"] === group))
    .map((one) => ({ driver: one["driverName"] as string, driving: drivingIn(world, one["driverName"], period) }))
    .sort((a, b) => b.driving - a.driving);

export function shiftStart(world: World, driver: string, period: Period): number {
  const found = activitiesOf(world, driver).filter(({ isStartOfShift, start }) => isStartOfShift && isIn(start, period));
  if (found.length !== 1 || !found[0]) throw new Error(`${driver} did not begin one shift then`);
  return found[0].start;
}

export function shiftEnd(world: World, driver: string, period: Period): number {
  const found = activitiesOf(world, driver).filter(({ isEndOfShift, end }) => isEndOfShift && isIn(end, period));
  if (found.length !== 1 || !found[0]) throw new Error(`${driver} did not end one shift then`);
  return found[0].end;
}

const length = ({ start, end }: Activity) => end - start;

/** Stretches of rest, with adjoining entries joined. */
export function rests(activities: readonly Activity[]): Activity[] {
  const joined: Activity[] = [];
  for (const one of activities.filter(({ activity }) => activity === "REST")) {
    const last = joined.at(-1);
    if (last && one.start - last.end <= MINUTE) joined[joined.length - 1] = { ...last, end: one.end };
    else joined.push(one);
  }
  return joined;
}

export interface Hours {
  /** All in seconds. */
  sinceBreak: number;
  untilBreak: number;
  today: number;
  /** Of 9 hours and of 10. */
  leftToday: [number, number];
  week: number;
  leftThisWeek: number;
  fortnight: number;
  leftThisFortnight: number;
  /** Since the last shift ended, or 0 during one. */
  rested: number;
}

/** Regulation (EC) 561/2006, articles 6 to 8, as far as a question needs it; availability is no break. */
export function hours(world: World, driver: string): Hours {
  const activities = activitiesOf(world, driver);
  const { now } = world;
  const daily = rests(activities).filter((rest) => length(rest) >= 9 * HOUR);
  const current = rests(activities).find(({ inProgress }) => inProgress);
  const dayStart = daily.at(-1)?.end ?? 0;
  let breakEnd = dayStart;
  let first: Activity | undefined;
  for (const rest of rests(activities).filter(({ start }) => start >= dayStart)) {
    if (length(rest) >= 45 * MINUTE || (first && length(rest) >= 30 * MINUTE)) {
      breakEnd = rest.end;
      first = undefined;
    } else if (length(rest) >= 15 * MINUTE) first ??= rest;
  }
  const [monday] = week(now);
  const driven = (from: number) => seconds(activities, "DRIVING", [from, now]);
  const lastShift = activities.findLast(({ isEndOfShift }) => isEndOfShift)?.end ?? 0;
  const working = activities.some(({ isStartOfShift, start }) => isStartOfShift && start >= lastShift);
  const [sinceBreak, today, thisWeek, fortnight] = [driven(breakEnd), driven(dayStart), driven(monday), driven(week(monday - HOUR)[0])];
  const left = (limit: number, used: number) => Math.max(0, limit * 3600 - used);
  return {
    sinceBreak,
    untilBreak: left(4.5, sinceBreak),
    today,
    leftToday: [left(9, today), left(10, today)],
    week: thisWeek,
    leftThisWeek: left(56, thisWeek),
    fortnight,
    leftThisFortnight: left(90, fortnight),
    rested: working || !current ? 0 : (now - lastShift) / 1000,
  };
}
