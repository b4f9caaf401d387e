/** A Markdown table with padded columns, as a formatter would write it. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "-"), ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))];
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line, at) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0, at === 1 ? "-" : " ")).join(" | ")} |`)
    .join("\n");
}
