import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { root, TreeCopy } from "./tree-copy.ts";

const overlay = fileURLToPath(new URL("../overlay/", import.meta.url));

/** Lines to insert before the only line that starts with `before`. */
const insertions = JSON.parse(readFileSync(join(overlay, "insertions.json"), "utf8")) as {
  file: string;
  before: string;
  lines: string[];
}[];

/** The table, which is written after reviewing its draft. */
const TABLE = "packages/contract-tests/table/list-trips.json";

/** The command blocks in CONTRIBUTING's section on adding an operation, in order. */
function recipe(): string[][] {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = /^## Add an operation$(.*?)^## /ms.exec(text) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block.trim().split("\n"));
}

/** Runs a command in a copy and expects it to succeed. */
export function runs(copy: TreeCopy, command: string, folder = ""): string {
  const { status, stdout, stderr } = copy.run(command, folder);
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
  return `${stdout}${stderr}`;
}

function follow(copy: TreeCopy): void {
  const [first = [], second = [], third = [], ...others] = recipe();
  expect([first.length, second.length, third.length, others.length], "commands in CONTRIBUTING's recipe").toEqual([1, 1, 2, 0]);
  cpSync(join(overlay, "packages"), copy.path("packages"), { recursive: true, filter: (file) => !file.endsWith(TABLE) });
  for (const { file, before, lines } of insertions) copy.replace(file, `\n${before}`, `\n${[...lines, before].join("\n")}`);
  for (const command of first) runs(copy, command);
  // A draft does not count until somebody has compared it with the description.
  expect(copy.run("npm run task -- draft listTrips --reviewed").stderr).toContain("table/list-trips.json: 24 rows are drafts from core");
  cpSync(join(overlay, TABLE), copy.path(TABLE));
  for (const command of [...second, ...third]) runs(copy, command);
}

/** A copy of the repository to which the tests of a file add the operation by the recipe in CONTRIBUTING. */
export function copyWithTrips(): TreeCopy {
  const copy = new TreeCopy();
  beforeAll(() => follow(copy), 900_000);
  afterAll(() => copy.remove());
  return copy;
}
