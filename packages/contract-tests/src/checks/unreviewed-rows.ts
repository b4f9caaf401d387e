import { readdirSync, readFileSync } from "node:fs";
import type { Finding } from "./check-result.ts";

/** Drafted rows that nobody has compared with the description yet, one finding per file. */
export function unreviewedRows(folder: URL = new URL("../../table/", import.meta.url)): Finding[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => {
    const rows = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as { reviewed?: boolean }[];
    const left = rows.filter(({ reviewed }) => reviewed === false).length;
    const problem = `table/${name}: ${left} rows are drafts from core: compare each with the description, then remove "reviewed": false`;
    return left === 0 ? [] : [{ check: "table", subject: "table", problem }];
  });
}
