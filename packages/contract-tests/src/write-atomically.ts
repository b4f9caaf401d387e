import { accessSync, constants, existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CouldNotRun } from "./cli/exit-codes.ts";

/** A device or a pipe is written to, and never replaced. */
const isReplaced = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** Refuses a place that nothing can be written to, before long work is done for it. */
export function checkWritable(path: string): void {
  const above = [resolve(path)];
  while (!existsSync(above[0] as string)) above.unshift(dirname(above[0] as string));
  const [nearest = "."] = above;
  try {
    accessSync(nearest, constants.W_OK);
    if (above.length > 1 && !statSync(nearest).isDirectory()) throw new Error("it is no folder");
  } catch {
    throw new CouldNotRun(`${path} cannot be written`);
  }
}

/** Writes files so that each is complete or as it was: all of them are written beside their places first. */
export function writeAtomically(texts: ReadonlyMap<string, string>): void {
  const replaced = [...texts.keys()].filter(isReplaced);
  const part = (file: string) => `${file}.part`;
  try {
    for (const [file, text] of texts) writeFileSync(replaced.includes(file) ? part(file) : file, text);
    for (const file of replaced) renameSync(part(file), file);
  } finally {
    for (const file of replaced) rmSync(part(file), { force: true });
  }
}
