import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles a TypeScript source of this package with its dependencies and imports it, as Node 20 cannot strip types. */
export async function importSources(path) {
  // Inside the package, so that third-party packages resolve.
  const folder = at("../node_modules/.cache/fleetwire/");
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}${path.replaceAll("/", "-")}.mjs`;
  await build({
    entryPoints: [at(`../${path}`)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["fleetwire-source"],
    logLevel: "warning",
    // Both locate a binary relative to themselves.
    external: ["esbuild", "oxc-parser"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [
      {
        name: "sources",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, async ({ path: file }) => ({
            contents: (await readFile(file, "utf8")).replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(file).href)),
            loader: "ts",
          })),
      },
    ],
  });
  return import(pathToFileURL(outfile).href);
}
