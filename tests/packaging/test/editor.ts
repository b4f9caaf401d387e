import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type TypeScript from "../typescript-5/node_modules/typescript/lib/typescript.js";

/** The version most users have, which has a JavaScript interface. */
const ts = createRequire(new URL("../typescript-5/package.json", import.meta.url))("typescript") as typeof TypeScript;

/** The language service of a user's editor, in which files of a folder are open. */
export function openEditor(folder: string, names: readonly string[]) {
  const compilerOptions = { target: "ES2022", strict: true, module: "NodeNext", types: ["node"], skipLibCheck: true, lib: ["ES2023"] };
  const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: names }, ts.sys, folder);
  const files = names.map((name) => join(folder, name));
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
  return {
    errors: () => files.flatMap((file) => service.getSemanticDiagnostics(file)).map(({ messageText }) => messageText),
    /** What is shown on hovering the word after the first `before` in the file. */
    hover: (name: string, before: string) => {
      const found = service.getQuickInfoAtPosition(join(folder, name), textOf(name).indexOf(before) + before.length);
      const documentation = [...(found?.documentation ?? []), ...(found?.tags ?? []).flatMap(({ text = [] }) => text)];
      const [shows, docs] = [found?.displayParts, documentation].map(ts.displayPartsToString);
      // The name of a method's type is shown before its signature.
      return { shows: shows?.replace(/\w+\n(?=\()/, ""), docs: docs?.replace(/\s+/g, " ") };
    },
    /** The words that are struck through as deprecated. */
    struckThrough: (name: string) =>
      service
        .getSuggestionDiagnostics(join(folder, name))
        .filter(({ reportsDeprecated }) => reportsDeprecated)
        .map(({ start, length }) => textOf(name).slice(start, start + length)),
  };
}
