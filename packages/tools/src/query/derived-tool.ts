import type { Operation } from "@fleetwire/core";
import * as z from "zod";
import type { ReadTool } from "../fleet/fleet-context.ts";
import { questionProperties } from "../names/name-question.ts";
import { timesOf } from "../text/time.ts";
import { compactOutputSchema, type Row, unitsOf } from "./list-result.ts";
import { acceptedList, type ListArguments, listArguments, listOf } from "./list-tool.ts";
import { cursorMembers, namedInputs, type ResolvedInputs, resolveInputs, splitArguments, Words } from "./named-inputs.ts";
import { type ListOverrides, notesOn, type OperationRows, operationRows } from "./operation-list.ts";
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

/** Names of entities without an id, which a cursor cannot hold instead. */
const wordsWithoutIds = ({ named }: ResolvedInputs, words: Readonly<Record<string, unknown>>) =>
  Object.entries(named).flatMap(([word, values]) => (values.some(({ id }) => id === undefined) ? [words[word]] : []));

/** Creates the tool for an operation that returns a list. */
function listTool(operation: Operation, source: OperationRows, periodNote?: string): ReadTool {
  const inputs = namedInputs(operation);
  const { noun, order } = source;
  return operationTool(operation, {
    arguments: { ...source.arguments, ...listArguments(source.example) },
    accepts: {
      ...acceptedList,
      ...Object.fromEntries(inputs.names.map(({ word }) => [word, Words.optional()])),
      ...source.accepts,
    },
    outputSchema: compactOutputSchema(),
    run: (args: ListArguments, context) => {
      const { words, others: unnamed } = splitArguments(args, inputs);
      return listOf(
        unnamed,
        {
          order,
          carried: cursorMembers(inputs),
          read: async (asked, others, before) => {
            const resolved = await resolveInputs({ inputs, words, before, rows: noun[1], periodNote, isFiltering: true }, context);
            const isUnnamed = before === undefined && wordsWithoutIds(resolved, words).length > 0;
            return {
              rows: await source.read({ asked, resolved, others }, context),
              carried: resolved.carried,
              notes: resolved.notes,
              moreNote: isUnnamed ? "For more, repeat all arguments." : undefined,
            };
          },
        },
        context,
      );
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
