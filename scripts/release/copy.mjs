// A copy of the work tree in which a release is built, versioned and packed, so that the work tree stays as it is.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { run } from "./steps.mjs";

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

/** Copies what git tracks or would track, as a repository of its own, since changesets asks git for commits. */
export async function copyTree(root, copy) {
  const listed = await run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], root);
  for (const file of listed.split("\0")) {
    if (file === "" || !existsSync(join(root, file))) continue;
    await mkdir(join(copy, posix.dirname(file)), { recursive: true });
    await cp(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
  const identity = ["-c", "user.name=release", "-c", "user.email=release@localhost"];
  await run(["git", "init", "-q", "-b", "main"], copy);
  await run(["git", "add", "-A"], copy);
  await run(["git", ...identity, "commit", "-q", "--no-verify", "-m", "Copy"], copy);
}

/** The packages that are published: each with its folder's name and its manifest. */
const publicPackages = (root) =>
  readdirSync(join(root, "packages"))
    .map((folder) => ({ folder, manifest: readJson(join(root, "packages", folder, "package.json")) }))
    .filter(({ manifest }) => manifest.private !== true);

/** Applies the changesets, writes what hosts install for the new versions, and lets the examples, which are outside the workspace, depend on them. */
export async function version(root) {
  await run(["npx", "changeset", "version"], root);
  await run(["node", "--conditions=fleetwire-source", "--import", "tsx", "scripts/generate.ts", "hosts"], root);
  const versions = Object.fromEntries(publicPackages(root).map(({ manifest }) => [manifest.name, manifest.version]));
  for (const name of readdirSync(join(root, "examples"))) {
    const file = join(root, "examples", name, "package.json");
    if (!existsSync(file)) continue;
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace(/"(@fleetwire\/[\w-]+)": "\^[^"]*"/g, (_, dependency) => `"${dependency}": "^${versions[dependency]}"`),
    );
  }
  return versions;
}

/** The address of the repository on the web, which the root manifest states once. */
const webAddress = (root) => readJson(join(root, "package.json")).repository.url.replace(/^git\+|\.git$/g, "");

export const hasPlaceholder = (root) => webAddress(root).includes("/OWNER/");

/** Makes a document's relative links absolute, because a tarball does not contain what they point to. */
function linkAbsolutely(text, web, folder) {
  const absolute = (link) => {
    const [path, anchor] = link.split("#");
    const target = posix.join(folder, path);
    const kind = /\.\w+$/.test(target) ? "blob" : "tree";
    return `${web}/${kind}/main/${target}${anchor === undefined ? "" : `#${anchor}`}`;
  };
  return text.replace(/(\]\(|src(?:set)?="|href=")(?![a-z]+:|#)([^)"\s]+)/g, (_, before, link) => before + absolute(link));
}

/** Adds what the manifests have in common, and removes what only the workspace needs. Returns the reasons not to publish a package. */
export function fillPackages(root) {
  const web = webAddress(root);
  const { repository } = readJson(join(root, "package.json"));
  for (const { folder, manifest } of publicPackages(root)) {
    const path = `packages/${folder}`;
    const { nx: _, devDependencies: __, mcpName, ...kept } = manifest;
    writeJson(join(root, path, "package.json"), {
      ...kept,
      files: [...manifest.files, "CHANGELOG.md"],
      ...(mcpName && { mcpName: `io.github.${new URL(web).pathname.split("/")[1]}/${mcpName}` }),
      homepage: `${web}/tree/main/${path}#readme`,
      repository: { ...repository, directory: path },
      bugs: { url: `${web}/issues` },
    });
    const readme = join(root, path, "README.md");
    writeFileSync(readme, linkAbsolutely(readFileSync(readme, "utf8"), web, path));
  }
}

/** Packs every public package and returns its tarball and manifest as packed. */
export async function packPackages(root, destination) {
  const { packageManager } = readJson(join(root, "package.json"));
  const packed = [];
  for (const { folder, manifest } of publicPackages(root)) {
    const args = ["npx", "-y", packageManager, "pack", "--json", "--pack-destination", destination];
    const { filename: tarball, files } = JSON.parse(await run(args, join(root, "packages", folder)));
    const content = (file) => run(["tar", "-xOzf", tarball, `package/${file}`], destination);
    packed.push({
      folder,
      name: manifest.name,
      tarball,
      files: files.map(({ path }) => path),
      manifest: JSON.parse(await content("package.json")),
      readme: await content("README.md"),
    });
  }
  return packed;
}

/** What is wrong with a packed package, a line each. */
export function faultsOf({ manifest, files, readme }, root) {
  const web = webAddress(root);
  const links = [...readme.matchAll(/\]\(([^)#\s]+)/g)].map(([, link]) => link);
  const within = (link) => link.replace(new RegExp(`^${web}/(blob|tree)/main/`), "");
  const faults = [
    ...["repository", "homepage", "bugs", "keywords", "license", "description"].filter((key) => !manifest[key]).map((key) => `no ${key}`),
    ...["nx", "devDependencies", "scripts", "private"].filter((key) => key in manifest),
    ...["LICENSE", "README.md", "CHANGELOG.md"].filter((file) => !files.includes(file)).map((file) => `no ${file}`),
    ...(JSON.stringify(manifest).includes("workspace:") ? ["a workspace: range"] : []),
    ...(JSON.stringify(manifest).includes("fleetwire-source") ? ["the condition fleetwire-source"] : []),
    ...links.filter((link) => !/^https?:/.test(link) || (within(link) !== link && !existsSync(join(root, within(link))))),
  ];
  return faults.map((fault) => `${manifest.name}: ${fault}`);
}
