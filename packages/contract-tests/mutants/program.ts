import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { root } from "./all-mutants.ts";
import { type Mutant, mutated } from "./mutant.ts";

/** Modules of this repository as scripts, by their paths. */
export type Program = Record<string, string>;

const FOLDERS = [
  "packages/core/src",
  "packages/core/scripts",
  "packages/sandbox/src",
  "packages/tools/src",
  "packages/mcp-server/src",
  "packages/contract-tests/src",
  "packages/contract-tests/outcomes",
  "packages/contract-tests/mutants",
];

async function scriptOf(path: string, text: string): Promise<string> {
  const { code } = await transform(text.replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href)), {
    loader: "ts",
    format: "cjs",
    target: "node20",
    supported: { "dynamic-import": false },
    logLevel: "silent",
  });
  return code;
}

/** Every module that the contract's checks stand on, as it is. */
export async function wholeProgram(): Promise<Program> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(root, folder, name)),
  );
  // A command awaits at its top, which no such script can; nothing stands on it.
  const scripts = await Promise.allSettled(files.map(async (file) => [file, await scriptOf(file, readFileSync(file, "utf8"))] as const));
  return Object.fromEntries(scripts.flatMap((settled) => (settled.status === "fulfilled" ? [settled.value] : [])));
}

/** The one module that a mutant alters, or undefined where it is no program any more. */
export async function mutatedModule(mutant: Mutant): Promise<Program | undefined> {
  const file = join(root, mutant.file);
  return scriptOf(file, mutated(readFileSync(file, "utf8"), mutant)).then(
    (script) => ({ [file]: script }),
    () => undefined,
  );
}
