import { metadataOf, type RowQuery } from "@fleetwire/core";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { cell } from "../text/clip-values.ts";
import { type Noun, pluralize, VEHICLE } from "../text/pluralize.ts";
import { timesOf } from "../text/time.ts";
import type { CursorParts } from "./keyset.ts";
import type { ListPage, Row } from "./list-result.ts";
import type { WrittenCondition } from "./matching-rows.ts";
import { type FilteredSource, rowsWhere } from "./matching-rows.ts";
import type { RowColumns } from "./row-columns.ts";
import { inBrackets, isAbsent, reasonsAbsent } from "./row-columns.ts";
import { countedRows, countOrder, differentValues, inUnits, NO_VALUE, readCount, sortedCounts, unitFor } from "./row-counts.ts";
import { fieldMeant, type KnownFields, requestedFields, requireField } from "./row-fields.ts";
import { type Pager, type RowOrder, readOrder, sortedPager, unsortedPager } from "./row-order.ts";
import { MAX_DETAILED, shownColumns, TOKENS_OF_UNDOCUMENTED, TOKENS_PER_ROW } from "./shown-columns.ts";

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
  query: ListOrder;
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
export function pagerOf({ sort, count }: RowsAsked, query: ListOrder, fieldNamed: (field: string) => string): Pager {
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
export async function listPage(
  source: ListRows,
  asked: RowsAsked,
  { carried = [], last, limit }: Position,
  context: FleetContext,
): Promise<ListPage> {
  const { now, settings } = context;
  const { noun, fields: existing, shape, query, defaultFields, naming = query && defaultFields[0] } = source;
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
    const { field, unit: asUnit } = readCount(count, existing);
    const shown = source.columns.shown(now());
    const usual = query && readOrder(query.order).field;
    // A unit alone is that of the usual time, or of the first one.
    const instants = [...(usual === undefined ? [] : [usual]), ...existing].filter((field) => shown[field]?.isInstant);
    const by = requireField("count", field === "" ? (instants[0] ?? count) : field, source);
    const unit = shown[by]?.isInstant ? unitFor(rows, by, asUnit) : undefined;
    const counts = await countedRows(unit === undefined ? rows : inUnits(rows, by, unit, times), by, {
      rows: noun[1],
      vehicle: vehicle === undefined ? undefined : { field: vehicle, column: VEHICLE[1] },
      sums: existing.filter((field) => field !== by && (source.sums?.includes(field) || (shape[field] && metadataOf(shape[field])?.adds))),
    });
    const columns = Object.keys(counts[0] ?? {});
    const order = asked.sort && countOrder(asked.sort, by, columns, noun[1]);
    const counted = order
      ? sortedCounts(counts, order)
      : unit === undefined
        ? counts
        : sortedCounts(counts, { field: by, isDescending: false });
    const page = await pager.page(counted, cursor, limit);
    const ordered = order || !asked.sort ? "" : `; sort has no effect here, except by ${columns.join(", ")}`;
    const notes = [
      `Counted by ${by}${unit === undefined ? "" : ` in ${unit}s of ${times.zone}`}${source.part ? ", among these only" : ""}: ${pluralize(counted.length, ["value", "values"])}${ordered}.`,
      ...absent(by, (_, reasons) => reasons && `${NO_VALUE}: ${reasons}.`),
      ...conditionNotes,
      ...sourceNotes,
    ];
    return { ...common, ...page, isCounted: true, fields: columns, notes };
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
    rowTokens: source.rowTokens ?? (query ? TOKENS_PER_ROW : TOKENS_OF_UNDOCUMENTED),
    times,
  });
  const more = rows.length > MAX_DETAILED ? (source.moreFields ?? []).filter((field) => page.some((row) => !isAbsent(row[field]))) : [];
  const unshown = [...new Set([...left, ...more])].filter((field) => field !== state && !shownByDefault.includes(field));
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
