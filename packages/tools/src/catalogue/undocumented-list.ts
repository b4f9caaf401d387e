import { isRecord, type Operation } from "@fleetwire/core";
import * as z from "zod";
import { cell, singleLine } from "../results/clip-values.ts";
import type { Row } from "../results/list-result.ts";
import { quotation } from "../results/quotation.ts";
import { wholeListPagination } from "./list-pagination.ts";
import type { RowSource } from "./row-source.ts";

/**
 * Finds the records in a response of unknown shape: the response itself if it is a list, otherwise the list named like the last segment of
 * the path, or the only list. A response without such a list is a single record. Also returns the values alongside the list.
 */
function findRecords(response: unknown, path: string): { records: Row[]; rest: Row } {
  const asRows = (list: readonly unknown[]) => list.map((item) => (isRecord(item) ? item : { value: item }));
  if (Array.isArray(response)) return { records: asRows(response), rest: {} };
  if (!isRecord(response)) return { records: [{ value: response }], rest: {} };
  const lists = Object.keys(response).filter((name) => Array.isArray(response[name]));
  const named = lists.find((name) => path.endsWith(`/${name}`)) ?? (lists.length === 1 ? lists[0] : undefined);
  if (named === undefined) return { records: [response], rest: {} };
  const { [named]: list, ...rest } = response;
  return { records: asRows(list as unknown[]), rest };
}

const DEFAULT_COLUMNS = 8;
const MAX_FIELDS_NAMED = 60;
const MAX_REMARKS = 4;

/** Returns notes on the values alongside the list. The values are quoted, because they come from the service. */
function remarksOn(rest: Row): string[] {
  const remarks = Object.entries(rest).map(
    ([name, value]) => `${singleLine(name, 64)}: ${Array.isArray(value) ? `a list of ${value.length}` : cell(value)}`,
  );
  const more = remarks.length - MAX_REMARKS;
  return [
    ...(more > 0 ? [`Values alongside the list that are not shown: ${more}.`] : []),
    ...(remarks.length > 0 ? [`Alongside the list: ${quotation(remarks.slice(0, MAX_REMARKS).join("; "), 600)}`] : []),
  ];
}

function namesOf(known: readonly string[]): string {
  const some = known.length > MAX_FIELDS_NAMED ? ` (${MAX_FIELDS_NAMED} of ${known.length})` : "";
  return `Fields${some}: ${quotation(known.slice(0, MAX_FIELDS_NAMED).join(", "), 600)}`;
}

/** Schema for the query parameters of an operation. Errors show models the expected format. */
function queryRecord({ query: { query } }: Operation): z.ZodType {
  const { valueType } = (query as z.ZodOptional<z.ZodRecord>).unwrap();
  return z.record(z.string().min(1), valueType as z.ZodType, "must look like status=NEW&limit=5").optional();
}

/** Returns the rows of an endpoint of which only the path is documented. They are passed through, within the limits of every list. */
export function undocumentedRows(operation: Operation): RowSource {
  const takesQuery = operation.query["query"] !== undefined;
  return {
    // OpenAI's strict mode and Gemini do not support maps; repair-arguments.ts parses the query string.
    ...(takesQuery && {
      arguments: { query: z.string().optional().describe("As in a URL: status=NEW&limit=5") },
      accepts: { query: queryRecord(operation) },
    }),
    noun: ["record", "records"],
    itemTypes: {},
    pagination: wholeListPagination,
    read: (output) => {
      const { records, rest } = findRecords(output, operation.path);
      // A larger number alongside the list suggests that this response does not contain all records.
      const more = Object.values(rest).find((value) => Number.isInteger(value) && Number(value) > records.length);
      const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
      return {
        flat: { rows: records.map((row, entry) => ({ row, entry, isBare: false })), entries: records.length },
        describe: (rows, requested) => {
          const plain = known.filter((field) => rows.some(({ row }) => row[field] !== undefined && typeof row[field] !== "object"));
          const defaultFields = (plain.length > 0 ? plain : known).slice(0, DEFAULT_COLUMNS);
          return {
            total: more === undefined ? records.length : undefined,
            fields: known,
            defaultFields,
            // If there are no records, field names are unknown, so none can be rejected.
            requested: records.length > 0 ? requested : undefined,
            notes: [
              "Undocumented fields, as returned by the service.",
              ...(more === undefined
                ? []
                : [`A count alongside the list says ${more}, but the list has ${records.length}: request the rest with query.`]),
              ...(requested?.length || known.length === defaultFields.length ? [] : [namesOf(known)]),
              ...remarksOn(rest),
            ],
          };
        },
      };
    },
  };
}
