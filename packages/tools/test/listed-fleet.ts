import type { FleetToolResult } from "../src/index.ts";
import { fleetOf } from "./canned-fleet.ts";
import { faultPages, type Script, type ServedFleet, tachoRecords, withItems } from "./served-fleet.ts";

/** The tokens of a result as a host receives it. */
export const tokens = ({ text, structured }: FleetToolResult) =>
  JSON.stringify({ content: [{ type: "text", text }], structuredContent: structured }).length / 4;

interface ListTool {
  tool: string;
  args?: Record<string, unknown>;
  /** The field that identifies a row. */
  key: string;
  /** What a page of 20 of 52 rows begins with. */
  head: string;
  /** A fleet with the given number of rows, and the keys of all of them. */
  serve: (rows: number) => { script: Script; keys: string[] };
}

const count = (rows: number) => Array.from({ length: rows }, (_, index) => index);

/** Distributes rows to parents with 1, 2, 3, 0, 1, 2, ... rows. */
function dealt(rows: number): number[][] {
  const parents: number[][] = [];
  for (let next = 0, size = 1; next < rows; size = (size + 1) % 4) {
    parents.push(count(Math.min(size, rows - next)).map((index) => next + index));
    next += parents.at(-1)?.length ?? 0;
  }
  return parents;
}

const TIMES = { startTime: "2026-11-19T00:00:00Z", endTime: "2026-11-20T00:00:00Z" };

/** Every list tool, with a service that has the given number of rows. */
export const LIST_TOOLS: ListTool[] = [
  {
    ...{ tool: "list_live_positions", key: "assetName", head: "20 of 52 vehicles." },
    serve: (rows) => {
      const body = JSON.stringify(fleetOf(rows));
      return { script: { listLivePositions: () => ({ body }) }, keys: count(rows).map((index) => `Truck ${index + 1}`) };
    },
  },
  {
    ...{ tool: "list_vehicle_faults", key: "code", head: "20 of 52 faults; all 52 are of 27 vehicles." },
    serve: (rows) => {
      const fault = (at: number) => ({ code: `P${at}`, description: "Glow plug", inProgress: at % 2 === 0 });
      const vehicles = dealt(rows).filter((faults) => faults.length > 0);
      const items = vehicles.map((faults, index) => ({ id: `v${index}`, faults: faults.map(fault) }));
      return { script: faultPages(items), keys: count(rows).map((index) => `P${index}`) };
    },
  },
  {
    ...{ tool: "query_tacho_activity", args: TIMES, key: "vehicleFriendlyName", head: "20 of 52 activities." },
    serve: (rows) => {
      const activity = (at: number) => ({ vehicleFriendlyName: `a${at}`, startTime: "2026-11-19T06:02:00Z" });
      const drivers = dealt(rows).map((own, index) => ({ driverId: `p${index}`, activities: own.map(activity) }));
      return { script: tachoRecords(drivers), keys: count(rows).map((index) => `a${index}`) };
    },
  },
  {
    ...{ tool: "list_jobs", key: "jobNumber", head: "20 of 52 jobs." },
    serve: (rows) => {
      const jobs = count(rows).map((index) => ({ jobNumber: `FW-${index}`, jobTitle: "Deliver", status: "NEW" }));
      return { script: { listJobs: () => ({ body: { jobs, page: 1 } }) }, keys: jobs.map(({ jobNumber }) => jobNumber) };
    },
  },
];

interface ReadList {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  items: any[];
  calls: number;
  largest: number;
  notes: string[];
}

/** Follows a list's cursors to the end, checking that text and record agree. */
export async function readAllPages({ call }: ServedFleet, tool: string, args: Record<string, unknown>): Promise<ReadList> {
  const list: ReadList = { items: [], calls: 0, largest: 0, notes: [] };
  for (let cursor: string | undefined; list.calls < 2_000; ) {
    const result = await call(tool, { ...args, ...(cursor !== undefined && { cursor }) });
    if (!result.ok) throw new Error(result.text);
    const { items, next, returned, note = "" } = withItems(result.structured);
    const lines = result.text.split("\n").slice(1, next === undefined ? undefined : -1);
    if (returned !== items.length) throw new Error(`returned says ${returned} of ${items.length} items`);
    if (lines.length !== (items.length > 0 ? items.length + 1 : 0))
      throw new Error(`${items.length} items are ${lines.length} lines:\n${result.text}`);
    if (next !== undefined && !result.text.includes(`"${next}"`)) throw new Error("the text lacks the cursor");
    // The note in the text and the record must agree, except for the cursor.
    const expected = note.replace(/^More: repeat this call with next as cursor\. ?/, "");
    if ((expected !== note) !== (next !== undefined)) throw new Error("the note does not mention the remaining rows");
    if (!result.text.split("\n")[0]?.includes(expected)) throw new Error("the text lacks the note");
    list.items.push(...items);
    list.calls++;
    list.largest = Math.max(list.largest, tokens(result));
    list.notes.push(expected);
    if (next === undefined) return list;
    if (next === cursor) throw new Error("the cursor does not move");
    cursor = next;
  }
  throw new Error("no last page");
}
