// Releases the public packages. --dry-run does everything but publish, commit and tag.
import { readFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBillOfMaterials, writeBundle } from "./release/artifacts.mjs";
import { refuseUndeclaredBreaks } from "./release/breaking-changes.mjs";
import { copyTree, faultsOf, fillPackages, hasPlaceholder, packPackages, version } from "./release/copy.mjs";
import { run, step } from "./release/steps.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PUBLINT = "publint@0.3.25";
const ATTW = "@arethetypeswrong/cli@0.18.5";

const options = process.argv.slice(2);
if (options.some((option) => option !== "--dry-run")) {
  console.error(`Unknown option ${options.join(" ")}. Usage: npm run release -- [--dry-run]`);
  process.exit(2);
}
const isDryRun = options.length > 0;
const git = async (...args) => (await run(["git", ...args], root)).trim();

/** Why nothing can be published from this work tree, if anything. */
async function refusal() {
  if (hasPlaceholder(root)) return 'the repository\'s owner is not known. Replace OWNER in "repository" of the root package.json.';
  if (!/^FROM \S+@sha256:[0-9a-f]{64}$/m.test(readFileSync(join(root, "examples/deployment/Dockerfile"), "utf8")))
    return "the base of examples/deployment/Dockerfile has no digest. docker buildx imagetools inspect prints it.";
  if ((await git("status", "--porcelain")) !== "") return "the work tree has uncommitted changes. Commit or remove them.";
  return undefined;
}

const refused = isDryRun ? undefined : await refusal();
if (refused !== undefined) {
  console.error(`Not released: ${refused}`);
  process.exit(2);
}

const work = await mkdtemp(join(tmpdir(), "fleetwire-release-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const copy = join(work, "copy");
/** What release.yml attaches to the release. */
const artifacts = isDryRun ? join(work, "artifacts") : join(root, ".release");

/** Commits the new versions and changelogs to the work tree, and tags them. */
async function commitVersions(versions) {
  await version(root);
  await git("add", "-A");
  await git("commit", "-q", "-m", "Release");
  for (const [name, number] of Object.entries(versions)) await git("tag", "-a", `${name}@${number}`, "-m", `${name} ${number}`);
}

/** Checks what is in the tarballs, and that every way of importing them finds types. */
async function checkTarballs(packed) {
  const faults = packed.flatMap((one) => faultsOf(one, copy));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  for (const { tarball } of packed) {
    await run(["npx", "-y", PUBLINT, "run", "--strict", tarball], work);
    // ES modules also work with require() on every supported Node.
    await run(["npx", "-y", "-p", ATTW, "attw", "--profile", "esm-only", tarball], work);
  }
}

/** Installs the tarballs as a user does, with npm and another package manager, and tries them and the bundle. */
async function tryTarballs(bundle) {
  const env = { ...process.env, FLEETWIRE_TARBALLS: work, FLEETWIRE_BUNDLE: bundle };
  await run(["npx", "vitest", "run", "test/tarballs.test.ts"], join(root, "tests/packaging"), { env, seconds: 600 });
}

async function publish(packed, ...more) {
  for (const { tarball } of packed)
    await run(["npm", "publish", tarball, "--access", "public", "--ignore-scripts", "--loglevel=error", ...more], work);
}

try {
  await step("copy the work tree", () => copyTree(root, copy));
  await step("install", () => run([process.execPath, "scripts/prepare.mjs", "packages"], copy, { seconds: 600 }));
  const versions = await step("version", () => version(copy));
  for (const [name, number] of Object.entries(versions)) console.error(`  ${name} ${number}`);
  await step("build", () => {
    const env = { ...process.env, NX_DAEMON: "false" };
    return run(["npx", "nx", "run-many", "-t", "build", "--outputStyle", "static"], copy, { env, seconds: 600 });
  });
  await step("compare contract and tools with the last release's", () => refuseUndeclaredBreaks(root, copy, versions));
  fillPackages(copy);
  const packed = await step("pack", () => packPackages(copy, work));
  await step("check the tarballs", () => checkTarballs(packed));
  await mkdir(artifacts, { recursive: true });
  await step("bills of materials", () => Promise.all(packed.map((one) => writeBillOfMaterials(one, packed, work, artifacts))));
  const server = packed.find(({ manifest }) => "mcpName" in manifest);
  const bundle = await step("bundle for Claude Desktop", () => writeBundle(server, copy, work, artifacts));
  await step("install the tarballs, and try them", () => tryTarballs(bundle));
  await step("npm publish --dry-run", () => publish(packed, "--dry-run"));
  if (!isDryRun) {
    await step("publish", () => publish(packed, "--provenance"));
    await step("commit and tag the versions", () => commitVersions(versions));
  }
  console.log(`${isDryRun ? "Nothing was published." : "Released."} ${process.uptime().toFixed(0)} s`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
