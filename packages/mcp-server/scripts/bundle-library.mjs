// Bundles what programs import, so that its dependencies need not be installed, and leaves in dist/ only what is used from there.
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { rollUpTypes } from "../../../scripts/api-extractor.mjs";
import { licencesOf } from "../../map/scripts/bundled-licences.mjs";
import { OWN_VALIDATOR, pinoAt, replacements } from "./bundle-plugins.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** Each entry point, with the packages that it imports from where it is installed. Programs that use the first also use the SDK, so both have to use the same one. */
const entries = {
  index: [/^@fleetwire\//, /^zod(\/|$)/, /^@modelcontextprotocol\//],
  fetch: [/^@fleetwire\//, /^zod(\/|$)/],
};

const modules = [];
await rm(join(dist, "library"), { recursive: true, force: true });
for (const [name, external] of Object.entries(entries)) {
  const build = await rolldown({
    input: join(dist, `${name}.js`),
    platform: "node",
    resolve: { conditionNames: ["import", "default"] },
    external,
    plugins: [pinoAt('createRequire(import.meta.url)("../bundle/pino.cjs")'), replacements([OWN_VALIDATOR])],
  });
  const { output } = await build.write({ dir: join(dist, "library"), format: "esm", codeSplitting: false, comments: false });
  await build.close();
  modules.push(...output.flatMap(({ moduleIds }) => moduleIds ?? []));
  await writeFile(join(dist, "library", `${name}.d.ts`), rollUpTypes(root, join(dist, `${name}.d.ts`)));
}
await writeFile(join(dist, "library/LICENSES.txt"), await licencesOf(modules));

const kept = ["bundle", "library", "console-page", "map-app.html", "fleetwire-mcp.js"];
for (const name of await readdir(dist)) if (!kept.includes(name)) await rm(join(dist, name), { recursive: true });
