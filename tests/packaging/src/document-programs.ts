import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { runProgram } from "./packed-package.ts";

const here = fileURLToPath(new URL("..", import.meta.url));

export const document = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");

/** The code blocks in a language in a section of a document, or in all of it. */
export function blocksIn(markdown: string, language: string, section?: string): string[] {
  const text = section === undefined ? markdown : (markdown.split(/^##+ /m).find((part) => part.startsWith(`${section}\n`)) ?? "");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code = ""]) => code);
}

/** A folder in which programs find the built packages. */
export function programFolder() {
  const folder = mkdtempSync(join(here, "node_modules", ".documents-"));
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  };
  write({ "package.json": '{ "type": "module" }' });
  return {
    folder,
    write,
    /** Runs a program, in TypeScript unless it is CommonJS, and returns what it prints. */
    run: (code: string, env: Readonly<Record<string, string>>, extension: "js" | "cjs" = "js") => {
      write({ [`program.${extension}`]: extension === "cjs" ? code : transformSync(code, { loader: "ts", format: "esm" }).code });
      return runProgram(process.execPath, [`program.${extension}`], folder, 60, env);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
