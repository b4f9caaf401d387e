// Bundles the console, the page with its assets and what serves it: node bundle-console.mjs FOLDER SERVER.
// The sandbox and the server build it into their own dist/console-page. They cannot depend on this package, which depends on both.
import { cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licencesOf } from "./bundled-licences.mjs";

const source = fileURLToPath(new URL("../src/", import.meta.url));

/** The largest each file may be, in bytes. */
const BUDGETS = {
  "console.js": 800_000,
  "console.css": 40_000,
  "console-handler.cjs": 12_000,
  "sandbox-console.cjs": 700_000,
  "LICENSES.txt": 40_000,
};

const common = {
  metafile: true,
  bundle: true,
  minify: true,
  // Directly from the sources, because the packages' builds need the result of this one.
  conditions: ["fleetwire-source", "import"],
  legalComments: "eof",
  charset: "utf8",
  logLevel: "warning",
};

/** Builds the console into a folder. `server` is what serves it: `console-handler` for a real fleet, `sandbox-console` for a sandbox. */
async function bundleConsole(folder, server) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const page = await build({
    ...common,
    entryPoints: [join(source, "console/main.tsx")],
    entryNames: "console",
    outdir: folder,
    format: "esm",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["/console/assets/*"],
    // Leaflet's own markers and layer switch, which are not used.
    loader: { ".png": "empty" },
  });
  const handler = await build({
    ...common,
    entryPoints: [join(source, `console-server/${server}.ts`)],
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    platform: "node",
    format: "cjs",
    target: "node20",
  });
  for (const name of ["index.html", "icon.svg"]) await cp(join(source, "console", name), join(folder, name));
  const modules = [page, handler].flatMap(({ metafile }) => Object.keys(metafile.inputs).map((path) => resolve(path)));
  await writeFile(join(folder, "LICENSES.txt"), await licencesOf(modules));
  const sizes = [];
  for (const name of await readdir(folder)) {
    const { size } = await stat(join(folder, name));
    if (size > (BUDGETS[name] ?? 4_000))
      throw new Error(`${name} of the console has ${size} bytes; the budget is ${BUDGETS[name] ?? 4_000}`);
    sizes.push(`${name} ${Math.ceil(size / 1000)} kB`);
  }
  console.log(`console: ${sizes.join(", ")}`);
}

const [folder, server] = process.argv.slice(2);
await bundleConsole(resolve(folder), server);
