import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CouldNotRun } from "./cli/exit-codes.ts";

/** Devices and pipes are written to, never replaced. */
const isReplaced = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** Throws if a path cannot be written, before any lengthy work starts. */
export function checkWritable(path: string): void {
  const above = [resolve(path)];
  while (!existsSync(above[0] as string)) above.unshift(dirname(above[0] as string));
  const [nearest = "."] = above;
  try {
    accessSync(nearest, constants.W_OK);
    if (above.length > 1 && !statSync(nearest).isDirectory()) throw new Error("not a folder");
  } catch {
    throw new CouldNotRun(`${path} cannot be written`);
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
