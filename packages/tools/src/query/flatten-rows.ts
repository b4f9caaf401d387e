import { isRecord, valueAt } from "@fleetwire/core/internal";
import type { Row } from "./list-result.ts";

/** A row of a list. Records may contain their rows in an inner list. */
interface FlatRow {
  row: Row;
  /** The index of the row's entry in the outermost list. */
  entry: number;
  /** Whether the entry has no rows and became a row itself. */
  isBare: boolean;
}

export interface FlatRows {
  rows: FlatRow[];
  /** The number of entries in the outermost list, which are what the service paginates. */
  entries: number;
}

function rowsIn(record: Row, [name, ...rest]: readonly string[]): Row[] {
  if (name === undefined) return [record];
  const { [name]: list, ...around } = record;
  const inner = Array.isArray(list) ? list.filter(isRecord).flatMap((item) => rowsIn(item, rest)) : [];
  return inner.map((row) => ({ ...around, ...row }));
}

/**
 * Returns the rows at a path such as `items.faults`, each with the fields of its parent records. With `keepBare`, an entry whose inner list
 * is empty becomes a row itself.
 */
export function flatRows(output: unknown, path: string, keepBare = false): FlatRows {
  const names = path === "" ? [] : path.split(".");
  let list = output;
  // Anything alongside the outermost list, such as pagination, is not part of any row.
  while (!Array.isArray(list) && names.length > 0) list = valueAt([names.shift() as string], list);
  const entries = Array.isArray(list) ? list.filter(isRecord) : [];
  const rows = entries.flatMap((record, entry): FlatRow[] => {
    const nested = rowsIn(record, names);
    if (nested.length > 0 || !keepBare) return nested.map((row) => ({ row, entry, isBare: false }));
    const { [names[0] ?? ""]: _, ...bare } = record;
    return [{ row: bare, entry, isBare: true }];
  });
  return { rows, entries: entries.length };
}
