import type { Operation } from "@fleetwire/core";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import type { ToolSettings } from "../model/tool.ts";
import { questionProperties } from "../names/name-question.ts";
import { timesOf } from "../text/time.ts";
import { callRead } from "./call-read.ts";
import { readCursor } from "./cursor.ts";
import { documentedRows, notesOn, type RowOverrides } from "./documented-list.ts";
import { compactOutputSchema, listResult, type Row, unitsOf } from "./list-result.ts";
import { cursorMembers, namedInputs, resolveInputs, splitArguments } from "./named-inputs.ts";
import { operationTool } from "./operation-tool.ts";
import { type QueryOverrides, queriedRows } from "./queried-list.ts";
import { queriedTool } from "./queried-tool.ts";
import { recordResult } from "./record-result.ts";
import { rowColumns } from "./row-columns.ts";
import type { RowSource } from "./row-source.ts";
import { acceptedRows, DEFAULT_LIMIT, type FieldsAsked, fieldList, fieldTypes, rowArguments } from "./tool-input.ts";
import { undocumentedRows } from "./undocumented-list.ts";

/** Additions to the tool that is derived from an operation. */
export interface ToolOverrides extends RowOverrides, QueryOverrides {
  /** Input fields that are always sent, whatever the model requests. */
  fixedInput?: (settings: ToolSettings) => Readonly<Record<string, unknown>>;
  /** A remark to add after the period in the result's note. */
  periodNote?: string;
}

/** Creates a cursor parser. A cursor holds the resolved names and period, if any, and then the position in the list. */
function cursorReader(position: readonly z.ZodType[], carried: readonly z.ZodType[]) {
  const tupleOf = (members: readonly z.ZodType[]) => z.tuple(members as [z.ZodType<string | number>]) as z.ZodType<(string | number)[]>;
  const schema = z.union([tupleOf(position), tupleOf([...carried, ...position])]);
  return (cursor: string | undefined) => {
    const read = readCursor(cursor, schema);
    const at = (read?.length ?? 0) - position.length;
    return { before: at > 0 ? read?.slice(0, at) : undefined, last: read?.slice(at) };
  };
}

interface Arguments extends Record<string, unknown> {
  limit?: number;
  cursor?: string;
  fields?: FieldsAsked;
}

/** Creates the tool for a list that the service returns page by page, in its own order. */
function pagedTool(operation: Operation, rowSource: RowSource, { fixedInput, periodNote }: ToolOverrides): ReadTool {
  const { noun, pagination, read } = rowSource;
  const inputs = namedInputs(operation);
  const readPosition = cursorReader(pagination.positionSchemas, cursorMembers(inputs));

  return operationTool(operation, {
    arguments: rowArguments,
    accepts: acceptedRows,
    outputSchema: compactOutputSchema(),
    run: async ({ limit = DEFAULT_LIMIT, cursor, fields, ...args }: Arguments, context) => {
      const { settings } = context;
      const { before, last } = readPosition(cursor);
      const { words, given } = splitArguments(args, inputs);
      const resolved = await resolveInputs({ inputs, words, before, rows: noun[1], periodNote }, context);
      const input = { ...given, ...fixedInput?.(settings), ...resolved.input, ...pagination.inputFields(last, limit) };
      const output = await callRead(operation, input, context);
      const { flat, describe } = read(output, input, context);
      const { rows: shown, next } = await pagination.page(flat, output, { carried: resolved.carried, last }, limit);
      const { requested, notes, ...described } = describe(shown, fieldList(fields));
      const rows = shown.map(({ row }) => row);
      const page = { ...described, what: noun, rows, isCompact: true, next, times: timesOf(context), notes: [...resolved.notes, ...notes] };
      return listResult(page, { fields: requested });
    },
  });
}

/** Creates the tool for an operation that returns a single record. */
function recordTool(operation: Operation, { fixedInput, periodNote, notes = [] }: ToolOverrides): ReadTool {
  const inputs = namedInputs(operation);
  const { shape } = operation.output instanceof z.ZodObject ? operation.output : z.object({});
  const columns = rowColumns(shape);
  const note = { type: "string", description: "Remarks and omissions" };
  return operationTool(operation, {
    outputSchema: {
      type: "object",
      properties: { record: { type: "object", properties: fieldTypes(z.object(shape)) }, note, ...questionProperties },
    },
    run: async (args: Record<string, unknown>, context) => {
      const { words, given } = splitArguments(args, inputs);
      const resolved = await resolveInputs({ inputs, words, before: undefined, rows: "record", periodNote }, context);
      const record = (await callRead(operation, { ...given, ...fixedInput?.(context.settings), ...resolved.input }, context)) as Row;
      const shown = { columns: columns.shown(context.now()), times: timesOf(context) };
      const units = unitsOf(Object.keys(record), shown.columns);
      const sentences = [...resolved.notes, ...notesOn([record], columns, context), ...notes, ...units];
      return (budget) => recordResult(`${operation.summary}.`, "record", record, shown, budget, sentences);
    },
  });
}

/**
 * Derives a tool from a read operation. Its arguments are names instead of ids, and a period in words instead of two instants. Its rows
 * have the fields, units, ages and time zone stated by the contract. Its cursor works on top of the operation's own pagination, and keeps
 * the period and the ids.
 */
export function derivedTool(operation: Operation, overrides: ToolOverrides = {}): ReadTool {
  if (operation.undocumented) return queriedTool(operation, undocumentedRows(operation), overrides);
  const queried = queriedRows(operation, overrides);
  if (queried) return queriedTool(operation, queried, overrides);
  const rowSource = documentedRows(operation, overrides);
  return rowSource ? pagedTool(operation, rowSource, overrides) : recordTool(operation, overrides);
}
