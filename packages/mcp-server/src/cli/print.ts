/** The one place that writes for people to stdout; the stdio verb never comes here. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line for people that is no answer, on stderr. */
export function notify(message: string): void {
  process.stderr.write(`fleetwire-mcp: ${message.replace(/\s*\n\s*/g, " ")}\n`);
}

/** Ends the process with one line on stderr. */
export function fail(message: string, exitCode: number): never {
  notify(message);
  process.exit(exitCode);
}

/** Rows as columns of equal width; numbers to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows
    .map((row) =>
      row
        .map((value, column) =>
          typeof value === "number" ? String(value).padStart(widths[column] ?? 0) : value.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
