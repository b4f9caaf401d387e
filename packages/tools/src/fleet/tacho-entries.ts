import type { TachoDriver } from "@fleetwire/core";
import { pluralize } from "../results/pluralize.ts";
import type { ToolContext } from "../tool.ts";

interface TachoQuery {
  startTime: string;
  endTime: string;
  driverKeys?: string[];
  registrations?: string[];
}

// Default and maximum are not documented; a service that gives fewer is asked more often.
const PAGE_SIZE = 200;

/** The entries of all drivers that a query finds, from all pages. One driver may be in several. */
export async function tachoEntries(query: TachoQuery, { fleet, callOptions, progress }: ToolContext): Promise<TachoDriver[]> {
  const entries: TachoDriver[] = [];
  for await (const { count, data } of fleet.queryTachoActivity.pages({ ...query, limit: PAGE_SIZE }, callOptions)) {
    entries.push(...data);
    progress(entries.length, count, `${entries.length} of ${pluralize(count, ["driver entry", "driver entries"])}`);
  }
  return entries;
}
