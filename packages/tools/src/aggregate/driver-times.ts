import type { TachoActivity, TachoDriver } from "@fleetwire/core";
import { type Span, type WorkedTime, workedTimes } from "./worked-time.ts";

interface Worker {
  driverName: string | undefined;
  driverId: string | undefined;
  driverKey: string | undefined;
}

/** One driver's time in one activity. */
export type DriverTime = Worker & WorkedTime;

/** Groups activities by driver. A driver's entries may be spread over several pages or two cards. */
function activitiesByDriver(entries: readonly TachoDriver[]): { driver: TachoDriver; activities: TachoActivity[] }[] {
  const drivers = new Map<string | undefined, { driver: TachoDriver; activities: TachoActivity[] }>();
  for (const driver of entries) {
    const key = driver.driverId ?? driver.driverKey;
    const known = drivers.get(key) ?? { driver, activities: [] };
    known.activities.push(...(driver.activities ?? []));
    drivers.set(key, known);
  }
  return [...drivers.values()];
}

/**
 * Adds up time per driver and activity within a window. `names` maps driver ids to names; `unread` counts activities without readable
 * times.
 */
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
