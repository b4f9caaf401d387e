import { FleetError, metadataOf, type RowQuery } from "@fleetwire/core";
import * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { cell } from "../text/clip-values.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { type Noun, pluralize, VEHICLE } from "../text/pluralize.ts";
import { timesOf } from "../text/time.ts";
import { inBrackets, isAbsent, reasonsAbsent } from "./absent-values.ts";
import type { CursorParts } from "./keyset.ts";
import { type ListPagination, wholeListPagination } from "./list-pagination.ts";
import type { Column, ListPage, Row } from "./list-result.ts";
import { readConditions, Where, type WrittenCondition, type WrittenWhere } from "./read-conditions.ts";
import type { RowColumns } from "./row-columns.ts";
import { countedRows, differentValues, NO_VALUE } from "./row-counts.ts";
import { fieldMeant, type KnownFields, requestedFields, requireField } from "./row-fields.ts";
import { type RowOrder, readOrder, sortedPagination } from "./row-order.ts";
import { type FilteredSource, knownConditions, rowsWhere } from "./rows-where.ts";
import { shownColumns } from "./shown-columns.ts";

/** The arguments by which a model filters, sorts and counts rows. */
export const queryArguments = (example: string) => ({
  where: z.string().optional().describe(`Such as ${example}`),
  sort: z.string().optional().describe("-field for descending"),
  count: z.string().optional().describe("By this field, or total"),
});

/** Schemas that validate these arguments, more tolerant than what models see. */
export const acceptedQuery = { where: Where.optional() };

export interface QueryArguments {
  where?: WrittenWhere | undefined;
  sort?: string | undefined;
  count?: string | undefined;
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

const FINGERPRINT_LENGTH = 6;

export const QueryFingerprint: z.ZodString = z.string().max(FINGERPRINT_LENGTH);

/** Reads the query of a call; `more` are further arguments that change the list. */
export function readQuery(
  { where, sort, count }: QueryArguments,
  fields: readonly string[] | undefined,
  more: Readonly<Record<string, unknown>>,
): RowsAsked {
  const given = JSON.stringify([where, sort, count, more]);
  return {
    conditions: readConditions(where),
    sort: sort === undefined ? undefined : readOrder(sort),
    count,
    fields: fields?.length ? fields : undefined,
    fingerprint: given === "[null,null,null,{}]" ? "" : fingerprint(given).slice(0, FINGERPRINT_LENGTH),
  };
}

/** The rows to filter, sort and count, and what is known about them. */
export interface QueriedRows extends FilteredSource {
  noun: Noun;
  columns: RowColumns;
  /** The columns of a list; the first one names a row, and is always shown. */
  defaultFields: readonly string[];
  /** Additional columns for a list of a single row. */
  moreFields?: readonly string[];
  /** Fields that the model asked about other than by condition or order. */
  askedFields?: readonly string[];
  query: Pick<RowQuery, "order" | "ties" | "vehicle" | "active"> | undefined;
  /** What was read, if the service has more. */
  part?: ListPage["part"];
  /** Adds, to the rows shown, fields that were not read for all rows. */
  complete?: (rows: Row[], fields: readonly string[], context: FleetContext) => Promise<Row[]>;
  notes: readonly string[];
  /** Notes that depend on the rows shown. */
  notesOn: (rows: readonly Row[], fields: readonly string[]) => readonly string[];
}

/** The pagination depends only on the arguments, so a cursor can be checked before anything is read. */
export function queryPagination(
  { sort, count }: RowsAsked,
  query: QueriedRows["query"],
  fieldNamed: (field: string) => string,
): ListPagination {
  const order = sort ?? (query && readOrder(query.order));
  return count !== undefined || !order
    ? wholeListPagination
    : sortedPagination(order, query?.ties ?? [order.field, order.field], fieldNamed);
}

/** Returns the fields that have to be read for every row. */
export function fieldsUsed({ conditions, sort, count }: RowsAsked, known: KnownFields & Pick<QueriedRows, "noun">): string[] {
  const counted = count === undefined || isTotal(count, known) ? [] : [count];
  const given = [...knownConditions(conditions, known).map(({ field }) => field), ...(sort ? [sort.field] : []), ...counted];
  return given.flatMap((field) => fieldMeant(field, known) ?? []);
}

const isTotal = (count: string, { noun, fields }: Pick<QueriedRows, "noun" | "fields">) =>
  !fields.includes(count) && [...noun, "total", "all", "rows", "none", "true"].includes(count.toLowerCase());

/** If only the total was requested, up to this many rows are listed anyway, since they are often the next question. */
const MAX_NAMED = 5;

/** The error for a cursor from a list with other conditions or in another order. */
export const otherQuery = (): FleetError =>
  new FleetError("input", "cursor: where, sort or count has changed", {
    advice: "Call again with the same arguments, or without cursor to start from the beginning",
  });

interface Position extends CursorParts {
  limit: number;
}

const leftNote = (left: readonly string[]) => (left.length > 0 ? [`Not shown: ${left.join(", ")}; request them as fields.`] : []);

/** A page of the rows that a model asked for. Its columns are the default ones, and those that it filtered or sorted by. */
export async function queriedPage(
  source: QueriedRows,
  asked: RowsAsked,
  { carried = [], last, limit }: Position,
  context: FleetContext,
): Promise<ListPage & { requested?: readonly string[] | undefined }> {
  const { now, settings } = context;
  const { noun, fields: known, shape, query, defaultFields } = source;
  const named = (argument: string, field: string) => (source.hasNoFields ? field : requireField(argument, field, source));
  const { rows, conditions, notes: conditionNotes } = await rowsWhere(asked.conditions, source, context);
  const fieldNamed = (field: string) => named("sort", field);
  const pagination = queryPagination(asked, query, fieldNamed);
  const flat = (list: readonly Row[]) => ({ rows: list.map((row, entry) => ({ row, entry, isBare: false })), entries: list.length });
  const vehicle = query?.vehicle;
  const total = rows.length;
  const times = timesOf({ settings, now });
  const common = {
    what: noun,
    total,
    part: source.part,
    ...(vehicle !== undefined && { vehicles: differentValues(rows, vehicle) }),
    isCompact: true,
    times,
  };
  const cursor = { carried: [asked.fingerprint, ...carried], last };
  /** Says how many rows lack a field and, in any of these forms, why. */
  const absent = (field: string, said: (count: number, reasons: string) => string) => {
    const lacking = rows.filter((row) => isAbsent(row[field]));
    const text = lacking.length === 0 ? "" : said(lacking.length, reasonsAbsent(shape[field], lacking, source.columns, settings));
    return text === "" ? [] : [text];
  };

  const { count } = asked;
  const naming = source.naming ?? defaultFields[0];
  if (count !== undefined && isTotal(count, source)) {
    const names = naming === undefined || rows.length > MAX_NAMED ? [] : rows.flatMap(({ [naming]: name }) => (name ? [cell(name)] : []));
    const notes = [...(names.length > 0 ? [`${[...new Set(names)].join(", ")}.`] : []), ...conditionNotes, ...source.notes];
    return { ...common, rows: [], isCounted: true, fields: [], defaultFields: [], next: () => undefined, notes };
  }
  if (count !== undefined) {
    const by = named("count", count);
    const counted = await countedRows(rows, by, {
      rows: noun[1],
      vehicle: vehicle === undefined ? undefined : { field: vehicle, column: VEHICLE[1] },
    });
    const { rows: shown, next } = await pagination.page(flat(counted), undefined, cursor, limit);
    const page = shown.map(({ row }) => row);
    const columns = Object.keys(counted[0] ?? {});
    const notes = [
      `Counted by ${by}${source.part ? ", among these only" : ""}: ${pluralize(counted.length, ["value", "values"])}${asked.sort ? ", the most frequent first; sort has no effect on counts" : ""}.`,
      ...absent(by, (_, reasons) => reasons && `${NO_VALUE}: ${reasons}.`),
      ...conditionNotes,
      ...source.notes,
    ];
    return { ...common, rows: page, isCounted: true, fields: columns, defaultFields: columns, next, notes };
  }

  const { rows: shown, next } = await pagination.page(flat(rows), undefined, cursor, limit);
  const page = shown.map(({ row }) => row);
  const columns: Readonly<Record<string, Column>> = source.columns.shown(now());
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
    times,
  });
  const isSaid = state === undefined || shownByDefault.includes(state) || conditions.some(({ field }) => field === state);
  const allHave = !isSaid && typeof is === "boolean" ? [`All shown: ${state} ${is}.`] : [];
  const chosen = source.hasNoFields || !asked.fields ? undefined : requestedFields(asked.fields, source);
  const isNamed = naming === undefined || !page.some((row) => row[naming] !== undefined);
  const requested = chosen && [...new Set([...(isNamed || chosen.fields.includes(naming) ? [] : [naming]), ...chosen.fields])];
  return {
    ...common,
    rows: page,
    fields: known,
    defaultFields: shownByDefault,
    requested,
    columns,
    next,
    notes: [
      ...(source.part && asked.sort ? ["Sorted among these only."] : []),
      ...sorted.flatMap((field) => absent(field, (count, reasons) => `Without ${field}, last: ${count}${inBrackets(reasons)}.`)),
      ...conditionNotes,
      ...(chosen?.notes ?? []),
      ...(chosen || source.moreFields ? [] : [...allHave, ...leftNote(left.filter((field) => field !== state))]),
      ...source.notes,
      ...source.notesOn(page, requested ?? shownByDefault),
    ],
  };
}
