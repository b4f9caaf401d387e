import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TreeCopy } from "./tree-copy.ts";

const folder = fileURLToPath(new URL("../overlay/", import.meta.url));

interface Insertion {
  file: string;
  /** The unique beginning of the line after which to insert. */
  after: string;
  lines: string[];
}

const insertions = JSON.parse(readFileSync(join(folder, "insertions.json"), "utf8")) as Insertion[];

/** The table, which is written after reviewing its draft. */
const TABLE = "packages/contract-tests/table/list-trips.json";

const newFiles = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file !== "insertions.json" && statSync(join(folder, file)).isFile())
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

function insert(copy: TreeCopy, { file, after, lines }: Insertion): void {
  const before = copy.read(file).split("\n");
  const places = before.flatMap((line, at) => (line.startsWith(after) ? [at] : []));
  if (places.length !== 1) throw new Error(`${file}: ${places.length} lines start with ${after}`);
  // A multi-line sample ends with its indentation.
  const [start = 0] = places;
  const indent = /^ */.exec(before[start] ?? "")?.[0] ?? "";
  const opens = /[[{(]$/.test(before[start] ?? "");
  const end = opens ? before.findIndex((line, at) => at > start && line.startsWith(`${indent}}`)) : start;
  copy.write(file, [...before.slice(0, end + 1), ...lines, ...before.slice(end + 1)].join("\n"));
}

/** Writes everything that is written by hand, except for the rows of the table. */
export function writeByHand(copy: TreeCopy): void {
  for (const { file, text } of newFiles) if (file !== TABLE) copy.write(file, text);
  for (const insertion of insertions) insert(copy, insertion);
}

/** Writes the reviewed rows. */
export function writeRows(copy: TreeCopy): void {
  const { text = "" } = newFiles.find(({ file }) => file === TABLE) ?? {};
  copy.write(TABLE, text);
}

/** Files and lines written by hand. */
export function byHand(): { files: string[]; lines: number } {
  const files = [...new Set([...newFiles, ...insertions].map(({ file }) => file))].sort();
  const whole = newFiles.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  return { files, lines: whole + insertions.reduce((sum, { lines }) => sum + lines.length, 0) };
}
