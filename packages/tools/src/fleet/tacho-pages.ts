import type { TachoActivity, TachoDriver } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { TimeSlices } from "../runtime/time-slices.ts";
import { pluralize } from "../text/pluralize.ts";
import type { FleetContext } from "./fleet-context.ts";

export interface TachoPeriod {
  startTime: string;
  endTime: string;
}

export interface TachoQuery extends TachoPeriod {
  driverKeys?: string[];
  registrations?: string[];
}

// The default and maximum page sizes are undocumented. If the service returns smaller pages, more requests are needed.
const PAGE_SIZE = { min: 10, max: 200 };
/** Reading a page of so many drivers' days takes no longer than a server may be blocked. */
const PAGE_DAYS = 280;

const DAY = 24 * 3_600_000;

function pageSize({ startTime, endTime }: TachoPeriod): number {
  const days = ((parseDateTime(endTime) ?? 0) - (parseDateTime(startTime) ?? 0)) / DAY;
  return Math.max(PAGE_SIZE.min, Math.min(PAGE_SIZE.max, Math.floor(PAGE_DAYS / Math.max(1, days))));
}

/** Formats a period for the service: UTC, to the second, without a suffix. */
export const tachoPeriod = (start: number, end: number): TachoPeriod => {
  const wire = (instant: number) => new Date(instant).toISOString().slice(0, 19);
  return { startTime: wire(start), endTime: wire(end) };
};

/** Longer periods are split: the interface states no maximum, but services are likely to have one. */
const LONGEST = 31 * DAY;

/** Splits a period into those that a service is likely to accept. */
function requestedPeriods({ startTime, endTime }: TachoPeriod): TachoPeriod[] {
  const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
  if (start === undefined || end === undefined || end - start <= LONGEST) return [{ startTime, endTime }];
  const starts = Array.from({ length: Math.ceil((end - start) / LONGEST) }, (_, at) => start + at * LONGEST);
  return starts.map((from) => tachoPeriod(from, Math.min(end, from + LONGEST)));
}

/** Returns the entries of all matching drivers from all pages. A driver may occur on several pages. */
export async function tachoEntries(query: TachoQuery, { fleet, callOptions, progress }: FleetContext): Promise<TachoDriver[]> {
  const periods = requestedPeriods(query);
  const byPeriod: TachoDriver[][] = [];
  let read = 0;
  for (const period of periods) {
    const entries: TachoDriver[] = [];
    byPeriod.push(entries);
    for await (const { count, data } of fleet.queryTachoActivity.pages({ ...query, ...period, limit: pageSize(period) }, callOptions)) {
      entries.push(...data);
      read += data.length;
      progress(read, count * periods.length, `${read} of ${pluralize(count * periods.length, ["driver entry", "driver entries"])}`);
    }
  }
  return byPeriod.length === 1 ? (byPeriod[0] ?? []) : withoutRepeated(byPeriod);
}

/** Removes the activities that several of these periods contain, because they last from one into the next. */
async function withoutRepeated(byPeriod: readonly TachoDriver[][]): Promise<TachoDriver[]> {
  const seen = new Map<string, readonly TachoDriver[]>();
  const kept: TachoDriver[] = [];
  const slices = new TimeSlices();
  for (const entries of byPeriod)
    for (const entry of entries) {
      const activities: TachoActivity[] = [];
      await slices.each(entry.activities ?? [], (one) => {
        const key = `${entry.driverId}\n${entry.driverKey}\n${one.assetId}\n${one.startTime}\n${one.endTime}\n${one.activity}`;
        // What one period contains twice was recorded twice.
        if ((seen.get(key) ?? entries) !== entries) return;
        seen.set(key, entries);
        activities.push(one);
      });
      kept.push({ ...entry, ...(entry.activities && { activities }) });
    }
  return kept;
}
