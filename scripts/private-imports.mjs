// Fails if a test file imports a package's private module and is not listed in private-imports.txt, or is listed there and no longer does so.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file) => readFileSync(join(root, file), "utf8");
const LIST = "scripts/private-imports.txt";

/** The first source file that a test imports by its path, unless it is an index or named in its package's `exports`. */
function privateImport(file) {
  const paths = [...read(file).matchAll(/"((?:\.\.\/)+(?:[\w-]+\/)?src\/[^"]+\.tsx?)"/g)].map(([, path]) => path);
  return paths.find((path) => {
    const [, folder, source] = /^(packages\/[^/]+)\/(.+)$/.exec(posix.join(posix.dirname(file), path));
    return !source.endsWith("/index.ts") && !read(`${folder}/package.json`).includes(`"./${source}"`);
  });
}

const listed = read(LIST).split("\n").filter(Boolean);
const files = readdirSync(join(root, "packages"))
  .map((name) => `packages/${name}/test`)
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => posix.join(folder, file)))
  .filter((file) => /\.tsx?$/.test(file));
const found = new Map(files.map((file) => [file, privateImport(file)]).filter(([, path]) => path));

const problems = [
  ...[...found]
    .filter(([file]) => !listed.includes(file))
    .map(([file, path]) => `${file} imports ${path}, a private module: test through the package's entry point or a folder's index.ts`),
  ...listed.filter((file) => !found.has(file)).map((file) => `${LIST}: remove ${file}, which imports no private module`),
];
for (const problem of problems) console.error(problem);
console.log(`${found.size} of ${files.length} files in packages/*/test import private modules.`);
process.exitCode = problems.length > 0 ? 1 : 0;
