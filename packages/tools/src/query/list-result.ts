import { FleetError } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type { Render, ToolResult } from "../model/tool-result.ts";
import { questionProperties } from "../names/name-question.ts";
import {
  type ClipLimits,
  cell,
  clipped,
  DEFAULT_LIMITS,
  isClipped,
  SHORTENED_NOTE,
  singleLine,
  TIGHT_LIMITS,
  wholeWithin,
} from "../text/clip-values.ts";
import { headline, type RowCounts } from "../text/list-headline.ts";
import { briefTime, instantIn, type ZonedTimes } from "../text/time.ts";
import { largestWithinBudget, leftOutNote, noteWithinBudget, resultTokens } from "../text/token-budget.ts";
import { requestedFields } from "./row-fields.ts";
import { type FieldsAsked, fieldList } from "./tool-input.ts";

export type Row = Record<string, unknown>;

export interface ListPage extends RowCounts {
  rows: readonly Row[];
  /** Whether the record has the rows as lists of values, which costs a model a third of the tokens. */
  isCompact?: boolean;
  /** All fields that can be requested. */
  fields: readonly string[];
  defaultFields: readonly string[];
  /** Returns the cursor for the page after the first `shown` rows; undefined at the end. */
  next: (shown: number) => string | undefined;
  notes?: readonly string[];
  times: ZonedTimes;
  /** Explanations of fields that are not clear from their name and value. */
  columns?: Columns;
}

/** Explains a field. In the record, its meaning is added as a separate field. */
export interface Column {
  /** Whether values without an offset are instants in UTC. */
  isInstant?: boolean;
  /** Whether the time of day matters even if it is long ago. */
  hasTime?: boolean;
  /** Listed in the note, such as "km/h". */
  unit?: string;
  /** The name of the added field, and a function that returns its text for a value, such as an age or a direction. */
  meaning?: { field: string; of: (value: unknown) => string | undefined };
}

/** The explanations of fields, by name. */
export type Columns = Readonly<Record<string, Column>>;

const MORE = "More: repeat this call with next as cursor.";

/** Returns the instant that a field holds, if any. */
export const instantOf = (value: unknown, column: Column | undefined) => (column?.isInstant ? parseDateTime(value) : instantIn(value));

/** Converts a row to a record. */
function pick(row: Row, fields: readonly string[], { columns = {}, times }: ListPage, limits: ClipLimits): Row {
  return Object.fromEntries(
    fields.flatMap((field): [string, unknown][] => {
      const { meaning } = columns[field] ?? {};
      const means = meaning?.of(row[field]);
      const instant = instantOf(row[field], columns[field]);
      return [
        [singleLine(field, 64), instant === undefined ? times.localized(clipped(row[field], limits)) : times.iso(instant)],
        ...(meaning && means !== undefined ? [[meaning.field, means] as [string, string]] : []),
      ];
    }),
  );
}

/** Converts a row to the values of a compact record, in the order of {@link compactColumns}. */
function compactRow(row: Row, fields: readonly string[], page: ListPage, limits: ClipLimits): unknown[] {
  return fields.flatMap((field) => {
    const { meaning } = page.columns?.[field] ?? {};
    const { [singleLine(field, 64)]: value = null } = pick(row, [field], page, limits);
    return meaning ? [value, meaning.of(row[field]) ?? null] : [value];
  });
}

const compactColumns = (fields: readonly string[], { columns = {} }: ListPage): string[] =>
  fields.flatMap((field) => {
    const { meaning } = columns[field] ?? {};
    return [singleLine(field, 64), ...(meaning ? [meaning.field] : [])];
  });

/** Converts a row to table cells, each meaning in brackets after its value. */
function cellsOf(row: Row, fields: readonly string[], { columns = {}, times }: ListPage, limits: ClipLimits): unknown[] {
  const nested = (value: unknown) => (typeof value === "object" ? times.localized(clipped(value, limits)) : value);
  return fields.map((field) => {
    const means = columns[field]?.meaning?.of(row[field]);
    const instant = instantOf(row[field], columns[field]);
    const value = instant === undefined ? nested(row[field]) : times.text(instant);
    return means === undefined ? value : `${value} (${means})`;
  });
}

/** Returns a sentence with the units of the fields shown, if any. */
export function unitsOf(fields: readonly string[], columns: Columns): string[] {
  const units = fields.flatMap((field) => (columns[field]?.unit === undefined ? [] : [`${field} ${columns[field].unit}`]));
  return units.length === 0 ? [] : [`Units: ${units.join(", ")}.`];
}

/** Shortens the values of some fields: a list of one value to that value, an instant to a {@link briefTime}. */
export function briefRows(
  rows: readonly Row[],
  fields: readonly string[],
  { columns = {}, times }: Pick<ListPage, "columns" | "times">,
): Row[] {
  return rows.map((row) => {
    let before: number | undefined;
    const briefValue = (value: unknown, field: string) => {
      if (Array.isArray(value) && value.length === 1 && typeof value[0] !== "object") return value[0];
      const instant = instantOf(value, columns[field]);
      if (instant === undefined) return value;
      const text = briefTime(instant, times, { before, hasTime: columns[field]?.hasTime });
      before = instant;
      return text;
    };
    return Object.fromEntries(fields.map((field) => [field, briefValue(row[field], field)]));
  });
}

const withoutMeanings = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([field, { meaning: _, ...column }]) => [field, column]));

/** Renders a list as a compact table and as records, cut to the budget, and says what was left out and how to get it. */
export function listResult(page: ListPage, asked: { fields?: FieldsAsked }): Render {
  const { what, part, total, totalOf, vehicles, isCompact, next, times } = page;
  const written = fieldList(asked.fields);
  const requested = written?.length ? requestedFields(written, { fields: page.fields, shape: {} }) : undefined;
  const { fields, notes } = {
    fields: requested?.fields ?? page.defaultFields,
    notes: [...(requested?.notes ?? []), ...(page.notes ?? [])],
  };
  const isBrief = isCompact && !requested;
  const shownPage = isBrief ? { ...page, rows: briefRows(page.rows, fields, page), columns: withoutMeanings(page.columns ?? {}) } : page;
  const { rows, columns: shownAs = {} } = shownPage;
  // Empty columns are dropped unless requested.
  const filled = requested ? fields : fields.filter((field) => rows.some((row) => row[field] !== undefined));
  const hasInstants = (count: number, columns: readonly string[]) =>
    page.rows.slice(0, count).some((row) => columns.some((field) => instantOf(row[field], shownAs[field]) !== undefined));

  const rendered = (budget: number, count: number, columns: readonly string[], limits: ClipLimits): ToolResult => {
    const shown = rows.slice(0, count);
    const cursor = next(count);
    const sentences = [
      ...(columns.length < filled.length ? [`${leftOutNote(filled.slice(columns.length))} Request fewer fields.`] : []),
      ...(shown.some((row) => columns.some((field) => isClipped(row[field], limits))) ? [SHORTENED_NOTE] : []),
      ...notes,
      ...(hasInstants(count, columns) ? [times.note] : []),
      ...unitsOf(columns, shownAs),
    ];
    const note = noteWithinBudget(sentences, budget);
    const head = `${headline(count, shownPage)}.`;
    const remarks = [...(part ? [head] : []), ...(cursor === undefined ? [] : [MORE]), ...(note === undefined ? [] : [note])];
    const lines = [columns, ...shown.map((row) => cellsOf(row, columns, shownPage, limits))];
    return {
      text: [
        `${head}${note === undefined ? "" : ` ${note}`}`,
        ...(count === 0 || columns.length === 0 ? [] : lines.map((line) => line.map((value) => cell(value, limits)).join(" | "))),
        ...(cursor === undefined ? [] : [`More: repeat this call with cursor "${cursor}".`]),
      ].join("\n"),
      structured: {
        // Undefined values are omitted from JSON.
        ...(total !== undefined && !part && { total, totalOf: totalOf?.[1], vehicles }),
        returned: count,
        ...(isCompact
          ? { columns: compactColumns(columns, shownPage), rows: shown.map((row) => compactRow(row, columns, shownPage, limits)) }
          : { items: shown.map((row) => pick(row, columns, shownPage, limits)) }),
        next: cursor,
        note: remarks.length === 0 ? undefined : remarks.join(" "),
      },
    };
  };

  // Next to the field that names the rows.
  const isSingleField = requested !== undefined && fields.length <= 2;
  const isWhole = isSingleField || rows.length === 1;

  return (budget) => {
    const whole = isWhole ? rendered(budget, rows.length, filled, wholeWithin(budget)) : undefined;
    if (whole && resultTokens(whole) <= budget) return whole;
    const fitting =
      largestWithinBudget(rows.length, budget, (count) => rendered(budget, count, filled, DEFAULT_LIMITS), Math.min(1, rows.length)) ??
      // At least one row is shown, so that each cursor makes progress.
      largestWithinBudget(filled.length, budget, (count) =>
        rendered(budget, Math.min(1, rows.length), filled.slice(0, count), TIGHT_LIMITS),
      );
    if (fitting) return fitting;
    throw new FleetError("input", `${what[1]}: the result does not fit FLEET_MAX_RESULT_TOKENS`, {
      advice: "Request fewer fields, or raise the budget",
    });
  };
}

const LISTED = {
  total: { type: "integer", description: "Total count" },
  returned: { type: "integer", description: "Rows in this result" },
  next: { type: "string", description: "Cursor for more" },
  note: { type: "string", description: "Remarks, and how to get the rest" },
};

/** The schema of a list, from what accompanies its total and what holds its rows. */
function outputSchemaOf(besideTotal: object, rows: object): Record<string, unknown> {
  const { total, returned, ...rest } = LISTED;
  return { type: "object", properties: { total, ...besideTotal, returned, ...rows, ...rest, ...questionProperties } };
}

/** The JSON Schema for a tool that returns {@link listResult} or a question about a name. */
export const listOutputSchema = (itemProperties: Record<string, unknown>): Record<string, unknown> =>
  outputSchemaOf(
    { totalOf: { type: "string", description: "What total counts, if not rows" } },
    { items: { type: "array", items: { type: "object", properties: itemProperties } } },
  );

/** Like {@link listOutputSchema}, for a compact list. `meanings` explains columns whose names do not. */
export function compactOutputSchema(meanings: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const explained = Object.entries(meanings).flatMap(([column, meaning]) => (meaning === "" ? [] : [`${column}: ${meaning}`]));
  return outputSchemaOf(
    { vehicles: { type: "integer", description: "Different vehicles among the total" } },
    // Values of any type cannot be declared in a way that all hosts accept, so rows is left undeclared.
    {
      columns: {
        type: "array",
        items: { type: "string" },
        description: ["Names of the values in each row", ...explained].join("; "),
      },
    },
  );
}
