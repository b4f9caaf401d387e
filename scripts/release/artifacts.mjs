// What a release offers besides its packages: a bill of materials for each, and the bundle that Claude Desktop installs.
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./steps.mjs";

const MCPB = "@anthropic-ai/mcpb@2.1.2";

async function unpack(tarball, folder) {
  await mkdir(folder, { recursive: true });
  await run(["tar", "-xzf", tarball, "--strip-components=1", "-C", folder], folder);
}

/** The packages whose code a package contains, which its licence files name. */
function bundledIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith("LICENSES.txt"));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const named = [...texts.matchAll(/^(@?[a-z][\w./-]*) (\d[\w.+-]*) \(([^)]+)\)$/gm)];
  return new Map(named.map(([, name, version, license]) => [`${name}@${version}`, { name, version, license }]));
}

/** Writes a bill of materials, in the format of CycloneDX: what npm installs with a package, and what the package contains. */
export async function writeBillOfMaterials({ folder, name, manifest, tarball }, packed, work, destination) {
  const unpacked = join(await mkdtemp(join(work, "sbom-")), folder);
  await unpack(tarball, unpacked);
  // What this release publishes is not in a registry yet.
  const overrides = Object.fromEntries(packed.filter((one) => one.name !== name).map((one) => [one.name, `file:${one.tarball}`]));
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([one, range]) => [one, overrides[one] ?? range]);
  const installed = { ...manifest, dependencies: Object.fromEntries(dependencies), overrides };
  await writeFile(join(unpacked, "package.json"), JSON.stringify(installed));
  await run(["npm", "install", "--package-lock-only", "--ignore-scripts", "--omit=dev", "--no-audit"], unpacked);
  const sbom = JSON.parse(
    await run(["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=library", "--omit=dev"], unpacked),
  );
  for (const component of sbom.components)
    component.externalReferences = component.externalReferences?.filter(({ url }) => !url.startsWith("file:"));
  const refs = new Set(sbom.components.map((component) => component["bom-ref"]));
  const bundled = [...bundledIn(unpacked)].filter(([ref]) => !refs.has(ref));
  for (const [ref, { license, ...one }] of bundled)
    sbom.components.push({
      "bom-ref": ref,
      type: "library",
      ...one,
      purl: `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`,
      properties: [{ name: "cdx:npm:package:bundled", value: "true" }],
      licenses: [{ license: { id: license } }],
    });
  const root = sbom.metadata.component;
  if (root["bom-ref"] !== `${name}@${manifest.version}`) throw new Error(`The bill of materials is of ${root["bom-ref"]}`);
  sbom.dependencies.find(({ ref }) => ref === root["bom-ref"])?.dependsOn.push(...bundled.map(([ref]) => ref));
  const unlicensed = sbom.components.filter(({ licenses = [] }) => licenses.length === 0);
  if (unlicensed.length > 0) throw new Error(`${name}: no licence of ${unlicensed.map((one) => one["bom-ref"]).join(", ")}`);
  await writeFile(join(destination, `${folder}-${manifest.version}.cdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`);
}

/** Packs the bundle from the server's tarball with the official tool, which validates it, and returns the program that a host starts. */
export async function writeBundle({ tarball, manifest }, copy, work, destination) {
  const staged = join(await mkdtemp(join(work, "mcpb-")), "staged");
  const description = JSON.parse(readFileSync(join(copy, "packages/mcp-server/mcpb/manifest.json"), "utf8"));
  if (description.version !== manifest.version) throw new Error(`The bundle is of version ${description.version}, not ${manifest.version}`);
  // The server needs nothing from other packages.
  await unpack(tarball, join(staged, "node_modules", manifest.name));
  await cp(join(copy, "packages/mcp-server/mcpb"), staged, { recursive: true });
  const file = join(destination, `${description.name}.mcpb`);
  const unpacked = join(work, "mcpb-unpacked");
  const mcpb = (...args) => run(["npx", "-y", "-p", MCPB, "mcpb", ...args], work);
  await mcpb("validate", join(staged, "manifest.json"));
  await mcpb("pack", staged, file);
  await mcpb("unpack", file, unpacked);
  return join(unpacked, description.server.entry_point);
}
