import { operations, type TachoDriver } from "@fleetwire/core";
import type { Driver } from "../names/fleet-names.ts";
import { compact } from "../names/spelling.ts";
import { pluralize } from "../results/pluralize.ts";
import type { ToolContext } from "../tool.ts";

export interface TachoPeriod {
  startTime: string;
  endTime: string;
}

interface TachoQuery extends TachoPeriod {
  driverKeys?: string[];
  registrations?: string[];
}

// The default and maximum page sizes are undocumented. If the service returns smaller pages, more requests are needed.
const PAGE_SIZE = 200;

const DRIVER_KEYS = operations.queryTachoActivity.body?.["driverKeys"];

/** Formats a period for the service: UTC, to the second, without a suffix. */
export const tachoPeriod = (start: number, end: number): TachoPeriod => {
  const wire = (instant: number) => new Date(instant).toISOString().slice(0, 19);
  return { startTime: wire(start), endTime: wire(end) };
};

/** Returns the entries of all matching drivers from all pages. A driver may occur on several pages. */
export async function tachoEntries(query: TachoQuery, { fleet, callOptions, progress }: ToolContext): Promise<TachoDriver[]> {
  const entries: TachoDriver[] = [];
  for await (const { count, data } of fleet.queryTachoActivity.pages({ ...query, limit: PAGE_SIZE }, callOptions)) {
    entries.push(...data);
    progress(entries.length, count, `${entries.length} of ${pluralize(count, ["driver entry", "driver entries"])}`);
  }
  return entries;
}

/** Returns the entries without the activities in vehicles other than the one with this registration. Entries with nothing left are dropped. */
export const inVehicle = (entries: readonly TachoDriver[], registration: string): TachoDriver[] =>
  entries.flatMap(({ activities = [], ...entry }) => {
    const inIt = activities.filter(({ assetRegistration = registration }) => compact(assetRegistration) === compact(registration));
    return inIt.length > 0 ? [{ ...entry, activities: inIt }] : [];
  });

/** With more drivers than this, everyone's entries are read, because a request that names them all would be very long. */
const MAX_NAMED = 100;

interface DriverKeys {
  keys: ReadonlySet<string>;
  /** Whether the service accepts them as a filter: a key may be missing or malformed. */
  areUsable: boolean;
}

/**
 * Returns the driver keys of some drivers, which live positions do not have. They are read from the entries of the drivers' current vehicles
 * and, for drivers who are not found there, from everyone's entries in `search`.
 */
export async function driverKeysOf(
  drivers: readonly Driver[],
  period: TachoPeriod,
  search: TachoPeriod,
  context: ToolContext,
): Promise<DriverKeys> {
  const ids = new Set(drivers.flatMap(({ driverId }) => driverId ?? []));
  const isTheirs = ({ driverId }: TachoDriver) => driverId !== undefined && ids.has(driverId);
  const registrations = [
    ...new Set(drivers.flatMap(({ vehicles }) => vehicles.flatMap(({ assetRegistration }) => assetRegistration ?? []))),
  ];
  const near = registrations.length === 0 ? [] : (await tachoEntries({ ...period, registrations }, context)).filter(isTheirs);
  const found = new Set(near.map(({ driverId }) => driverId));
  const elsewhere = found.size < ids.size ? (await tachoEntries(search, context)).filter(isTheirs) : [];
  const theirs = [...near, ...elsewhere];
  return {
    keys: new Set(theirs.flatMap(({ driverKey }) => driverKey ?? [])),
    areUsable: theirs.every(({ driverKey }) => DRIVER_KEYS?.safeParse([driverKey]).success),
  };
}

/** Returns the entries of some drivers. See {@link driverKeysOf} for `search`. */
export async function entriesOf(
  drivers: readonly Driver[],
  period: TachoPeriod,
  search: TachoPeriod,
  context: ToolContext,
): Promise<TachoDriver[]> {
  const ids = new Set(drivers.flatMap(({ driverId }) => driverId ?? []));
  if (ids.size === 0) return [];
  const { keys, areUsable } =
    ids.size > MAX_NAMED ? { keys: new Set<string>(), areUsable: false } : await driverKeysOf(drivers, period, search, context);
  if (areUsable && keys.size === 0) return [];
  const all = await tachoEntries({ ...period, ...(areUsable && { driverKeys: [...keys] }) }, context);
  return all.filter(
    ({ driverId, driverKey }) => (driverId !== undefined && ids.has(driverId)) || (driverKey !== undefined && keys.has(driverKey)),
  );
}
