// Fails if two folders of a package's src import each other, or one imports a folder that comes after it in the package's order.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folders of a package, each of which imports only those before it. */
const ORDERS = {
  tools: ["runtime", "model", "text", "places", "names", "arguments", "fleet", "lookup", "query", "writes", "tools", "adapters"],
};

const sources = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll("\\", "/"));

const folderOf = (file) => (file.includes("/") ? file.split("/")[0] : ".");

/** The imports from one folder of a package to another, as [file, from, to]. */
function crossings(folder) {
  return sources(folder).flatMap((file) => {
    const text = readFileSync(join(root, folder, file), "utf8");
    const paths = [...text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, path]) => posix.join(posix.dirname(file), path));
    const from = folderOf(file);
    return paths.map((path) => [file, from, folderOf(path)]).filter(([, , to]) => from !== "." && to !== "." && to !== ".." && to !== from);
  });
}

const problems = readdirSync(join(root, "packages"))
  .filter((name) => existsSync(join(root, `packages/${name}/src`)))
  .flatMap((name) => {
    const found = crossings(`packages/${name}/src`);
    const order = ORDERS[name];
    return found.flatMap(([file, from, to]) => {
      const isBackward = order
        ? order.indexOf(to) > order.indexOf(from) || !order.includes(from)
        : found.some(([, a, b]) => a === to && b === from);
      if (!isBackward) return [];
      return [
        `packages/${name}/src/${file} imports from ${to}/: ${order ? `the order is ${order.join(" <- ")}` : `${to}/ imports from ${from}/`}`,
      ];
    });
  });
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
