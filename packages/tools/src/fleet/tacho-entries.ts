import type { TachoDriver } from "@fleetwire/core";
import { pluralize } from "../results/pluralize.ts";
import type { ToolContext } from "../tool.ts";

interface TachoQuery {
  startTime: string;
  endTime: string;
  driverKeys?: string[];
  registrations?: string[];
}

// The default and maximum page sizes are undocumented. If the service returns smaller pages, more requests are needed.
const PAGE_SIZE = 200;

/** Returns the entries of all matching drivers from all pages. A driver may occur on several pages. */
export async function tachoEntries(query: TachoQuery, { fleet, callOptions, progress }: ToolContext): Promise<TachoDriver[]> {
  const entries: TachoDriver[] = [];
  for await (const { count, data } of fleet.queryTachoActivity.pages({ ...query, limit: PAGE_SIZE }, callOptions)) {
    entries.push(...data);
    progress(entries.length, count, `${entries.length} of ${pluralize(count, ["driver entry", "driver entries"])}`);
  }
  return entries;
}
