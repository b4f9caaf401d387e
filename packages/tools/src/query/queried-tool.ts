import type { Operation, RowQuery } from "@fleetwire/core";
import * as z from "zod";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import type { ToolSettings } from "../model/tool.ts";
import { readCursor } from "./cursor.ts";
import { compactOutputSchema, listResult } from "./list-result.ts";
import { cursorMembers, type NamedInputs, namedInputs, type ResolvedInputs, resolveInputs, splitArguments, Words } from "./named-inputs.ts";
import { operationTool } from "./operation-tool.ts";
import {
  acceptedQuery,
  otherQuery,
  type QueriedRows,
  type QueryArguments,
  QueryFingerprint,
  queriedPage,
  queryArguments,
  queryPagination,
  type RowsAsked,
  readQuery,
} from "./queried-rows.ts";
import { acceptedRows, DEFAULT_LIMIT, type FieldsAsked, fieldList, rowArguments } from "./tool-input.ts";

/** What to read. */
export interface RowsRequest {
  asked: RowsAsked;
  resolved: ResolvedInputs;
  /** The arguments other than names, period and query. */
  given: Readonly<Record<string, unknown>>;
}

/** Reads all rows of a list, so that the tool can filter, sort and count them. */
export interface QuerySource {
  /** Arguments in addition to the operation's input. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  /** Schemas that validate arguments in place of the ones shown to models. */
  accepts?: Readonly<Record<string, z.ZodType>>;
  noun: QueriedRows["noun"];
  /** Conditions, as an example for the model. */
  example: string;
  query: RowQuery | undefined;
  read: (request: RowsRequest, context: FleetContext) => Promise<QueriedRows>;
}

interface Arguments extends QueryArguments, Record<string, unknown> {
  limit?: number;
  cursor?: string;
  fields?: FieldsAsked;
}

const tupleOf = (members: readonly z.ZodType[]) => z.tuple(members as [z.ZodType<string | number>]) as z.ZodType<(string | number)[]>;

/** Reads a cursor: the fingerprint of the query, the resolved names and period, if any, and then the position in the list. */
function readPlace(cursor: string | undefined, asked: RowsAsked, inputs: NamedInputs, query: RowQuery | undefined) {
  const begun = readCursor(cursor, z.tuple([QueryFingerprint]).rest(z.union([z.string(), z.number()])));
  if (begun && begun[0] !== asked.fingerprint) throw otherQuery();
  const position = queryPagination(asked, query, (field) => field).positionSchemas;
  const whole = z.union([tupleOf([QueryFingerprint, ...position]), tupleOf([QueryFingerprint, ...cursorMembers(inputs), ...position])]);
  const read = readCursor(cursor, whole);
  const at = (read?.length ?? 0) - position.length;
  return { before: at > 1 ? read?.slice(1, at) : undefined, last: read?.slice(at) };
}

/** Names of entities without an id, which a cursor cannot hold instead. */
const wordsWithoutIds = ({ named }: ResolvedInputs, words: Readonly<Record<string, unknown>>) =>
  Object.entries(named).flatMap(([word, values]) => (values.some(({ id }) => id === undefined) ? [words[word]] : []));

/** Creates the tool for a list whose rows are filtered, sorted and counted here. */
export function queriedTool(
  operation: Operation,
  source: QuerySource,
  { periodNote }: { periodNote?: string; fixedInput?: (settings: ToolSettings) => Readonly<Record<string, unknown>> },
): ReadTool {
  const inputs = namedInputs(operation);
  const { noun, query } = source;

  return operationTool(operation, {
    arguments: { ...source.arguments, ...queryArguments(source.example), ...rowArguments },
    accepts: {
      ...acceptedQuery,
      ...acceptedRows,
      ...Object.fromEntries(inputs.names.map(({ word }) => [word, Words.optional()])),
      ...source.accepts,
    },
    outputSchema: compactOutputSchema(),
    run: async ({ limit = DEFAULT_LIMIT, cursor, fields, where, sort, count, ...args }: Arguments, context) => {
      const { words, given } = splitArguments(args, inputs);
      const asked = readQuery({ where, sort, count }, fieldList(fields), given);
      const { before, last } = readPlace(cursor, asked, inputs, query);
      const resolved = await resolveInputs({ inputs, words, before, rows: noun[1], periodNote, isFiltering: true }, context);
      const { complete, ...rows } = await source.read({ asked, resolved, given }, context);
      const page = await queriedPage(rows, asked, { carried: resolved.carried, last, limit }, context);
      const isUnnamed = page.next(page.rows.length) !== undefined && cursor === undefined && wordsWithoutIds(resolved, words).length > 0;
      const shown = page.requested ?? page.defaultFields;
      return listResult(
        {
          ...page,
          rows: complete && !page.isCounted ? await complete([...page.rows], shown, context) : page.rows,
          notes: [...resolved.notes, ...(isUnnamed ? [REPEAT_ALL] : []), ...(page.notes ?? [])],
        },
        { fields: page.requested },
      );
    },
  });
}

const REPEAT_ALL = "For more, repeat all arguments.";
