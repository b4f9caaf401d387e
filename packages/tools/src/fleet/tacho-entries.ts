import type { TachoDriver } from "@fleetwire/core";
import { counted } from "../results/count-words.ts";
import type { ToolContext } from "../tool.ts";

interface TachoQuery {
  startTime: string;
  endTime: string;
  driverKeys?: string[];
  registrations?: string[];
}

// Default and maximum are not documented; a service that gives fewer is asked more often.
const PAGE = 200;

/** The entries of all drivers that a query finds, from all pages. One driver may be in several. */
export async function tachoEntries(query: TachoQuery, { fleet, callOptions, progress }: ToolContext): Promise<TachoDriver[]> {
  const entries: TachoDriver[] = [];
  for await (const { count, data } of fleet.queryTachoActivity.pages({ ...query, limit: PAGE }, callOptions)) {
    entries.push(...data);
    progress(entries.length, count, `${entries.length} of ${counted(count, ["driver entry", "driver entries"])}`);
  }
  return entries;
}
