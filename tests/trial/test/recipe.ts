import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tree-copy.ts";

/** The command blocks in CONTRIBUTING's section on adding an operation, in order. */
export function recipe(): string[][] {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = /^## Add an operation$(.*?)^## /ms.exec(text) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block.trim().split("\n"));
}
