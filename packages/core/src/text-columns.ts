/** Formats rows as columns of equal width, with numbers right-aligned. */
export function textColumns(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? "").length)));
  const aligned = (value: string | number, width = 0) => (typeof value === "number" ? String(value).padStart(width) : value.padEnd(width));
  return rows
    .map((row) =>
      row
        .map((value, at) => aligned(value, widths[at]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
