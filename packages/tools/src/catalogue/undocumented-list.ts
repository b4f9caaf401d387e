import { isRecord, type Operation } from "@fleetwire/core";
import * as z from "zod";
import { cell, singleLine } from "../results/clip-values.ts";
import type { Row } from "../results/list-result.ts";
import { quotation } from "../results/quotation.ts";
import { wholeListPagination } from "./list-pagination.ts";
import type { RowSource } from "./row-source.ts";

/** The records in an answer of unknown shape, and what stands beside them: the answer itself, the list that the path names, its only list, or the whole. */
function recordsIn(answer: unknown, path: string): { records: Row[]; beside: Row } {
  const asRows = (list: readonly unknown[]) => list.map((item) => (isRecord(item) ? item : { value: item }));
  if (Array.isArray(answer)) return { records: asRows(answer), beside: {} };
  if (!isRecord(answer)) return { records: [{ value: answer }], beside: {} };
  const lists = Object.keys(answer).filter((name) => Array.isArray(answer[name]));
  const named = lists.find((name) => path.endsWith(`/${name}`)) ?? (lists.length === 1 ? lists[0] : undefined);
  if (named === undefined) return { records: [answer], beside: {} };
  const { [named]: list, ...beside } = answer;
  return { records: asRows(list as unknown[]), beside };
}

const DEFAULT_COLUMNS = 8;
const MAX_FIELDS_NAMED = 60;
const MAX_REMARKS = 4;

/** What stands beside the list; how much of it is not shown is our own sentence, the rest the service's words. */
function remarksOn(beside: Row): string[] {
  const remarks = Object.entries(beside).map(
    ([name, value]) => `${singleLine(name, 64)}: ${Array.isArray(value) ? `a list of ${value.length}` : cell(value)}`,
  );
  const more = remarks.length - MAX_REMARKS;
  return [
    ...(more > 0 ? [`Values beside the list that are not shown: ${more}.`] : []),
    ...(remarks.length > 0 ? [`Beside the list: ${quotation(remarks.slice(0, MAX_REMARKS).join("; "), 600)}`] : []),
  ];
}

function namesOf(known: readonly string[]): string {
  const some = known.length > MAX_FIELDS_NAMED ? ` (${MAX_FIELDS_NAMED} of ${known.length})` : "";
  return `Fields${some}: ${quotation(known.slice(0, MAX_FIELDS_NAMED).join(", "), 600)}`;
}

/** The query parameters as the operation takes them; a text that is none of them is text of the form that a model sees. */
function queryRecord({ query: { query } }: Operation): z.ZodType {
  const { valueType } = (query as z.ZodOptional<z.ZodRecord>).unwrap();
  return z.record(z.string().min(1), valueType as z.ZodType, "must be of the form status=NEW&limit=5").optional();
}

/** The rows of an endpoint of which only the path is documented: as they come, within the same limits as every list. */
export function undocumentedRows(operation: Operation): RowSource {
  const takesQuery = operation.query["query"] !== undefined;
  return {
    // A map is of no form that OpenAI's strict mode and Gemini take; what is written as in a URL is read by repair-arguments.ts.
    ...(takesQuery && {
      arguments: { query: z.string().optional().describe("As in a URL: status=NEW&limit=5") },
      accepts: { query: queryRecord(operation) },
    }),
    noun: ["record", "records"],
    itemTypes: {},
    pagination: wholeListPagination,
    read: (output) => {
      const { records, beside } = recordsIn(output, operation.path);
      // A count beside the list that exceeds it tells of records that are not in this answer.
      const more = Object.values(beside).find((value) => Number.isInteger(value) && Number(value) > records.length);
      const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
      return {
        flat: { rows: records.map((row, entry) => ({ row, entry, isBare: false })), entries: records.length },
        describe: (rows, asked) => {
          const plain = known.filter((field) => rows.some(({ row }) => row[field] !== undefined && typeof row[field] !== "object"));
          const defaultFields = (plain.length > 0 ? plain : known).slice(0, DEFAULT_COLUMNS);
          return {
            total: more === undefined ? records.length : undefined,
            fields: known,
            defaultFields,
            // Without a record no field is known, and none is a mistake.
            asked: records.length > 0 ? asked : undefined,
            notes: [
              "Undocumented shape, as the service returns it.",
              ...(more === undefined
                ? []
                : [`A count beside the list says ${more}, and ${records.length} came: ask for the others through query.`]),
              ...(asked?.length || known.length === defaultFields.length ? [] : [namesOf(known)]),
              ...remarksOn(beside),
            ],
          };
        },
      };
    },
  };
}
