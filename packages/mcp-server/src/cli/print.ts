import { readFileSync } from "node:fs";
import { forTerminal } from "@fleetwire/core/internal";
import type { FleetToolResult } from "@fleetwire/tools";

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** The version of this package. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

const watched = new WeakSet<object>();

/** Ends the process when stdout cannot be written: quietly if nobody reads it any more, as in `fleetwire-mcp tools | head -1`. */
function endWithReader(stdout: NodeJS.WriteStream): void {
  if (watched.has(stdout)) return;
  watched.add(stdout);
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    notify(`stdout cannot be written: ${error.message}`);
    process.exit(EXIT_FAILED);
  });
}

/** Prints a result to stdout, which is otherwise reserved for the protocol. */
export function print(text: string): void {
  endWithReader(process.stdout);
  process.stdout.write(`${forTerminal(text)}\n`);
}

/** Whether what is printed is read by a person. */
export const isTerminal = (): boolean => process.stdout.isTTY === true;

/** Prints errors and notices to stderr, if anybody reads it: what cannot be reported must not change the exit code. */
function printError(text: string): void {
  if (!watched.has(process.stderr)) process.stderr.on("error", () => {});
  watched.add(process.stderr);
  process.stderr.write(`${forTerminal(text)}\n`);
}

let version: string | undefined;

/** Prints notices and errors as lines of a log, with the version, so that whoever collects it can read every line; undefined ends that. */
export function printLinesAsJson(running: string | undefined): void {
  version = running;
}

// As in the log.
const INFO = 30;
const ERROR = 50;

/** Prints a one-line notice to stderr. */
export function notify(message: string, level = INFO): void {
  const msg = message.replace(/\s*\n\s*/g, " ");
  printError(version === undefined ? `fleetwire-mcp: ${msg}` : JSON.stringify({ level, time: new Date().toISOString(), version, msg }));
}

let errorsAsJson = false;

/** Sets whether errors are also printed to stdout as JSON, so that programs need to read only one format. */
export function printErrorsAsJson(wanted: boolean): void {
  errorsAsJson = wanted;
}

/** Prints a one-line error to stderr and ends the process. */
export function fail(message: string, exitCode: number, code = "usage"): never {
  if (errorsAsJson) print(JSON.stringify({ ok: false, code, error: message }, null, 2));
  notify(message, ERROR);
  process.exit(exitCode);
}

/** Prints the text of a failed tool call and sets the exit code. */
export function printFailure({ text, structured }: Extract<FleetToolResult, { ok: false }>): void {
  if (errorsAsJson) print(JSON.stringify({ ok: false, code: structured.error.code, error: text }, null, 2));
  printError(text);
  process.exitCode = EXIT_FAILED;
}
