// Bundles the bin from dist/, where tsc has put every module, so that a start reads a few files instead of hundreds.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { licencesOf } from "../../map/scripts/bundled-licences.mjs";
import * as startData from "../dist/cli/start-data.js";
import { OWN_VALIDATOR, pinoAt, replacements } from "./bundle-plugins.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const asModule = (values) =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");

const { operationPaths, ...data } = startData;

/** Computed from the contract and the sandbox, which need not be loaded to list tools. */
const replaced = [
  { importer: /mcp-server\/dist\/.*\.js$/, source: /\/start-data\.js$/, content: asModule(data) },
  { importer: /core\/dist\/config-from-env\.js$/, source: /\/operations\/index\.js$/, content: asModule({ operations: operationPaths }) },
  OWN_VALIDATOR,
];
const used = new Set();

const common = { platform: "node", resolve: { conditionNames: ["import", "default"] } };

/** What is loaded late: files of its own. */
const late = {
  "./load-tools.js": "load-tools",
  "@fleetwire/sandbox": "sandbox",
  "./stdio.js": "stdio",
  "./pino": "pino",
};

const separately = (names) => ({
  name: "separately",
  resolveId: (source) => (names.includes(late[source]) ? { id: `./${late[source]}.cjs`, external: true } : null),
});

async function bundle(input, externals) {
  const build = await rolldown({
    ...common,
    input,
    external: ["@redis/client", "@opentelemetry/sdk-node", "node-sqlite3-wasm"],
    plugins: [separately([...externals, "pino"]), pinoAt('require("./pino")'), replacements(replaced, used)],
    // Most of the SDK's schemas are for clients or for other transports.
    treeshake: { manualPureFunctions: ["z"] },
  });
  const { output } = await build.generate({
    format: "cjs",
    dynamicImportInCjs: false,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    minify: true,
    comments: false,
  });
  await build.close();
  return output;
}

/** Escapes all but ASCII, so that V8 keeps a byte for a character. */
const escaped = (code) => code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

// The start has a build of its own: with shared files, it would read what only the others use.
const output = [
  ...(await bundle({ stdio: join(dist, "cli/stdio.js") }, ["load-tools", "sandbox"])),
  ...(await bundle(
    {
      program: join(dist, "cli/program.js"),
      "load-tools": join(dist, "cli/load-tools.js"),
      sandbox: fileURLToPath(import.meta.resolve("@fleetwire/sandbox")),
      pino: fileURLToPath(import.meta.resolve("pino")),
    },
    ["stdio"],
  )),
];
for (const one of replaced) if (!used.has(one)) throw new Error(`Nothing imports ${one.source} any more: see scripts/bundle.mjs`);
await rm(join(dist, "bundle"), { recursive: true, force: true });
await mkdir(join(dist, "bundle"));
for (const { fileName, code } of output) await writeFile(join(dist, "bundle", fileName), escaped(code));

const fromMap = (file) => fileURLToPath(import.meta.resolve(`@fleetwire/map/${file}`));
await copyFile(fromMap("map-app.html"), join(dist, "map-app.html"));
const inPage = JSON.parse(await readFile(fromMap("map-app.sources.json"), "utf8"));

const licences = await licencesOf([...output.flatMap(({ moduleIds }) => moduleIds), ...inPage]);
await writeFile(join(dist, "bundle/LICENSES.txt"), licences);
