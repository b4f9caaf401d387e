import { readFile } from "node:fs/promises";
import { join } from "node:path";

const SEPARATOR = `\n${"-".repeat(80)}\n\n`;

/** The licence of the towns on the map and in @fleetwire/tools/gazetteer asks for attribution. */
const GEONAMES = `Towns from GeoNames (https://www.geonames.org), licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/).
Changes: Europe's towns with at least 5,000 people, on the map 10,000, and large cities elsewhere; coordinates rounded to 0.01 degrees.
`;

/** The licences of the packages to which these modules belong, and of the towns. Most of them require that bundled code is shipped with them. */
export async function licencesOf(modules) {
  const folders = new Map();
  for (const id of modules) {
    const folder = /^\0?(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id);
    if (folder) folders.set(folder[2], folder[1]);
  }
  const texts = [];
  for (const [name, folder] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const text = await licenceText(folder);
    if (text === undefined) throw new Error(`${name} has no licence text`);
    texts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return [...texts, GEONAMES].join(SEPARATOR);
}

async function licenceText(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license"]) {
    const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}
