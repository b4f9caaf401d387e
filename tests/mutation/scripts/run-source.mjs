// Bundles a TypeScript source of this package into a program for a Node that knows no types, and runs it: `run-source.mjs src/command.ts ...`.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [source = ""] = process.argv.splice(2, 1);
// Below the package, so that packages of others are found from there.
const folder = at("../node_modules/.cache/fleetwire/");
mkdirSync(folder, { recursive: true });
// Several run at once.
const outfile = `${folder}${source.replaceAll("/", "-")}-${process.pid}.mjs`;
await build({
  entryPoints: [at(`../${source}`)],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
  plugins: [
    {
      name: "sources",
      setup: ({ onLoad }) =>
        onLoad({ filter: /\.ts$/ }, ({ path }) => ({
          contents: readFileSync(path, "utf8").replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href)),
          loader: "ts",
        })),
    },
  ],
});
process.on("exit", () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);
