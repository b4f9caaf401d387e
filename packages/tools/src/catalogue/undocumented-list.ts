import type { FleetClient, Operation } from "@fleetwire/core";
import { sha256 } from "@noble/hashes/sha2.js";
import * as z from "zod";
import { DEFAULT_LIMIT, type ListArguments, listArguments } from "../arguments/tool-input.ts";
import { base64Url, utf8 } from "../bytes.ts";
import { cell, clipped, plainText } from "../results/cell.ts";
import { PlaceInList, readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult, type Row } from "../results/list-result.ts";
import { quotation } from "../results/quotation.ts";
import type { ReadTool } from "../tool.ts";
import { operationTool } from "./operation-tool.ts";

const isRecord = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

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
const FIELDS_NAMED = 60;
const REMARKS = 4;

/** What stands beside the list; how much of it is not shown is our own sentence, the rest the service's words. */
function remarksOn(beside: Row): string[] {
  const remarks = Object.entries(beside).map(
    ([name, value]) => `${plainText(name, 64)}: ${Array.isArray(value) ? `a list of ${value.length}` : cell(value)}`,
  );
  const more = remarks.length - REMARKS;
  return [
    ...(more > 0 ? [`Values beside the list that are not shown: ${more}.`] : []),
    ...(remarks.length > 0 ? [`Beside the list: ${quotation(remarks.slice(0, REMARKS).join("; "), 600)}`] : []),
  ];
}

function namesOf(known: readonly string[]): string {
  const some = known.length > FIELDS_NAMED ? ` (${FIELDS_NAMED} of ${known.length})` : "";
  return `Fields${some}: ${quotation(known.slice(0, FIELDS_NAMED).join(", "), 600)}`;
}

const fingerprint = (record: Row) => base64Url(sha256(utf8(JSON.stringify(clipped(record))))).slice(0, 12);

/** How many rows to skip: where some came or went in between, the last one shown still tells where to go on. */
function skipIn(records: readonly Row[], [skipped, lastShown]: z.infer<typeof PlaceInList>): number {
  const isLast = (record: Row | undefined) => record !== undefined && fingerprint(record) === lastShown;
  const last = isLast(records[skipped - 1]) ? skipped - 1 : records.findIndex(isLast);
  return last === -1 ? skipped : last + 1;
}

/** The query parameters as the operation takes them; a text that is none of them is told of the form that a model sees. */
function queryRecord({ query: { query } }: Operation): z.ZodType {
  const { valueType } = (query as z.ZodOptional<z.ZodRecord>).unwrap();
  return z.record(z.string().min(1), valueType as z.ZodType, "must be of the form status=NEW&limit=5").optional();
}

/** The tool of an endpoint of which only the path is documented: rows as they come, within the same limits as every list. */
export function undocumentedList(operation: Operation, call: (fleet: FleetClient) => FleetClient["listJobs"]): ReadTool {
  return operationTool(operation, {
    // A map is of no form that OpenAI's strict mode and Gemini take; what is written as in a URL is read by repair-arguments.ts.
    arguments: { query: z.string().optional().describe("As in a URL: status=NEW&limit=5"), ...listArguments },
    unlisted: ["query"],
    accepts: { query: queryRecord(operation) },
    outputSchema: listOutputSchema({}),
    run: async (
      { limit = DEFAULT_LIMIT, cursor, fields, ...input }: ListArguments & Parameters<FleetClient["listJobs"]>[0],
      { fleet, callOptions },
    ) => {
      const place = readCursor(cursor, PlaceInList);
      const answer = await call(fleet)(input, callOptions);
      const { records, beside } = recordsIn(answer, operation.path);
      const skip = place ? skipIn(records, place) : 0;
      // A count beside the list that exceeds it tells of records that are not in this answer.
      const more = Object.values(beside).find((value) => Number.isInteger(value) && Number(value) > records.length);
      const rows = records.slice(skip, skip + limit);
      const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
      const plain = known.filter((field) => rows.some((row) => row[field] !== undefined && typeof row[field] !== "object"));
      const defaultFields = (plain.length > 0 ? plain : known).slice(0, DEFAULT_COLUMNS);
      return listResult(
        {
          what: ["record", "records"],
          rows,
          total: more === undefined ? records.length : undefined,
          fields: known,
          defaultFields,
          next: (shown) => {
            const lastWithMore = records.slice(0, -1)[skip + shown - 1];
            return lastWithMore && writeCursor([skip + shown, fingerprint(lastWithMore)]);
          },
          notes: [
            "Undocumented shape, as the service returns it.",
            ...(more === undefined
              ? []
              : [`A count beside the list says ${more}, and ${records.length} came: ask for the others through query.`]),
            ...(fields?.length || known.length === defaultFields.length ? [] : [namesOf(known)]),
            ...remarksOn(beside),
          ],
        },
        // Without a record no field is known, and none is a mistake.
        { fields: records.length > 0 ? fields : undefined },
      );
    },
  });
}
