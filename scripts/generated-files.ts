import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text of each derived file, by path below the root of the repository; undefined for a file that is left over from what has gone. */
export type GeneratedFiles = Readonly<Record<string, string | undefined>>;

/** The files below the root that differ from what is generated. */
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
