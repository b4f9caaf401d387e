// Fails if two folders of a package's src import each other, or one imports a folder that comes after it in the package's order.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folders of a package, and files beside them that they share, each of which imports only those before it. Other files beside the folders are entry points. */
const ORDERS = {
  "mcp-server": [
    ...["limits.ts", "server-config.ts", "log.ts", "optional-package.ts", "read-config-file.ts", "connection-failure.ts"],
    ...["mcp", "http", "stdio", "callers", "replicas", "telemetry", "tenants", "watch", "cli"],
  ],
  tools: [
    "runtime",
    "model",
    "text",
    "places",
    "names",
    "arguments",
    "fleet",
    "lookup",
    "past",
    "query",
    "watch",
    "writes",
    "tools",
    "adapters",
  ],
};

const sources = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => file.replaceAll("\\", "/"));

/** The folder that a file is in, or the file itself if it is in none. */
const placeOf = (file) => file.split("/")[0];

/** The imports from one place of a package to another, as [file, from, to]. */
function crossings(folder) {
  return sources(folder).flatMap((file) => {
    const text = readFileSync(join(root, folder, file), "utf8");
    const paths = [...text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, path]) => posix.join(posix.dirname(file), path));
    const from = placeOf(file);
    return paths.map((path) => [file, from, placeOf(path)]).filter(([, , to]) => to !== ".." && to !== from);
  });
}

const problems = readdirSync(join(root, "packages"))
  .filter((name) => existsSync(join(root, `packages/${name}/src`)))
  .flatMap((name) => {
    const found = crossings(`packages/${name}/src`);
    const order = ORDERS[name];
    return found.flatMap(([file, from, to]) => {
      // An entry point may import anything, and only the last folder and other entry points import it.
      const isChecked = order ? order.includes(from) : !/\.tsx?$/.test(from) && !/\.tsx?$/.test(to);
      const isBackward = order
        ? order.includes(to)
          ? order.indexOf(to) > order.indexOf(from)
          : from !== order.at(-1)
        : found.some(([, a, b]) => a === to && b === from);
      if (!isChecked || !isBackward) return [];
      return [
        `packages/${name}/src/${file} imports from ${to}: ${order ? `the order is ${order.join(" <- ")}` : `${to} imports from ${from}`}`,
      ];
    });
  });
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
