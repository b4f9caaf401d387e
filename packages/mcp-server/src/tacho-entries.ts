import { FleetError, type TachoDriver } from "@fleetwire/core";
import type { ToolContext } from "./tool.ts";

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
  let before = "";
  for (;;) {
    const { count, data } = await fleet.queryTachoActivity({ ...query, skip: entries.length, limit: PAGE }, callOptions);
    const page = JSON.stringify(data);
    if (data.length > 0 && page === before) {
      throw new FleetError("contract", "queryTachoActivity: the service gave the same page twice", {
        advice: "Tell the person: activities cannot be added up while pages repeat",
      });
    }
    before = page;
    entries.push(...data);
    progress(entries.length, count, `${entries.length} of ${count} driver entries`);
    if (data.length === 0 || entries.length >= count) return entries;
  }
}
