// What a release offers besides its packages: a bill of materials for each, and the bundle that Claude Desktop installs.
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./steps.mjs";

const MCPB = "@anthropic-ai/mcpb@2.1.2";
const NPM = "https://registry.npmjs.org/";

async function unpack(tarball, folder) {
  await mkdir(folder, { recursive: true });
  await run(["tar", "-xzf", tarball, "--strip-components=1", "-C", folder], folder);
}

/** The packages whose code a package contains, which its licence files name. */
function bundledIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith("LICENSES.txt"));
  const found = new Map();
  for (const file of files)
    for (const [, name, version, license] of readFileSync(join(folder, file), "utf8").matchAll(
      /^(@?[a-z][\w./-]*) (\d[\w.+-]*) \(([^)]+)\)$/gm,
    ))
      found.set(`${name}@${version}`, { name, version, license });
  return found;
}

/** Writes a bill of materials, in the format of CycloneDX: what npm installs with a package, and what the package contains. */
export async function writeBillOfMaterials({ folder, name, manifest, tarball }, work, { env, registry }, destination) {
  const unpacked = join(await mkdtemp(join(work, "sbom-")), folder);
  await unpack(tarball, unpacked);
  await run(["npm", "install", "--package-lock-only", "--ignore-scripts", "--omit=dev"], unpacked, { env });
  const printed = await run(
    ["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=library", "--omit=dev"],
    unpacked,
    { env },
  );
  const sbom = JSON.parse(printed.replaceAll(registry, NPM));
  const installed = new Set(sbom.components.map((component) => component["bom-ref"]));
  const bundled = [...bundledIn(unpacked)].filter(([id]) => !installed.has(id));
  for (const [id, { name: bundledName, version, license }] of bundled)
    sbom.components.push({
      "bom-ref": id,
      type: "library",
      name: bundledName,
      version,
      purl: `pkg:npm/${bundledName.replace("@", "%40")}@${version}`,
      properties: [{ name: "cdx:npm:package:bundled", value: "true" }],
      licenses: [{ license: { id: license } }],
    });
  const root = sbom.metadata.component;
  if (root.name !== name.replace(/^.*\//, "") && root.name !== name) throw new Error(`The bill of materials is of ${root.name}`);
  if (root.version !== manifest.version) throw new Error(`The bill of materials is of version ${root.version}`);
  sbom.dependencies.find(({ ref }) => ref === root["bom-ref"])?.dependsOn.push(...bundled.map(([id]) => id));
  const unlicensed = sbom.components.filter(({ licenses = [] }) => licenses.length === 0);
  if (unlicensed.length > 0) throw new Error(`${name}: no licence of ${unlicensed.map((one) => one["bom-ref"]).join(", ")}`);
  await writeFile(join(destination, `${folder}-${manifest.version}.cdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`);
  return sbom.components.length;
}

/** Packs the bundle from the server's tarball with the official tool, which validates it, and returns the command that starts it as a host would. */
export async function writeBundle({ tarball, manifest }, copy, work, node, destination) {
  const staged = join(await mkdtemp(join(work, "mcpb-")), "staged");
  const description = JSON.parse(readFileSync(join(copy, "packages/mcp-server/mcpb/manifest.json"), "utf8"));
  if (description.version !== manifest.version) throw new Error(`The bundle is of version ${description.version}, not ${manifest.version}`);
  // The server needs nothing from other packages.
  await unpack(tarball, join(staged, "node_modules", manifest.name));
  await cp(join(copy, "packages/mcp-server/mcpb"), staged, { recursive: true });
  const file = join(destination, `${description.name}.mcpb`);
  const mcpb = (...args) =>
    run(["npx", "-y", "-p", MCPB, "mcpb", ...args], work, { env: { ...process.env, PATH: `${join(node, "..")}:${process.env.PATH}` } });
  await mcpb("validate", join(staged, "manifest.json"));
  await mcpb("pack", staged, file);
  const unpacked = join(work, "mcpb-unpacked");
  await mcpb("unpack", file, unpacked);
  return [node, join(unpacked, description.server.entry_point)];
}
