import { readdirSync, readFileSync } from "node:fs";

/** Drafted rows that nobody has compared with the description yet, one line per file. */
export function unreviewedRows(folder: URL = new URL("../../table/", import.meta.url)): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => {
    const rows = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as { reviewed?: boolean }[];
    const left = rows.filter(({ reviewed }) => reviewed === false).length;
    return left === 0
      ? []
      : [`table/${name}: ${left} rows are drafts from core: compare each with the description, then remove "reviewed": false`];
  });
}
