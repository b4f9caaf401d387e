// Writes the interfaces that editors show; run it after changing operations or schemas.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// A file instead of a data: URL, so that stack traces do not contain the whole bundle.
const folder = at("../node_modules/.cache/fleetwire/");
mkdirSync(folder, { recursive: true });
const outfile = `${folder}render.mjs`;

async function writeInterfaces() {
  await build({ entryPoints: [at("interfaces/render.ts")], outfile, bundle: true, format: "esm", platform: "node", logLevel: "silent" });
  const { renderInterfaces } = await import(pathToFileURL(outfile).href);
  const src = new URL("../src/", import.meta.url);
  for (const [path, text] of Object.entries(renderInterfaces(src))) writeFileSync(new URL(path, src), text);
}

await writeInterfaces().catch(({ message }) => {
  process.stderr.write(`npm run types: ${message}\n`);
  process.exitCode = 1;
});
