import type { FleetToolResult } from "@fleetwire/tools";
import { jsonEscapes } from "@fleetwire/tools/host";

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** What a terminal obeys or hides: controls but the newline and the tab, marks of direction, line separators, tag characters. */
const ACTING = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** A text without what acts on a terminal: it is shown as escapes that JSON has too, so that JSON still says the same. */
export function forTerminal(text: string): string {
  return text.replace(ACTING, jsonEscapes);
}

/** The one place that writes for people to stdout; the stdio verb never comes here. */
export function print(text: string): void {
  process.stdout.write(`${forTerminal(text)}\n`);
}

/** What is no answer, on stderr. */
function printError(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

/** One line for people that is no answer, on stderr. */
export function notify(message: string): void {
  printError(`fleetwire-mcp: ${message.replace(/\s*\n\s*/g, " ")}`);
}

let refusalsAsJson = false;

/** From now on whatever is refused is also printed as JSON on stdout: a program that reads one form should not have to read another one. */
export function printRefusalsAsJson(): void {
  refusalsAsJson = true;
}

/** Ends the process with one line on stderr. */
export function fail(message: string, exitCode: number, code = "usage"): never {
  if (refusalsAsJson) print(JSON.stringify({ ok: false, code, error: message }, null, 2));
  notify(message);
  process.exit(exitCode);
}

/** Prints what a tool said as it failed, and sets the exit code. */
export function printFailure({ text, structured }: Extract<FleetToolResult, { ok: false }>): void {
  if (refusalsAsJson) print(JSON.stringify({ ok: false, code: structured.error.code, error: text }, null, 2));
  printError(text);
  process.exitCode = EXIT_FAILED;
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
