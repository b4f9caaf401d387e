import { type TachoActivity, type TachoDriver, TachoSort } from "@fleetwire/core";

export type SortKey = keyof TachoSort;

/** The sort keys (interface 4.5). */
export const SORT_KEYS = Object.keys(TachoSort.shape) as SortKey[];

export type Direction = "ASC" | "DESC";
export type Order = readonly (readonly [SortKey, Direction])[];

type Value = string | number | boolean | undefined;

/** Absent values sort last in both directions. */
function compare(one: Value, other: Value, direction: Direction): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  return (one < other ? -1 : 1) * (direction === "ASC" ? 1 : -1);
}

const ACTIVITY = "activities.";

export function sortsByActivity(order: Order): boolean {
  return order.some(([key]) => key.startsWith(ACTIVITY));
}

const ofActivity = (activity: TachoActivity | undefined, key: SortKey) => activity?.[key.slice(ACTIVITY.length) as keyof TachoActivity];

const ofDriver = (driver: TachoDriver, key: SortKey) =>
  key.startsWith(ACTIVITY) ? ofActivity(driver.activities?.[0], key) : driver[key as "driverId" | "driverKey"];

/** Sorts each driver's activities, then the drivers. When sorted by activity fields, drivers are ranked by their first activity (chosen). */
export function sorted(drivers: readonly TachoDriver[], order: Order): TachoDriver[] {
  const byActivity = order.filter(([key]) => key.startsWith(ACTIVITY));
  const inside = drivers.map((driver) => ({
    ...driver,
    activities: (driver.activities ?? []).toSorted((one, other) => {
      for (const [key, direction] of byActivity) {
        const result = compare(ofActivity(one, key), ofActivity(other, key), direction);
        if (result !== 0) return result;
      }
      return 0;
    }),
  }));
  return inside.toSorted((one, other) => {
    for (const [key, direction] of order) {
      const result = compare(ofDriver(one, key), ofDriver(other, key), direction);
      if (result !== 0) return result;
    }
    return 0;
  });
}
