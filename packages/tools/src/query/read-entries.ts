import type { Operation, RowQuery, ToolRows } from "@fleetwire/core";
import { isRecord, valueAt } from "@fleetwire/core/internal";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { withoutOddEnd } from "../fleet/spans.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import type { ReadPart, Row } from "./list-result.ts";
import { type Announced, announcedIn, pagesOf } from "./read-records.ts";

/** What was read of a list. */
export interface ReadEntries {
  all: readonly Row[];
  /** Vehicles that are listed without any row. */
  bare: number;
  /** Undefined if everything was read. */
  part: ReadPart | undefined;
}

/** How many entries were read for an input, and whether there are more. */
type PartRead = { read: number; more: Announced | undefined };

const ENTRY: Noun = ["entry", "entries"];

const spreadRow = (row: Row, names: readonly string[]): Row => {
  if (names.length === 0) return row;
  const { ...own } = row;
  const inner = names.flatMap((name) => {
    const { [name]: value } = own;
    delete own[name];
    return typeof value === "object" && value !== null ? Object.entries(value) : [];
  });
  return inner.length === 0 ? own : { ...Object.fromEntries(inner), ...own };
};

/** Identifies a row, so that it is recognized on another page; undefined if it may be another row with the same values. */
function identityOf(row: Row, { order, ties, vehicle }: RowQuery): string | undefined {
  const values = [order.replace("-", ""), ...ties].map((field) => row[field]);
  if (!values.includes(undefined)) return JSON.stringify(values);
  return vehicle !== undefined && row[vehicle] !== undefined ? JSON.stringify(row) : undefined;
}

/** Adds up the parts that were read for several inputs. */
function partOf(parts: readonly PartRead[], of: Noun, isFirst: boolean): ReadPart | undefined {
  if (parts.every(({ more }) => more === undefined)) return undefined;
  const totals = parts.map(({ read, more }) => (more ? more.total : read));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const stated = totals.filter((total) => total !== undefined);
  const total = stated.length === totals.length ? sum(stated) : undefined;
  return { of, read: sum(parts.map(({ read }) => read)), total, isFirst };
}

/** Remembers the entry in which a value was first seen. */
class FirstSeen {
  readonly #entries = new Map<unknown, number>();

  /** Whether the value was seen in another entry. */
  isElsewhere(value: unknown, entry: number): boolean {
    if (value === undefined) return false;
    const first = this.#entries.get(value) ?? entry;
    this.#entries.set(value, first);
    return first !== entry;
  }
}

/**
 * Reads a list for each input, from all pages. A row counts once, even if its entry is in the response for several inputs, or moves to another page between two
 * requests.
 */
export async function readEntries(
  operation: Operation,
  { path, noun, totalNoun, spread = [], query }: ToolRows,
  inputs: readonly Readonly<Record<string, unknown>>[],
  context: FleetContext,
): Promise<ReadEntries> {
  const { paging, tool } = operation;
  const { vehicle, active } = query ?? {};
  const [idField = ""] = Object.entries(tool?.names ?? {}).find(([, kind]) => kind === "vehicle") ?? [];
  const nouns = [...noun, ...(totalNoun ?? []), operation.path.slice(operation.path.lastIndexOf("/") + 1)];
  const all: Row[] = [];
  const [withRows, bare] = [new Set<unknown>(), new Set<unknown>()];
  const rowsSeen = new FirstSeen();
  let before = 0;
  const parts: PartRead[] = [];
  for (const input of inputs) {
    const { [idField]: id } = input;
    const entriesSeen = new FirstSeen();
    // A service may list each row in an entry of its own, so an entry repeats another one only if all of its rows do.
    const [repeated, fresh] = [new Set<number>(), [] as number[]];
    let arrived = 0;
    let last: unknown;
    for await (const output of pagesOf(operation, input, context)) {
      const { rows, entries } = flatRows(output, path, vehicle !== undefined);
      await forEachInSlices(rows, ({ row, entry, isBare }) => {
        const at = before + entry;
        const of = vehicle === undefined ? undefined : row[vehicle];
        const own = active ? withoutOddEnd(spreadRow(row, spread), active) : spreadRow(row, spread);
        const identity = paging && query ? identityOf(own, query) : undefined;
        if (entriesSeen.isElsewhere(isBare ? of : identity, at)) repeated.add(at);
        else fresh.push(at);
        // A service may ignore the filter.
        if (typeof id === "string" && of !== undefined && of !== id) return;
        if (isBare) bare.add(of ?? row);
        else if (!rowsSeen.isElsewhere(identity, at)) {
          withRows.add(of);
          all.push(own);
        }
      });
      [arrived, before, last] = [arrived + entries, before + entries, output];
      context.progress(all.length, undefined, pluralize(all.length, noun));
      // The service may have fewer pages than it says.
      if (entries === 0) break;
    }
    for (const at of fresh) repeated.delete(at);
    const read = arrived - repeated.size;
    const total = paging ? valueAt(paging.totalItems, last) : undefined;
    // Some services count the rows.
    const isShort = typeof total === "number" && total > Math.max(read, fresh.length);
    const more = paging ? (isShort ? { total } : undefined) : announcedIn(last, read, nouns);
    parts.push({ read, more });
  }
  const of = totalNoun ?? (path.includes(".") && path !== paging?.items ? ENTRY : noun);
  return {
    all,
    bare: [...bare].filter((id) => !withRows.has(id)).length,
    part: partOf(parts, of, paging === undefined),
  };
}

/** A row of a list. Records may contain their rows in an inner list. */
interface FlatRow {
  row: Row;
  /** The index of the row's entry in the outermost list. */
  entry: number;
  /** Whether the entry has no rows and became a row itself. */
  isBare: boolean;
}

function rowsIn(record: Row, [name, ...rest]: readonly string[]): Row[] {
  if (name === undefined) return [record];
  const { [name]: list, ...around } = record;
  const inner = Array.isArray(list) ? list.filter(isRecord).flatMap((item) => rowsIn(item, rest)) : [];
  return inner.map((row) => ({ ...around, ...row }));
}

/**
 * Returns the rows at a path such as `items.faults`, each with the fields of its parent records. With `keepBare`, an entry whose inner list
 * is empty becomes a row itself. `entries` is the number of entries in the outermost list, which are what the service paginates.
 */
function flatRows(output: unknown, path: string, keepBare: boolean) {
  const names = path === "" ? [] : path.split(".");
  let list = output;
  // Anything alongside the outermost list, such as pagination, is not part of any row.
  while (!Array.isArray(list) && names.length > 0) list = valueAt(names.shift() as string, list);
  const entries = Array.isArray(list) ? list.filter(isRecord) : [];
  const rows = entries.flatMap((record, entry): FlatRow[] => {
    const nested = rowsIn(record, names);
    if (nested.length > 0 || !keepBare) return nested.map((row) => ({ row, entry, isBare: false }));
    const { [names[0] ?? ""]: _, ...bare } = record;
    return [{ row: bare, entry, isBare: true }];
  });
  return { rows, entries: entries.length };
}
