import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TreeCopy } from "./tree-copy.ts";

const folder = fileURLToPath(new URL("../overlay/", import.meta.url));

interface Insertion {
  file: string;
  /** The beginning of the line after which the lines stand; no other line begins so. */
  after: string;
  lines: string[];
}

const insertions = JSON.parse(readFileSync(join(folder, "insertions.json"), "utf8")) as Insertion[];

/** The table is written when its draft has been seen. */
const TABLE = "packages/contract-tests/table/list-trips.json";

const newFiles = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file !== "insertions.json" && statSync(join(folder, file)).isFile())
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

function insert(copy: TreeCopy, { file, after, lines }: Insertion): void {
  const before = copy.read(file).split("\n");
  const places = before.flatMap((line, at) => (line.startsWith(after) ? [at] : []));
  if (places.length !== 1) throw new Error(`${file}: ${places.length} lines begin with ${after}`);
  // A sample of several lines ends where its indentation does.
  const [start = 0] = places;
  const indent = /^ */.exec(before[start] ?? "")?.[0] ?? "";
  const opens = /[[{(]$/.test(before[start] ?? "");
  const end = opens ? before.findIndex((line, at) => at > start && line.startsWith(`${indent}}`)) : start;
  copy.write(file, [...before.slice(0, end + 1), ...lines, ...before.slice(end + 1)].join("\n"));
}

/** Writes what a person writes by hand, but for the rows of the table. */
export function writeByHand(copy: TreeCopy): void {
  for (const { file, text } of newFiles) if (file !== TABLE) copy.write(file, text);
  for (const insertion of insertions) insert(copy, insertion);
}

/** Writes the rows as they are once somebody has compared each with the description. */
export function writeRows(copy: TreeCopy): void {
  const { text = "" } = newFiles.find(({ file }) => file === TABLE) ?? {};
  copy.write(TABLE, text);
}

/** Files and lines that are written by hand. */
export function byHand(): { files: string[]; lines: number } {
  const files = [...new Set([...newFiles, ...insertions].map(({ file }) => file))].sort();
  const whole = newFiles.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  return { files, lines: whole + insertions.reduce((sum, { lines }) => sum + lines.length, 0) };
}
