import { FleetError, metadataOf, type RowQuery } from "@fleetwire/core";
import * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { Render } from "../model/tool.ts";
import { cell } from "../text/clip-values.ts";
import type { Noun } from "../text/pluralize.ts";
import { timesOf } from "../text/time.ts";
import { type ListPage, listResult, type Row } from "./list-result.ts";
import { inBrackets, isAbsent, type RowColumns, reasonsAbsent } from "./row-columns.ts";
import type { WrittenCondition } from "./row-conditions.ts";
import { countedBy, differentValues, NO_VALUE, readCount } from "./row-counts.ts";
import { fieldMeant, type KnownFields, requestedFields, requireField } from "./row-fields.ts";
import {
  type CursorParts,
  fingerprint,
  type Key,
  type Pager,
  type RowOrder,
  readCursor,
  readOrder,
  sortedPager,
  unsortedPager,
} from "./row-order.ts";
import { shownColumns } from "./shown-columns.ts";
import { acceptedRows, DEFAULT_LIMIT, type FieldsAsked, fieldList, rowArguments } from "./tool-input.ts";
import { type FilteredSource, readConditions, rowsWhere, Where } from "./where.ts";

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
  const page = await listPage(list.rows, order, asked, { carried: list.carried ?? [], last, limit }, context);
  const more = list.moreNote !== undefined && page.next(page.rows.length) !== undefined ? [list.moreNote] : [];
  return listResult({ ...page, notes: [...(list.notes ?? []), ...more, ...(page.notes ?? [])] });
}

/** What a model requested. */
export interface RowsAsked {
  conditions: readonly WrittenCondition[];
  sort: RowOrder | undefined;
  count: string | undefined;
  /** The fields to show; undefined for the default ones. */
  fields: readonly string[] | undefined;
  /** Identifies `where`, `sort` and `count` in a cursor; empty if none was given. */
  fingerprint: string;
}

/** How the rows of a list are ordered and told apart; undefined for those of an undocumented list. */
export type ListOrder = Pick<RowQuery, "order" | "ties" | "vehicle" | "active"> | undefined;

/** The rows to filter, sort and count, and what is existing about them. */
export interface ListRows extends FilteredSource {
  noun: Noun;
  columns: RowColumns;
  /** The columns of a list; the first one names a row, and is always shown. */
  defaultFields: readonly string[];
  /** Additional columns for a list of a few rows. */
  moreFields?: readonly string[];
  /** What a row may cost, if its columns say little without each other. */
  rowTokens?: number;
  /** Fields that add up, in addition to those of which the contract says so. */
  sums?: readonly string[];
  /** Fields that the model asked about other than by condition or order. */
  askedFields?: readonly string[];
  /** What was read, if the service has more. */
  part?: ListPage["part"];
  /** Adds, to the rows shown, fields that were not read for all rows. */
  complete?: ((rows: Row[], fields: readonly string[], context: FleetContext) => Promise<Row[]>) | undefined;
  /** Notes; a function of the rows that fit the conditions, if they depend on these. */
  notes: readonly string[] | ((fitting: readonly Row[]) => readonly string[]);
  /** Notes that depend on the rows shown. */
  notesOn?: (rows: readonly Row[], fields: readonly string[]) => readonly string[];
}

/** The pager depends only on the arguments, so a cursor can be checked before anything is read. */
function pagerOf({ sort, count }: RowsAsked, query: ListOrder, fieldNamed: (field: string) => string): Pager {
  const order = sort ?? (query && readOrder(query.order));
  return count !== undefined || !order ? unsortedPager : sortedPager(order, query?.ties ?? [], fieldNamed);
}

const isTotal = (count: string, { noun, fields }: Pick<ListRows, "noun" | "fields">) =>
  !fields.includes(count) && [...noun, "total", "all", "rows", "none", "true"].includes(count.toLowerCase());

/** Returns the fields that have to be read for every row. */
export function fieldsUsed({ conditions, sort, count }: RowsAsked, existing: KnownFields & Pick<ListRows, "noun">): string[] {
  const counted = count === undefined || isTotal(count, existing) ? [] : [readCount(count, existing.fields).field];
  const used = [...conditions.map(({ field }) => field), ...(sort ? [sort.field] : []), ...counted];
  return used.flatMap((field) => (field && fieldMeant(field, existing)) || []);
}

/** If only the total was requested, up to this many rows are listed anyway, since they are often the next question. */
const MAX_NAMED = 5;

const leftNote = (left: readonly string[]) => (left.length > 0 ? [`Not shown: ${left.join(", ")}; request them as fields.`] : []);

interface Position extends CursorParts {
  limit: number;
}

/** A page of the rows that a model asked for. Its columns are the default ones, and those that it filtered or sorted by. */
async function listPage(
  source: ListRows,
  query: ListOrder,
  asked: RowsAsked,
  { carried = [], last, limit }: Position,
  context: FleetContext,
): Promise<ListPage> {
  const { now, settings } = context;
  const { noun, fields: existing, shape, defaultFields, naming = query && defaultFields[0] } = source;
  const { rows, conditions, notes: conditionNotes } = await rowsWhere(asked.conditions, source, context);
  const sourceNotes = typeof source.notes === "function" ? source.notes(rows) : source.notes;
  const fieldNamed = (field: string) => requireField("sort", field, source);
  const pager = pagerOf(asked, query, fieldNamed);
  const vehicle = query?.vehicle;
  const times = timesOf(context);
  const common = {
    what: noun,
    total: rows.length,
    part: source.part,
    ...(vehicle !== undefined && { vehicles: differentValues(rows, vehicle) }),
    times,
  };
  const cursor = { carried: [asked.fingerprint, ...carried], last };
  /** Says how many rows lack a field and, in any of these forms, why. */
  const absent = (field: string, textOf: (count: number, reasons: string) => string) => {
    const lacking = rows.filter((row) => isAbsent(row[field]));
    const text = lacking.length === 0 ? "" : textOf(lacking.length, reasonsAbsent(shape[field], lacking, source.columns, settings));
    return text === "" ? [] : [text];
  };

  const { count } = asked;
  if (count !== undefined && isTotal(count, source)) {
    const names = naming === undefined || rows.length > MAX_NAMED ? [] : rows.flatMap(({ [naming]: name }) => (name ? [cell(name)] : []));
    const notes = [...(names.length > 0 ? [`${[...new Set(names)].join(", ")}.`] : []), ...conditionNotes, ...sourceNotes];
    return { ...common, rows: [], isCounted: true, fields: [], next: () => undefined, notes };
  }
  if (count !== undefined) {
    const { counts, heading, by } = await countedBy(
      count,
      { ...source, rows, sort: asked.sort, usual: query && readOrder(query.order).field, vehicle },
      context,
    );
    const notes = [heading, ...absent(by, (_, reasons) => reasons && `${NO_VALUE}: ${reasons}.`), ...conditionNotes, ...sourceNotes];
    return { ...common, ...(await pager.page(counts, cursor, limit)), isCounted: true, fields: Object.keys(counts[0] ?? {}), notes };
  }

  const { rows: page, next } = await pager.page(rows, cursor, limit);
  const columns = source.columns.shown(now());
  const sorted = asked.sort ? [fieldNamed(asked.sort.field)] : [];
  const state = query?.active?.[2];
  const [is, ...others] = state === undefined ? [] : new Set(page.map((row) => row[state]));
  const varying = state !== undefined && others.length > 0 ? [state] : [];
  const { shown: shownByDefault, left } = shownColumns({
    rows,
    page,
    usual: defaultFields,
    more: source.moreFields ?? [],
    asked: [...(source.askedFields ?? []), ...varying, ...sorted],
    besideOf: (field) => shape[field] && metadataOf(shape[field])?.beside,
    conditions,
    columns,
    rowTokens: source.rowTokens,
    isDocumented: query !== undefined,
    times,
  });
  const unshown = left.filter((field) => field !== state);
  const isStated = state === undefined || shownByDefault.includes(state) || conditions.some(({ field }) => field === state);
  const allHave = !isStated && typeof is === "boolean" ? [`All shown: ${state} ${is}.`] : [];
  const chosen = asked.fields && existing.length > 0 ? requestedFields(asked.fields, source) : undefined;
  const isNamed = naming === undefined || !page.some((row) => row[naming] !== undefined);
  const requested = chosen && [...new Set([...(isNamed || chosen.fields.includes(naming) ? [] : [naming]), ...chosen.fields])];
  const shown = requested ?? shownByDefault;
  return {
    ...common,
    rows: (await source.complete?.(page, shown, context)) ?? page,
    fields: shown,
    isRequested: requested !== undefined,
    columns,
    next,
    notes: [
      ...(source.part && asked.sort ? ["Sorted among these only."] : []),
      ...sorted.flatMap((field) => absent(field, (count, reasons) => `Without ${field}, last: ${count}${inBrackets(reasons)}.`)),
      ...conditionNotes,
      ...(chosen?.notes ?? []),
      ...(chosen || !query ? [] : [...allHave, ...leftNote(unshown)]),
      ...sourceNotes,
      ...(source.notesOn?.(page, shown) ?? []),
    ],
  };
}
