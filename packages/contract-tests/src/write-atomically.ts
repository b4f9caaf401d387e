import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CouldNotRun } from "./cli/print.ts";

/** Devices and pipes are written to, never replaced. */
const isReplaced = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** Throws if a file, or files in a folder, cannot be written, before any lengthy work starts. */
export function checkWritable(path: string, kind: "file" | "folder"): void {
  if (path === "") throw new CouldNotRun(`the path of the output ${kind} is empty`);
  const wanted = resolve(path);
  let nearest = wanted;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  const isFolder = statSync(nearest).isDirectory();
  const exists = nearest === wanted;
  if (exists && isFolder !== (kind === "folder")) {
    throw new CouldNotRun(`${path} is a ${isFolder ? "folder, not a file" : "file, not a folder"}`);
  }
  // A file is replaced with one written next to it.
  const written = exists && !isFolder && isReplaced(wanted) ? dirname(wanted) : nearest;
  try {
    accessSync(written, constants.W_OK);
    if (!exists && !isFolder) throw new Error("not a folder");
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
