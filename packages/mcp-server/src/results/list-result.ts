import { FleetError } from "@fleetwire/core";
import { cell, clipped, isClipped, type Lengths, plainText, SHORTENED, TIGHT, USUAL } from "./cell.ts";
import { largestFitting, leftOut, noteOf, type ToolResult } from "./tool-result.ts";

export type Row = Record<string, unknown>;

export interface ListPart {
  /** What the list is of, in the plural: "vehicles". */
  what: string;
  rows: readonly Row[];
  /** Rows in all, or whatever the service counts. */
  total?: number | undefined;
  /** What `total` counts where that is not the rows. */
  totalOf?: string;
  /** Every field that can be asked for. */
  fields: readonly string[];
  defaultFields: readonly string[];
  /** The cursor of what follows once `shown` rows were shown, or undefined at the end. */
  next: (shown: number) => string | undefined;
  notes?: readonly string[];
  /** How fields are shown in the text, where their name or value alone says too little; the record keeps both as they are. */
  columns?: Readonly<Record<string, Column>>;
}

/** A field in a table for reading. */
export interface Column {
  /** Stands behind the field's name: "km/h". */
  unit?: string;
  /** The value with what it means. */
  show?: (value: unknown) => unknown;
}

/** The fields to show: those asked for, else the default ones. A name that does not exist is refused with those that do. */
function chosenFields(asked: readonly string[] | undefined, { fields, defaultFields }: ListPart): readonly string[] {
  if (asked === undefined || asked.length === 0) return defaultFields;
  const unknown = asked.filter((field) => !fields.includes(field)).map((field) => cell(field));
  if (unknown.length > 0) {
    throw new FleetError("input", `fields: no such field: ${unknown.slice(0, 5).join(", ")}`, {
      advice: `Choose from ${fields.join(", ")}`,
    });
  }
  return [...new Set(asked)];
}

function pick(row: Row, fields: readonly string[], lengths: Lengths): Row {
  return Object.fromEntries(fields.map((field) => [plainText(field, 64), clipped(row[field], lengths)]));
}

/** A list as a compact table and as records, cut to the budget, with a plain statement of what was left out and how to get it. */
export function listResult(part: ListPart, asked: { fields?: readonly string[] | undefined }, budget: number): ToolResult {
  const { what, rows, total, totalOf, next, notes = [], columns: shownAs = {} } = part;
  const fields = chosenFields(asked.fields, part);
  // A column that no row fills says nothing; it stays where it was asked for.
  const filled = asked.fields?.length ? fields : fields.filter((field) => rows.some((row) => row[field] !== undefined));

  const resultOf = (count: number, columns: readonly string[], lengths: Lengths): ToolResult => {
    const shown = rows.slice(0, count);
    const cursor = next(count);
    const note = noteOf(
      [
        ...(columns.length < filled.length ? [`${leftOut(filled.slice(columns.length))} Ask for fewer fields.`] : []),
        ...(shown.some((row) => columns.some((field) => isClipped(row[field], lengths))) ? [SHORTENED] : []),
        ...notes,
      ],
      budget,
    );
    const counted =
      total === undefined ? `${count} ${what}` : totalOf ? `${count} ${what}; ${total} ${totalOf} in all` : `${count} of ${total} ${what}`;
    const header = columns.map((field) => (shownAs[field]?.unit === undefined ? field : `${field} ${shownAs[field].unit}`));
    const lines = [header, ...shown.map((row) => columns.map((field) => shownAs[field]?.show?.(row[field]) ?? row[field]))];
    return {
      text: [
        `${counted}.${note === undefined ? "" : ` ${note}`}`,
        ...(count === 0 || columns.length === 0 ? [] : lines.map((line) => line.map((value) => cell(value, lengths)).join(" | "))),
        ...(cursor === undefined ? [] : [`More: same call with cursor "${cursor}".`]),
      ].join("\n"),
      structured: {
        // JSON leaves out what is undefined.
        ...(total !== undefined && { total, totalOf }),
        returned: count,
        items: shown.map((row) => pick(row, columns, lengths)),
        next: cursor,
        note,
      },
    };
  };

  const fitting =
    largestFitting(rows.length, budget, (count) => resultOf(count, filled, USUAL), Math.min(1, rows.length)) ??
    // One row at least, so that whoever follows the cursors gets on.
    largestFitting(filled.length, budget, (count) => resultOf(Math.min(1, rows.length), filled.slice(0, count), TIGHT));
  if (fitting) return fitting;
  throw new FleetError("input", `${what}: the answer does not fit FLEET_MAX_RESULT_TOKENS`, {
    advice: "Ask for fewer fields, or raise the budget",
  });
}

/** The JSON Schema of what {@link listResult} gives. */
export function listOutputSchema(itemProperties: Record<string, unknown>): Record<string, unknown> {
  return {
    type: "object",
    properties: {
      total: { type: "integer", description: "Count in all" },
      totalOf: { type: "string", description: "What the total counts, where that is not the rows" },
      returned: { type: "integer", description: "Rows in this answer" },
      items: { type: "array", items: { type: "object", properties: itemProperties } },
      next: { type: "string", description: "Cursor of the rest" },
      note: { type: "string", description: "What was left out or shortened" },
    },
    required: ["returned", "items"],
  };
}
