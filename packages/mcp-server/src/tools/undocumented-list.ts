import type { FleetClient, Operation } from "@fleetwire/core";
import { hideDriverNames } from "../privacy.ts";
import { plainText } from "../results/cell.ts";
import { PlaceInList, readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult, type Row } from "../results/list-result.ts";
import type { Tool } from "../tool.ts";
import { operationTool } from "./operation-tool.ts";
import { DEFAULT_LIMIT, type ListArguments, listArguments } from "./tool-input.ts";

const isRecord = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

/** The records in an answer of unknown shape: the answer itself, its only list, or the whole as one record; and what stands beside the list. */
function recordsIn(answer: unknown): { records: Row[]; beside: Row } {
  const asRows = (list: readonly unknown[]) => list.map((item) => (isRecord(item) ? item : { value: item }));
  if (Array.isArray(answer)) return { records: asRows(answer), beside: {} };
  if (!isRecord(answer)) return { records: [{ value: answer }], beside: {} };
  const lists = Object.entries(answer).filter(([, value]) => Array.isArray(value));
  const [only] = lists;
  if (!only || lists.length > 1) return { records: [answer], beside: {} };
  const [name, list] = only;
  const { [name]: _, ...beside } = answer;
  return { records: asRows(list as unknown[]), beside };
}

const DEFAULT_COLUMNS = 8;

/** The tool of an endpoint of which only the path is documented: rows as they come, within the same limits as every list. */
export function undocumentedList(operation: Operation, call: (fleet: FleetClient) => FleetClient["listJobs"]): Tool {
  return operationTool(operation, {
    arguments: listArguments,
    outputSchema: listOutputSchema({}),
    run: async ({ limit = DEFAULT_LIMIT, cursor, fields, ...input }: ListArguments & Parameters<FleetClient["listJobs"]>[0], context) => {
      const { fleet, settings, signal } = context;
      const [skip] = readCursor(cursor, PlaceInList) ?? [0];
      const answer = await call(fleet)(input, { ...(signal && { signal }) });
      const { records, beside } = recordsIn(hideDriverNames(answer, context));
      const rows = records.slice(skip, skip + limit);
      const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
      const said = Object.entries(beside).filter(([, value]) => typeof value === "string");
      return listResult(
        {
          what: "records",
          rows,
          total: records.length,
          fields: known,
          defaultFields: known
            .filter((field) => rows.some((row) => row[field] !== undefined && typeof row[field] !== "object"))
            .slice(0, DEFAULT_COLUMNS),
          next: (shown) => (skip + shown < records.length ? writeCursor([skip + shown]) : undefined),
          notes: [
            "Undocumented shape, as the service returns it.",
            ...said.map(([name, value]) => plainText(`${name}: ${String(value)}`, 160)),
            ...(known.length > DEFAULT_COLUMNS ? [plainText(`Fields: ${known.slice(0, 60).join(", ")}`, 600)] : []),
          ],
        },
        { fields },
        settings.maxResultTokens,
      );
    },
  });
}
