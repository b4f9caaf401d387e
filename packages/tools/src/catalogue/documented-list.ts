import { type Operation, rowFields } from "@fleetwire/core";
import { zoneNote } from "../results/brief-time.ts";
import type { Row } from "../results/list-result.ts";
import type { ToolContext } from "../tool.ts";
import { flatRows, valueAt } from "./flatten-rows.ts";
import { paginationOf } from "./list-pagination.ts";
import { type RowColumns, rowColumns } from "./row-columns.ts";
import type { RowSource } from "./row-source.ts";

/** Additions to the rows that are derived from an operation. */
export interface RowOverrides {
  /** Notes added to every result. */
  notes?: readonly string[];
}

const ZONE = "Times in UTC.";
const WITHHELD = "Whereabouts on private journeys are withheld.";

/** Returns the notes that any records may need: the time zone, and what is withheld. */
export function notesOn(
  records: readonly Row[],
  { hasInstants, guard }: Pick<RowColumns, "hasInstants" | "guard">,
  { settings }: ToolContext,
  zone = ZONE,
): string[] {
  const isWithheld = guard !== undefined && settings.privacy !== "off" && records.some((record) => record[guard.field] === guard.withholds);
  return [...(hasInstants ? [zone] : []), ...(isWithheld ? [WITHHELD] : [])];
}

/** Returns the rows of an operation as the contract describes them; undefined if it returns no list. */
export function documentedRows(operation: Operation, overrides: RowOverrides = {}): RowSource | undefined {
  const { tool, paging } = operation;
  const fields = rowFields(operation);
  if (!tool?.rows || !fields) return undefined;
  const { path, noun, totalNoun, columns: defaultFields } = tool.rows;
  const columns = rowColumns(fields);
  // With pagination, the service's total counts entries of the outermost list.
  const countsRows = paging === undefined || path === paging.items;
  return {
    noun,
    pagination: paginationOf(operation),
    read: (output, context) => {
      const { timeZone } = context.settings;
      const flat = flatRows(output, path);
      const total = paging ? valueAt(paging.totalItems, output) : flat.rows.length;
      return {
        flat,
        describe: (rows, requested) => {
          const records = rows.map(({ row }) => row);
          return {
            total: typeof total === "number" && (countsRows || totalNoun) ? total : undefined,
            ...(!countsRows && totalNoun && { totalOf: totalNoun }),
            fields: Object.keys(fields),
            defaultFields,
            columns: columns.shown(context.now(), timeZone),
            requested,
            notes: [...notesOn(records, columns, context, requested?.length ? ZONE : zoneNote(timeZone)), ...(overrides.notes ?? [])],
          };
        },
      };
    },
  };
}
