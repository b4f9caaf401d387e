import { metadataOf, type Operation } from "@fleetwire/core";
import { rowFields } from "@fleetwire/core/internal";
import type * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { PLACES_WITHHELD } from "../fleet/private-journeys.ts";
import { announcedIn } from "./announced-records.ts";
import { flatRows, valueAt } from "./flatten-rows.ts";
import { paginationOf } from "./list-pagination.ts";
import type { Row } from "./list-result.ts";
import { type RowColumns, rowColumns } from "./row-columns.ts";
import { requestedFields } from "./row-fields.ts";
import type { RowSource } from "./row-source.ts";

/** Additions to the rows that are derived from an operation. */
export interface RowOverrides {
  /** Fields that the tool adds to the rows. */
  moreFields?: Readonly<Record<string, z.ZodType>>;
  /** The fields that are shown by default, if not those of the operation. */
  defaultFields?: readonly string[];
  /** Notes added to every result. */
  notes?: readonly string[];
}

const WITHHELD = "Whereabouts on private journeys are withheld.";

/** Returns a note if whereabouts in the records are withheld. */
export function notesOn(records: readonly Row[], { guard }: Pick<RowColumns, "guard">, { settings }: FleetContext): string[] {
  const isWithheld = guard !== undefined && settings.privacy !== "off" && records.some((record) => record[guard.field] === guard.withholds);
  return isWithheld ? [WITHHELD] : [];
}

/** Says in which rows the places that a model asked for are withheld, and whether they could not be sorted by. */
function placeNotes(records: readonly Row[], { [PLACES_WITHHELD]: unsorted }: Row, asksForPlaces: boolean): string[] {
  const withheld = asksForPlaces ? records.filter((record) => record[PLACES_WITHHELD] !== undefined) : [];
  return [
    ...(withheld.length > 0 ? [`Places withheld in ${withheld.length} of ${records.length}: ${withheld[0]?.[PLACES_WITHHELD]}.`] : []),
    ...(unsorted === undefined ? [] : [`Not sorted by places, which may be withheld: ${unsorted}.`]),
  ];
}

/** Returns the rows of an operation as the contract describes them; undefined if it returns no list. */
export function documentedRows(operation: Operation, overrides: RowOverrides = {}): RowSource | undefined {
  const { tool, paging } = operation;
  const documented = rowFields(operation);
  if (!tool?.rows || !documented) return undefined;
  const fields = { ...documented, ...overrides.moreFields };
  const { path, noun, totalNoun, columns: shownFields } = tool.rows;
  const defaultFields = overrides.defaultFields ?? shownFields;
  const columns = rowColumns(fields);
  const places = new Set(Object.keys(documented).filter((field) => metadataOf(documented[field] as z.ZodType)?.withheld));
  // With pagination, the service's total counts entries of the outermost list.
  const countsRows = paging === undefined || path === paging.items;
  return {
    noun,
    pagination: paginationOf(operation),
    read: (output, input, context) => {
      const flat = flatRows(output, path);
      const stated = paging ? valueAt(paging.totalItems, output) : flat.rows.length;
      const before = paging?.kind === "offset" ? Number(input[paging.skip]) : 0;
      // A total below what has arrived counts something else.
      const total = typeof stated === "number" && (!paging || stated >= before + flat.entries) ? stated : undefined;
      const more = paging
        ? undefined
        : announcedIn(output, flat.entries, [...noun, operation.path.slice(operation.path.lastIndexOf("/") + 1)]);
      return {
        flat,
        describe: (rows, asked) => {
          const records = rows.map(({ row }) => row);
          const { fields: requested, notes } = asked?.length
            ? requestedFields(asked, { fields: Object.keys(fields), shape: fields })
            : { fields: undefined, notes: [] };
          return {
            total: countsRows || totalNoun ? total : undefined,
            part: more && { of: noun, read: flat.rows.length, ...more, isFirst: true },
            ...(!countsRows && totalNoun && { totalOf: totalNoun }),
            fields: Object.keys(fields),
            defaultFields,
            columns: columns.shown(context.now()),
            requested,
            notes: [
              ...notes,
              ...notesOn(records, columns, context),
              ...placeNotes(
                records,
                output as Row,
                (requested ?? defaultFields).some((field) => places.has(field)),
              ),
              ...(overrides.notes ?? []),
            ],
          };
        },
      };
    },
  };
}
