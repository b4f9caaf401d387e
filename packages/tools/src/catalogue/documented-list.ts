import { type Operation, rowFields } from "@fleetwire/core";
import * as z from "zod";
import { fieldTypes } from "../arguments/tool-input.ts";
import type { Row } from "../results/list-result.ts";
import type { ToolContext } from "../tool.ts";
import { flatRows, valueAt } from "./flatten-rows.ts";
import { placesOf } from "./list-paths.ts";
import { type RowColumns, rowColumns } from "./row-columns.ts";
import type { RowsOf } from "./rows-of.ts";

/** What a person chose for a list, beyond what follows from its operation. */
export interface ChosenRows extends Partial<Pick<RowsOf, "places">> {
  /** Shows a record whose inner list is empty as a row, and says this of it; it is left out otherwise. */
  bareRows?: string;
  /** Said beside every result. */
  notes?: readonly string[];
}

const ZONE = "Times in UTC.";
const WITHHELD = "Whereabouts on private journeys are withheld.";

/** What has to be said of records whatever they are of: the zone of their times, and what is withheld. */
export function notesOn(records: readonly Row[], { hasInstants, guard }: RowColumns, { settings }: ToolContext): string[] {
  const isWithheld = guard !== undefined && settings.privacy !== "off" && records.some((record) => record[guard.field] === guard.withholds);
  return [...(hasInstants ? [ZONE] : []), ...(isWithheld ? [WITHHELD] : [])];
}

/** The rows of an operation as its contract describes them; undefined where it answers with no list. */
export function documentedRows(operation: Operation, chosen: ChosenRows = {}): RowsOf | undefined {
  const { tool, paging } = operation;
  const fields = rowFields(operation);
  if (!tool?.rows || !fields) return undefined;
  const { path, noun, totalNoun, columns: defaultFields } = tool.rows;
  const columns = rowColumns(fields);
  // A service that pages counts the entries of the outermost list.
  const countsRows = paging === undefined || path === paging.items;
  return {
    noun,
    itemTypes: { ...fieldTypes(z.object(fields)), ...Object.fromEntries(columns.beside.map((field) => [field, { type: "string" }])) },
    places: chosen.places ?? placesOf(operation),
    read: (output, context) => {
      const flat = flatRows(output, path, chosen.bareRows !== undefined);
      const total = paging ? valueAt(paging.totalItems, output) : flat.rows.length;
      return {
        flat,
        describe: (rows, asked) => {
          const records = rows.map(({ row }) => row);
          return {
            total: typeof total === "number" && (countsRows || totalNoun) ? total : undefined,
            ...(!countsRows && totalNoun && { totalOf: totalNoun }),
            fields: Object.keys(fields),
            defaultFields,
            columns: columns.shown(context.now()),
            asked,
            notes: [
              ...notesOn(records, columns, context),
              ...(chosen.bareRows !== undefined && rows.some(({ isBare }) => isBare) ? [chosen.bareRows] : []),
              ...(chosen.notes ?? []),
            ],
          };
        },
      };
    },
  };
}
