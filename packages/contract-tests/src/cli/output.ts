import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { forTerminal, jsonEscapes } from "@fleetwire/core/internal";

/** Exit codes of every subcommand. */
export const EXIT = { holds: 0, broken: 1, couldNotRun: 2 } as const;

export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;

/** GitHub runs `::` at the beginning of a line, and `##[` anywhere, as a command of the workflow. */
const withoutCommands = (text: string): string => text.replace(/(?<=^[^\S\n]*):(?=:)|#(?=#\[)/gm, jsonEscapes);

/** Prints a command's output to stdout. */
export function print(text: string): void {
  process.stdout.write(`${withoutCommands(forTerminal(text))}\n`);
}

/** Prints messages to stderr, so that output can be piped. */
export function say(text: string): void {
  process.stderr.write(`${withoutCommands(forTerminal(text))}\n`);
}

/** Prints an error on one line. */
export const printError = (message: string): void => say(`fleetwire-contract: ${message.replace(/\s*\n\s*/g, " ")}`);

/** Prints a command of our own for GitHub, to stderr. */
export function annotate(line: string): void {
  process.stderr.write(`${forTerminal(line)}\n`);
}

/** Devices and pipes are written to, never replaced. */
const isReplaced = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** Throws if a file, or files in a folder, cannot be written, before any lengthy work starts. */
export function checkWritable(path: string, kind: "file" | "folder"): void {
  if (path === "") throw new Error(`the path of the output ${kind} is empty`);
  const wanted = resolve(path);
  let nearest = wanted;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  const isFolder = statSync(nearest).isDirectory();
  const exists = nearest === wanted;
  if (exists && isFolder !== (kind === "folder")) {
    throw new Error(`${path} is a ${isFolder ? "folder, not a file" : "file, not a folder"}`);
  }
  // A file is replaced with one written next to it.
  const written = exists && !isFolder && isReplaced(wanted) ? dirname(wanted) : nearest;
  try {
    accessSync(written, constants.W_OK);
    if (!exists && !isFolder) throw new Error("not a folder");
  } catch {
    throw new Error(`${path} cannot be written`);
  }
}

/** Writes all files or none, and the folders above them: each file is first written to a temporary one, then renamed. */
export function writeAtomically(texts: ReadonlyMap<string, string>): void {
  const replaced = [...texts.keys()].filter(isReplaced);
  const part = (file: string) => `${file}.part`;
  try {
    for (const file of replaced) mkdirSync(dirname(file), { recursive: true });
    for (const [file, text] of texts) writeFileSync(replaced.includes(file) ? part(file) : file, text);
    for (const file of replaced) renameSync(part(file), file);
  } finally {
    for (const file of replaced) rmSync(part(file), { force: true });
  }
}

export const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
