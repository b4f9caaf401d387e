// Builds each page into a single file in dist/.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bundlePageAndSources } from "./bundle-page.mjs";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

await rm(here("dist"), { recursive: true, force: true });
await mkdir(here("dist"));
const html = await readFile(here("src/app/map-app.html"), "utf8");
const { page, sources } = await bundlePageAndSources({ entry: here("src/app/map-app.ts"), html });
await writeFile(here("dist/map-app.html"), page);
// Packages that ship the page also ship the licences of these modules.
await writeFile(here("dist/map-app.sources.json"), JSON.stringify(sources));
