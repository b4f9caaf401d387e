import { FleetError, parseDateTime } from "@fleetwire/core";
import { largestWithinBudget, leftOutNote, noteWithinBudget } from "./budget.ts";
import { type ClipLimits, cell, clipped, DEFAULT_LIMITS, isClipped, SHORTENED_NOTE, singleLine, TIGHT_LIMITS } from "./clip-values.ts";
import { questionProperties } from "./name-question.ts";
import { type Noun, pluralize } from "./pluralize.ts";
import { quotation } from "./quotation.ts";
import { instantIn, type ZonedTimes } from "./time.ts";
import type { Render, ToolResult } from "./tool-result.ts";

export type Row = Record<string, unknown>;

export interface ListPage {
  /** The noun for the rows. */
  what: Noun;
  rows: readonly Row[];
  /** The total number of rows, or of what `totalOf` names. */
  total?: number | undefined;
  /** What `total` counts, if not rows. */
  totalOf?: Noun;
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
  /** Listed in the note, such as "km/h". */
  unit?: string;
  /** The name of the added field, and a function that returns its text for a value, such as an age or a direction. */
  meaning?: { field: string; of: (value: unknown) => string | undefined };
}

/** The explanations of fields, by name. */
export type Columns = Readonly<Record<string, Column>>;

const MORE = "More: repeat this call with next as cursor.";

/** The fields to show: those requested, or the default fields. Throws if a field is unknown, and lists the known ones. */
function chosenFields(requested: readonly string[] | undefined, { fields, defaultFields }: ListPage): readonly string[] {
  if (requested === undefined || requested.length === 0) return defaultFields;
  const unknown = requested.filter((field) => !fields.includes(field)).map((field) => cell(field));
  if (unknown.length > 0) {
    throw new FleetError("input", `fields: no such field: ${unknown.slice(0, 5).join(", ")}`, {
      // Undocumented field names come from the service, so unusual ones are quoted.
      advice: `Choose from ${fields.map((field) => (/^\w+$/.test(field) ? field : quotation(field))).join(", ")}`,
    });
  }
  return [...new Set(requested)];
}

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

/** Renders a list as a compact table and as records, cut to the budget, and says what was left out and how to get it. */
export function listResult(part: ListPage, requested: { fields?: readonly string[] | undefined }): Render {
  const { what, rows, total, totalOf, next, notes = [], columns: shownAs = {}, times } = part;
  const fields = chosenFields(requested.fields, part);
  // Empty columns are dropped unless requested.
  const filled = requested.fields?.length ? fields : fields.filter((field) => rows.some((row) => row[field] !== undefined));

  const resultOf = (budget: number, count: number, columns: readonly string[], limits: ClipLimits): ToolResult => {
    const shown = rows.slice(0, count);
    const cursor = next(count);
    const sentences = [
      ...(columns.length < filled.length ? [`${leftOutNote(filled.slice(columns.length))} Request fewer fields.`] : []),
      ...(shown.some((row) => columns.some((field) => isClipped(row[field], limits))) ? [SHORTENED_NOTE] : []),
      ...notes,
      ...(shown.some((row) => columns.some((field) => instantOf(row[field], shownAs[field]) !== undefined)) ? [times.note] : []),
      ...unitsOf(columns, shownAs),
    ];
    const note = noteWithinBudget(sentences, budget);
    const inAll =
      total === undefined
        ? pluralize(count, what)
        : totalOf
          ? `${pluralize(count, what)}; ${pluralize(total, totalOf)} in all`
          : `${count} of ${pluralize(total, what)}`;
    const lines = [columns, ...shown.map((row) => cellsOf(row, columns, part, limits))];
    return {
      text: [
        `${inAll}.${note === undefined ? "" : ` ${note}`}`,
        ...(count === 0 || columns.length === 0 ? [] : lines.map((line) => line.map((value) => cell(value, limits)).join(" | "))),
        ...(cursor === undefined ? [] : [`More: repeat this call with cursor "${cursor}".`]),
      ].join("\n"),
      structured: {
        // Undefined values are omitted from JSON.
        ...(total !== undefined && { total, totalOf: totalOf?.[1] }),
        returned: count,
        items: shown.map((row) => pick(row, columns, part, limits)),
        next: cursor,
        note: cursor === undefined ? note : [MORE, ...(note === undefined ? [] : [note])].join(" "),
      },
    };
  };

  return (budget) => {
    const fitting =
      largestWithinBudget(rows.length, budget, (count) => resultOf(budget, count, filled, DEFAULT_LIMITS), Math.min(1, rows.length)) ??
      // At least one row is shown, so that each cursor makes progress.
      largestWithinBudget(filled.length, budget, (count) =>
        resultOf(budget, Math.min(1, rows.length), filled.slice(0, count), TIGHT_LIMITS),
      );
    if (fitting) return fitting;
    throw new FleetError("input", `${what[1]}: the result does not fit FLEET_MAX_RESULT_TOKENS`, {
      advice: "Request fewer fields, or raise the budget",
    });
  };
}

/** The JSON Schema for a tool that returns {@link listResult} or a question about a name. */
export function listOutputSchema(itemProperties: Record<string, unknown>): Record<string, unknown> {
  return {
    type: "object",
    properties: {
      total: { type: "integer", description: "Total count" },
      totalOf: { type: "string", description: "What total counts, if not rows" },
      returned: { type: "integer", description: "Rows in this result" },
      items: { type: "array", items: { type: "object", properties: itemProperties } },
      next: { type: "string", description: "Cursor for more" },
      note: { type: "string", description: "Remarks, and how to get the rest" },
      ...questionProperties,
    },
  };
}
