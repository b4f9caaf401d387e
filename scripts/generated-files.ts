import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The content of each derived file, by path relative to the repository's root; undefined for a file that is no longer generated. */
export type GeneratedFiles = Readonly<Record<string, string | undefined>>;

/** The files that differ from what would be generated. */
export function staleFiles(files: GeneratedFiles, root: string): string[] {
  const current = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  return Object.entries(files).flatMap(([path, text]) => (current(path) === text ? [] : [path]));
}

export function writeFiles(files: GeneratedFiles, root: string): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    if (text === undefined) {
      rmSync(file, { force: true });
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
