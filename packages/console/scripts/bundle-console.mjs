// Bundles the console's page with its assets into FOLDER, for the packages that ship it: node bundle-console.mjs FOLDER [SERVER].
// SERVER is a module of src/handler to bundle too. The sandbox needs it, as it cannot depend on this package, which depends on the sandbox.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licencesOf } from "../../map/scripts/bundled-licences.mjs";

const source = fileURLToPath(new URL("../src/", import.meta.url));

/** The largest each file may be, in bytes. */
const BUDGETS = {
  "console.js": 800_000,
  "console.css": 40_000,
  "sandbox-console.cjs": 730_000,
  "LICENSES.txt": 40_000,
};

const { repository } = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));
const guide = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/docs/watch.md`;

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

async function bundleConsole(folder, server) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const page = await build({
    ...common,
    entryPoints: [join(source, "page/main.tsx")],
    entryNames: "console",
    outdir: folder,
    format: "esm",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    define: { GUIDE_URL: JSON.stringify(guide) },
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["/console/assets/*"],
    // Leaflet's own markers and layer switch, which are not used.
    loader: { ".png": "empty" },
  });
  const handler =
    server &&
    (await build({
      ...common,
      entryPoints: [join(source, `handler/${server}.ts`)],
      outdir: folder,
      outExtension: { ".js": ".cjs" },
      platform: "node",
      format: "cjs",
      target: "node20",
    }));
  for (const name of ["index.html", "icon.svg"]) await cp(join(source, "page", name), join(folder, name));
  const modules = [page, handler].filter(Boolean).flatMap(({ metafile }) => Object.keys(metafile.inputs).map((path) => resolve(path)));
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
