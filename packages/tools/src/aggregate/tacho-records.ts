import type { TachoActivity, TachoDriver } from "@fleetwire/core";

/** What a tachograph recorded of one driver. */
export interface TachoRecord {
  driverId: string | undefined;
  driverKey: string | undefined;
  activities: TachoActivity[];
}

/** Joins the entries of each driver, which may be spread over several pages or two cards. */
export function recordsByDriver(entries: readonly TachoDriver[]): TachoRecord[] {
  const records = new Map<string | undefined, TachoRecord>();
  for (const { driverId, driverKey, activities = [] } of entries) {
    const key = driverId ?? driverKey;
    const known = records.get(key);
    if (known) known.activities.push(...activities);
    else records.set(key, { driverId, driverKey, activities: [...activities] });
  }
  return [...records.values()];
}
