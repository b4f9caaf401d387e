import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tree-copy.ts";

/** The blocks of commands in CONTRIBUTING's section on how an operation is added, in their order. */
export function recipe(): string[][] {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, section = ""] = /^## How an operation is added$(.*?)^## /ms.exec(text) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block.trim().split("\n"));
}
