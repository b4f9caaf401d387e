/** What a command is run for: stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What accompanies it: stderr, so that output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Rows as columns of equal width; numbers to the right. */
export function columns(rows: readonly (readonly (string | number)[])[]): string {
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
