import type { TachoActivity, TachoDriver } from "@fleetwire/core";
import { type Span, type WorkedTime, workedTimes } from "./worked-time.ts";

interface Worker {
  driverName: string | undefined;
  driverId: string | undefined;
  driverKey: string | undefined;
}

/** The time of one driver in one activity. */
export type DriverTime = Worker & WorkedTime;

/** Activities by driver; one who is split over pages or has two cards is one. */
function activitiesByDriver(entries: readonly TachoDriver[]): { driver: TachoDriver; activities: TachoActivity[] }[] {
  const drivers = new Map<string, { driver: TachoDriver; activities: TachoActivity[] }>();
  for (const driver of entries) {
    const key = driver.driverId ?? driver.driverKey ?? "";
    const known = drivers.get(key) ?? { driver, activities: [] };
    known.activities.push(...(driver.activities ?? []));
    drivers.set(key, known);
  }
  return [...drivers.values()];
}

/** The time of each driver by activity within a window, with names by driver id; `unread` counts activities whose times are missing or unreadable. */
export function driverTimes(
  entries: readonly TachoDriver[],
  names: ReadonlyMap<string | undefined, string | undefined>,
  window: Span,
  now: number,
): { times: DriverTime[]; unread: number } {
  let unread = 0;
  const times = activitiesByDriver(entries).flatMap(({ driver: { driverId, driverKey }, activities }) => {
    const driverName = driverId === undefined ? undefined : names.get(driverId);
    const worked = workedTimes(activities, window, now);
    unread += worked.unread;
    return worked.times.map((time) => ({ driverName, driverId, driverKey, ...time }));
  });
  return { times, unread };
}
