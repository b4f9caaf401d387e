import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** A device or a pipe is written to, and never replaced. */
const isReplaced = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** Writes files so that each is complete or as it was: all of them are written beside their places first. */
export function writeWhole(texts: ReadonlyMap<string, string>): void {
  const replaced = [...texts.keys()].filter(isReplaced);
  const part = (file: string) => `${file}.part`;
  try {
    for (const [file, text] of texts) writeFileSync(replaced.includes(file) ? part(file) : file, text);
    for (const file of replaced) renameSync(part(file), file);
  } finally {
    for (const file of replaced) rmSync(part(file), { force: true });
  }
}
