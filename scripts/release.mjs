// Releases the public packages. They are first published to a registry on this machine, installed from it and tried there: all that --dry-run does.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBillOfMaterials, writeBundle } from "./release/artifacts.mjs";
import { refuseUndeclaredBreaks } from "./release/breaking-changes.mjs";
import { nodeVersions, runChecks } from "./release/checks.mjs";
import { copyTree, faultsOf, fillPackages, hasPlaceholder, packPackages, version } from "./release/copy.mjs";
import { emptyUser, publish, startRegistry } from "./release/registry.mjs";
import { allPassed, printTable, run, step, stopAll, twoAtATime } from "./release/steps.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PUBLINT = "publint@0.3.25";
const ATTW = "@arethetypeswrong/cli@0.18.5";

const options = process.argv.slice(2);
if (options.some((option) => option !== "--dry-run")) {
  console.error(`Unknown option ${options.join(" ")}. Usage: npm run release -- [--dry-run]`);
  process.exit(2);
}
const isDryRun = options.length > 0;
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

if (!isDryRun && hasPlaceholder(root)) {
  console.error('Not released: the repository\'s owner is not known. Replace OWNER in "repository" of the root package.json.');
  process.exit(2);
}
if (!isDryRun && !/^FROM \S+@sha256:[0-9a-f]{64}$/m.test(readFileSync(join(root, "examples/deployment/Dockerfile"), "utf8"))) {
  console.error("Not released: the base of examples/deployment/Dockerfile has no digest. docker buildx imagetools inspect prints it.");
  process.exit(2);
}
if (!isDryRun && git("status", "--porcelain") !== "") {
  console.error("Not released: the work tree has uncommitted changes. Commit or remove them.");
  process.exit(2);
}

const work = await mkdtemp(join(tmpdir(), "fleetwire-release-"));
const copy = join(work, "copy");
/** What release.yml attaches to the release. */
const artifacts = isDryRun ? join(work, "artifacts") : join(root, ".release");
const end = async () => {
  stopAll();
  await rm(work, { recursive: true, force: true, maxRetries: 5 });
};
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end().finally(() => process.exit(1)));

/** Commits the new versions and changelogs to the work tree, and tags them. */
async function commitVersions(versions) {
  await version(root);
  git("add", "-A");
  git("commit", "-q", "-m", "Release");
  for (const [name, number] of Object.entries(versions)) git("tag", "-a", `${name}@${number}`, "-m", `${name} ${number}`);
}

let passed = false;
try {
  await step("copy the work tree", () => copyTree(root, copy));
  await step("install", () => run([process.execPath, "scripts/prepare.mjs", "packages"], copy));
  const versions = await step("version", async () => ({ result: await version(copy) }));
  console.error(
    Object.entries(versions)
      .map(([name, number]) => `  ${name} ${number}\n`)
      .join("")
      .trimEnd(),
  );
  // A failure shows when the registry is needed.
  const starting = step("install Node 20 and 24, and start a registry", async () => {
    const nodes = await nodeVersions();
    return { result: { nodes, registry: await startRegistry(join(work, "registry"), nodes[24]) } };
  });
  starting.catch(() => {});
  await step("build", () =>
    run(["npx", "nx", "run-many", "-t", "build", "--outputStyle", "static"], copy, {
      env: { ...process.env, NX_DAEMON: "false" },
      seconds: 600,
    }),
  );
  await step("compare the contract with the last release's", () => refuseUndeclaredBreaks(root, copy, work, versions["@fleetwire/core"]));
  const packed = await step("pack", async () => {
    fillPackages(copy);
    return { result: await packPackages(copy, work) };
  });
  await step("check the tarballs", async () => {
    const faults = packed.flatMap((one) => faultsOf(one, copy));
    if (faults.length > 0) throw new Error(faults.join("\n"));
    const [publint, attw] = await twoAtATime(
      [
        ["publint", PUBLINT],
        ["attw", ATTW],
      ],
      async ([bin, name]) => (await run(["npx", "-y", "-p", name, "--", "which", bin], work)).trim(),
    );
    await twoAtATime(packed, async ({ tarball }) => {
      await run([publint, "run", "--strict", tarball], work);
      // ES modules also work with require() on every supported Node.
      await run([attw, "--profile", "esm-only", tarball], work);
    });
  });
  const { nodes, registry } = await starting;
  await step("publish to it", async () => publish(packed, work, await emptyUser(join(work, "publisher"), registry)));
  await step("bills of materials", async () => {
    const user = { env: await emptyUser(join(work, "bills"), registry), registry };
    await mkdir(artifacts, { recursive: true });
    await twoAtATime(packed, (one) => writeBillOfMaterials(one, work, user, artifacts));
  });
  const server = packed.find(({ manifest }) => "mcpName" in manifest);
  const bundle = await step("bundle for Claude Desktop", async () => ({
    result: await writeBundle(server, copy, work, nodes[24], artifacts),
  }));
  await runChecks(copy, work, registry, nodes, bundle);
  if (!allPassed()) throw new Error("Not released: see the checks that failed.");
  if (!isDryRun) {
    await step("publish", () => publish(packed, work, process.env, ["--provenance"]));
    await step("commit and tag the versions", () => commitVersions(versions));
  }
  passed = true;
} catch (error) {
  // A step has printed its own error.
  if (allPassed()) console.error(error);
} finally {
  printTable();
  await end();
}
process.exit(passed ? 0 : 1);
