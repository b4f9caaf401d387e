import { FleetError, type Operation } from "@fleetwire/core";
import * as z from "zod";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import type { Render } from "../model/tool-result.ts";
import { fingerprint } from "../text/fingerprint.ts";
import type { Key } from "./keyset.ts";
import { readCursor } from "./keyset.ts";
import { type ListOrder, type ListRows, listPage, pagerOf, type RowsAsked } from "./list-page.ts";
import { compactOutputSchema, listResult } from "./list-result.ts";
import { readConditions, Where } from "./matching-rows.ts";
import { cursorMembers, namedInputs, type ResolvedInputs, resolveInputs, splitArguments, Words } from "./named-inputs.ts";
import { operationTool } from "./operation-tool.ts";
import { readOrder } from "./row-order.ts";
import { acceptedRows, DEFAULT_LIMIT, type FieldsAsked, fieldList, rowArguments } from "./tool-input.ts";

/** The arguments of a list. `example` shows conditions to the model. */
export const listArguments = (example: string) => ({
  where: z.string().optional().describe(`Such as ${example}`),
  sort: z.string().optional().describe("-field for descending"),
  count: z.string().optional().describe("By this field, or total"),
  ...rowArguments,
});

/** Schemas that validate these arguments, more tolerant than what models see. */
export const acceptedList = { where: Where.optional(), ...acceptedRows };

export interface ListArguments extends Record<string, unknown> {
  where?: string;
  sort?: string;
  count?: string;
  fields?: FieldsAsked;
  limit?: number;
  cursor?: string;
}

const FINGERPRINT_LENGTH = 6;

const Fingerprint = z.string().max(FINGERPRINT_LENGTH);

const tupleOf = (members: readonly z.ZodType[]) => z.tuple(members as [z.ZodType<string | number>]) as z.ZodType<(string | number)[]>;

/** Reads a cursor: the fingerprint of the query, what the list carries from page to page, if anything, and then the position in the list. */
function readPosition(cursor: string | undefined, asked: RowsAsked, order: ListOrder, carried: readonly z.ZodType[]) {
  const begun = readCursor(cursor, z.tuple([Fingerprint]).rest(z.union([z.string(), z.number()])));
  if (begun && begun[0] !== asked.fingerprint)
    throw new FleetError("input", "cursor: the other arguments have changed", {
      advice: "Call again with the same arguments, or without cursor to start from the beginning",
    });
  const { position } = pagerOf(asked, order, (field) => field);
  const read = readCursor(cursor, z.union([tupleOf([Fingerprint, ...position]), tupleOf([Fingerprint, ...carried, ...position])]));
  const at = (read?.length ?? 0) - position.length;
  return { before: at > 1 ? read?.slice(1, at) : undefined, last: read?.slice(at) };
}

/** What a list read for a call. */
interface ReadList {
  rows: ListRows;
  /** What the cursor of the next page holds in addition to the position. */
  carried?: Key;
  /** Notes that precede those of the rows. */
  notes?: readonly string[];
  /** Note for a page that is followed by another. */
  moreNote?: string | undefined;
}

interface ListSource {
  order: ListOrder;
  /** Schemas for what a cursor carries. */
  carried?: readonly z.ZodType[];
  /** Reads all rows. `before` is what the cursor carried; undefined on the first page. `others` are the arguments that are not about the list. */
  read: (asked: RowsAsked, others: Record<string, unknown>, before: Key | undefined) => Promise<ReadList>;
}

/** Returns a page of a list, whose rows are filtered, sorted and counted here. */
export async function listOf(args: ListArguments, { order, carried = [], read }: ListSource, context: FleetContext): Promise<Render> {
  const { limit = DEFAULT_LIMIT, cursor, fields: written, where, sort, count, ...others } = args;
  const query = JSON.stringify([where, sort, count, others]);
  const asked: RowsAsked = {
    conditions: readConditions(where),
    sort: sort === undefined ? undefined : readOrder(sort),
    count,
    fields: fieldList(written),
    fingerprint: query === "[null,null,null,{}]" ? "" : fingerprint(query).slice(0, FINGERPRINT_LENGTH),
  };
  const { before, last } = readPosition(cursor, asked, order, carried);
  const list = await read(asked, others, before);
  const page = await listPage(list.rows, asked, { carried: list.carried ?? [], last, limit }, context);
  const more = list.moreNote !== undefined && page.next(page.rows.length) !== undefined ? [list.moreNote] : [];
  return listResult({ ...page, notes: [...(list.notes ?? []), ...more, ...(page.notes ?? [])] });
}

/** What to read of an operation. */
export interface RowsRequest {
  asked: RowsAsked;
  resolved: ResolvedInputs;
  /** The arguments other than names, period and query. */
  others: Readonly<Record<string, unknown>>;
}

/** Reads all rows of an operation's list. */
export interface OperationRows {
  /** Arguments in addition to the operation's input. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  /** Schemas that validate arguments in place of the ones shown to models. */
  accepts?: Readonly<Record<string, z.ZodType>>;
  noun: ListRows["noun"];
  /** Conditions, as an example for the model. */
  example: string;
  order: ListOrder;
  read: (request: RowsRequest, context: FleetContext) => Promise<ListRows>;
}

/** Names of entities without an id, which a cursor cannot hold instead. */
const wordsWithoutIds = ({ named }: ResolvedInputs, words: Readonly<Record<string, unknown>>) =>
  Object.entries(named).flatMap(([word, values]) => (values.some(({ id }) => id === undefined) ? [words[word]] : []));

/** Creates the tool for an operation that returns a list. */
export function listTool(operation: Operation, source: OperationRows, periodNote?: string): ReadTool {
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
