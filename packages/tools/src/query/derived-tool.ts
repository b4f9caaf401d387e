import { type Operation, requestFields } from "@fleetwire/core";
import { separated } from "@fleetwire/core/internal";
import * as z from "zod";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import type { Render } from "../model/tool.ts";
import { questionProperties } from "../names/name-question.ts";
import { timesOf } from "../text/time.ts";
import { compactOutputSchema, type Row, unitsOf } from "./list-result.ts";
import { acceptedList, type ListArguments, listArguments, listOf } from "./list-tool.ts";
import { cursorMembers, namedInputs, type ResolvedInputs, resolveInputs, splitArguments, Words } from "./named-inputs.ts";
import { type ListOverrides, notesOn, type OperationRows, operationRows } from "./operation-list.ts";
import { callRead } from "./read-records.ts";
import { recordResult } from "./record-result.ts";
import { rowColumns } from "./row-columns.ts";
import { fieldTypes, toolInput } from "./tool-input.ts";
import { undocumentedRows } from "./undocumented-list.ts";

type Schemas = Readonly<Record<string, z.ZodType>>;

export interface OperationTexts {
  /** Arguments in addition to the operation's input. */
  arguments?: Schemas;
  /** Schemas that validate arguments in place of the ones shown to models. */
  accepts?: Schemas;
  outputSchema: Record<string, unknown>;
}

interface ReadSpec extends OperationTexts {
  // biome-ignore lint/suspicious/noExplicitAny: each tool names the arguments it takes; they were checked against its own schema
  run: (args: any, context: FleetContext) => Promise<Render>;
}

/** Converts an operation's name to its tool's: `listLivePositions` becomes `list_live_positions`. */
export const toolNameOf = (operationName: string): string => separated(operationName, "_");

const optional = (schemas: readonly (readonly [string, z.ZodType])[]): Schemas =>
  Object.fromEntries(schemas.map(([name, schema]) => [name, schema.optional()]));

/** Returns the input fields that a model may set, with their hints. In write tools, names are separate arguments that the tool defines. */
function inputArguments(operation: Operation) {
  const { tool, paging, effect } = operation;
  const { inputs, hints = {}, unlisted = [], names = {}, period = [] } = tool ?? {};
  const fields = requestFields(operation);
  // Models paginate by cursor, however the operation itself paginates.
  const pagingFields = paging === undefined ? [] : paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const offered = (inputs ?? Object.keys(fields)).flatMap((field): [string, z.ZodType][] => {
    const { schema } = fields[field] ?? {};
    if (schema === undefined || pagingFields.includes(field)) return [];
    return [[field, hints[field] === undefined ? schema : schema.describe(hints[field])]];
  });
  const hidden = [...unlisted, ...Object.keys(names), ...period];
  const words = effect === "read" ? namedInputs(operation).arguments : {};
  const shown = offered.flatMap(([field, schema]): [string, z.ZodType][] => {
    const { [field]: namedInput } = words;
    if (namedInput) return [[namedInput.word, namedInput.required ? namedInput.schema : namedInput.schema.optional()]];
    return hidden.includes(field) ? [] : [[field, schema]];
  });
  const required = Object.entries(words).filter(([, { required }]) => required);
  return {
    shown,
    // Ids are also accepted instead of names, so a required name may be left out if its id is given.
    accepted: {
      ...optional(offered.filter(([field]) => hidden.includes(field))),
      ...optional(required.map(([, { word, schema }]) => [word, schema] as const)),
    },
    required: required.map(([field, { word }]) => ({ field, word })),
  };
}

/** Takes the name, descriptions and input of an operation's tool from the contract. */
export function toolTexts(operation: Operation, { arguments: more = {}, accepts = {}, outputSchema }: OperationTexts) {
  const { name, tool } = operation;
  if (!tool) throw new TypeError(`${name} is not offered as a tool`);
  const { shown, accepted, required } = inputArguments(operation);
  const names = [...shown.map(([argument]) => argument), ...Object.keys(more).filter((argument) => !Object.hasOwn(accepts, argument))];
  const twice = names.find((argument, at) => names.indexOf(argument) !== at);
  if (twice !== undefined) throw new TypeError(`${name}: two arguments of its tool are named ${twice}`);
  const { input, inputSchema } = toolInput({ ...Object.fromEntries(shown), ...more }, { ...accepted, ...accepts });
  return {
    name: toolNameOf(name),
    aliases: [name],
    title: tool.title,
    description: tool.description,
    operations: [operation],
    input: required.length === 0 ? input : withRequired(input, required),
    inputSchema,
    outputSchema,
  };
}

/** Rejects arguments that contain neither the name nor the id for a required field, unless there is a cursor, which may hold the id. */
function withRequired(input: z.ZodObject, required: readonly { field: string; word: string }[]): z.ZodObject {
  return input.superRefine((args, context) => {
    for (const { field, word } of required) {
      if (args[word] !== undefined || args[field] !== undefined || args["cursor"] !== undefined) continue;
      context.addIssue({ code: "custom", path: [word], message: "is required" });
    }
  });
}

/** Creates the tool for a single read operation. */
export function operationTool(operation: Operation, spec: ReadSpec): ReadTool {
  if (operation.effect !== "read") throw new TypeError(`${operation.name} writes`);
  return { ...toolTexts(operation, spec), effect: operation.effect, run: spec.run };
}

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
