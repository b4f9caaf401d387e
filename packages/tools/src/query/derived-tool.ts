import type { Operation } from "@fleetwire/core";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { questionProperties } from "../names/name-question.ts";
import { timesOf } from "../text/time.ts";
import { type Row, unitsOf } from "./list-result.ts";
import { listTool } from "./list-tool.ts";
import { namedInputs, resolveInputs, splitArguments } from "./named-inputs.ts";
import { type ListOverrides, notesOn, operationRows } from "./operation-list.ts";
import { operationTool } from "./operation-tool.ts";
import { callRead } from "./read-records.ts";
import { recordResult } from "./record-result.ts";
import { rowColumns } from "./row-columns.ts";
import { fieldTypes } from "./tool-input.ts";
import { undocumentedRows } from "./undocumented-list.ts";

/** Creates the tool for an operation that returns a single record. */
function recordTool(operation: Operation, { fixedInput, periodNote, notes = [] }: ListOverrides): ReadTool {
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
      const { words, others } = splitArguments(args, inputs);
      const resolved = await resolveInputs({ inputs, words, before: undefined, rows: "record", periodNote }, context);
      const record = (await callRead(operation, { ...others, ...fixedInput?.(context.settings), ...resolved.input }, context)) as Row;
      const shown = { columns: columns.shown(context.now()), times: timesOf(context) };
      const units = unitsOf(Object.keys(record), shown.columns);
      const sentences = [...resolved.notes, ...notesOn([record], columns, context), ...notes, ...units];
      return (budget) => recordResult(`${operation.summary}.`, "record", record, shown, budget, sentences);
    },
  });
}

/**
 * Derives a tool from a read operation. Its arguments are names instead of ids, and a period in words instead of two instants. The rows of a list have the
 * fields, units, ages and time zone stated by the contract, and the tool filters, sorts and counts them.
 */
export function derivedTool(operation: Operation, overrides: ListOverrides = {}): ReadTool {
  const rows = operation.undocumented ? undocumentedRows(operation) : operationRows(operation, overrides);
  return rows ? listTool(operation, rows, overrides.periodNote) : recordTool(operation, overrides);
}
