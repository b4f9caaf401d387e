import { isRecord } from "@fleetwire/core";
import type { Row } from "../results/list-result.ts";

/** A row of a list of records, some of which hold the rows in lists of their own. */
export interface FlatRow {
  row: Row;
  /** Which entry of the outermost list it comes from. */
  entry: number;
  /** Whether its entry holds no row, and stands for itself. */
  isBare: boolean;
}

/** The rows of a response. */
export interface FlatRows {
  rows: FlatRow[];
  /** Entries of the outermost list, by which the service pages. */
  entries: number;
}

/** What stands at a path, its names joined by full stops. */
export const valueAt = (path: string, output: unknown): unknown =>
  path.split(".").reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), output);

function rowsIn(record: Row, [name, ...rest]: readonly string[]): Row[] {
  if (name === undefined) return [record];
  const { [name]: list, ...around } = record;
  const inner = Array.isArray(list) ? list.filter(isRecord).flatMap((item) => rowsIn(item, rest)) : [];
  return inner.map((row) => ({ ...around, ...row }));
}

/**
 * The rows at a path such as `items.faults`: each has the fields of the records around it. With `keepBare` a record whose inner list is empty is a row
 * of its own.
 */
export function flatRows(output: unknown, path: string, keepBare = false): FlatRows {
  const names = path === "" ? [] : path.split(".");
  let list = output;
  // What stands around the first list, such as its pagination, belongs to no row.
  while (!Array.isArray(list) && names.length > 0) list = valueAt(names.shift() as string, list);
  const entries = Array.isArray(list) ? list.filter(isRecord) : [];
  const rows = entries.flatMap((record, entry): FlatRow[] => {
    const own = rowsIn(record, names);
    if (own.length > 0 || !keepBare) return own.map((row) => ({ row, entry, isBare: false }));
    const { [names[0] ?? ""]: _, ...bare } = record;
    return [{ row: bare, entry, isBare: true }];
  });
  return { rows, entries: entries.length };
}
