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

export type Row = Record<string, unknown>;

export interface ListPage extends RowCounts {
  rows: readonly Row[];
  /** The fields to show, and whether the model asked for just these: then, none is shortened, nor left out because all of its values are absent. */
  fields: readonly string[];
  isRequested?: boolean;
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

const instantOf = (value: unknown, column: Column | undefined) => (column?.isInstant ? parseDateTime(value) : instantIn(value));

/** Converts a value for the text and for the record. */
export function shownValue(value: unknown, column: Column | undefined, times: ZonedTimes, limits: ClipLimits) {
  const instant = instantOf(value, column);
  if (instant !== undefined) return { text: times.text(instant), record: times.iso(instant), isInstant: true };
  const record = times.localized(clipped(value, limits));
  return { text: typeof value === "object" ? record : value, record, isInstant: false };
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

/** Renders a list as a compact table and as a record with the same columns and rows, cut to the budget, and says what was left out and how to get it. */
export function listResult(page: ListPage): Render {
  const { what, part, total, vehicles, fields, isRequested = false, columns: explained = {}, next, notes = [], times } = page;
  const rows = isRequested ? page.rows : briefRows(page.rows, fields, page);
  // Empty columns are dropped unless requested.
  const filled = isRequested ? fields : fields.filter((field) => rows.some((row) => row[field] !== undefined));
  const meaningOf = (field: string) => (isRequested ? explained[field]?.meaning : undefined);

  const rendered = (budget: number, count: number, columns: readonly string[], limits: ClipLimits): ToolResult => {
    const shown = rows.slice(0, count);
    const cursor = next(count);
    const values = shown.map((row) =>
      columns.map((field) => {
        const meaning = meaningOf(field);
        return { ...shownValue(row[field], explained[field], times, limits), ...(meaning && { means: meaning.of(row[field]) ?? null }) };
      }),
    );
    const hasInstants = page.rows
      .slice(0, count)
      .some((row) => columns.some((field) => instantOf(row[field], explained[field]) !== undefined));
    const sentences = [
      ...(columns.length < filled.length ? [`${leftOutNote(filled.slice(columns.length))} Request fewer fields.`] : []),
      ...(shown.some((row) => columns.some((field) => isClipped(row[field], limits))) ? [SHORTENED_NOTE] : []),
      ...notes,
      ...(hasInstants ? [times.note] : []),
      ...unitsOf(columns, explained),
    ];
    const note = noteWithinBudget(sentences, budget);
    const head = `${headline(count, page)}.`;
    const remarks = [...(part ? [head] : []), ...(cursor === undefined ? [] : [MORE]), ...(note === undefined ? [] : [note])];
    const cells = values.map((row) => row.map(({ text, means }) => (typeof means === "string" ? `${text} (${means})` : text)));
    return {
      text: [
        `${head}${note === undefined ? "" : ` ${note}`}`,
        ...(count === 0 || columns.length === 0
          ? []
          : [columns, ...cells].map((line) => line.map((value) => cell(value, limits)).join(" | "))),
        ...(cursor === undefined ? [] : [`More: repeat this call with cursor "${cursor}".`]),
      ].join("\n"),
      structured: {
        // Undefined values are omitted from JSON.
        ...(total !== undefined && !part && { total, vehicles }),
        returned: count,
        columns: columns.flatMap((field) => [singleLine(field, 64), ...(meaningOf(field) ? [meaningOf(field)?.field] : [])]),
        rows: values.map((row) => row.flatMap(({ record = null, means }) => (means === undefined ? [record] : [record, means]))),
        next: cursor,
        note: remarks.length === 0 ? undefined : remarks.join(" "),
      },
    };
  };

  // Next to the field that names the rows.
  const isSingleField = isRequested && fields.length <= 2;
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

/** The JSON Schema for a tool that returns {@link listResult} or a question about a name. `meanings` explains columns whose names do not. */
export function compactOutputSchema(meanings: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const explained = Object.entries(meanings).flatMap(([column, meaning]) => (meaning === "" ? [] : [`${column}: ${meaning}`]));
  return {
    type: "object",
    properties: {
      total: { type: "integer", description: "Total count" },
      vehicles: { type: "integer", description: "Different vehicles among the total" },
      returned: { type: "integer", description: "Rows in this result" },
      // Values of any type cannot be declared in a way that all hosts accept, so rows is left undeclared.
      columns: {
        type: "array",
        items: { type: "string" },
        description: ["Names of the values in each row", ...explained].join("; "),
      },
      next: { type: "string", description: "Cursor for more" },
      note: { type: "string", description: "Remarks, and how to get the rest" },
      ...questionProperties,
    },
  };
}
