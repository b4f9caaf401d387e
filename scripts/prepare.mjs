// Prepares a root script on a machine with only Node and npm: prepare.mjs [packages] [PROJECT]. Installs missing dependencies (only the packages', or all) with
// the pinned pnpm, and builds a project, whose output is shown only if it fails.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".fleetwire-installed");

/** pnpm's filters for each scope. tests/ and the benchmarks need ten times as many dependencies as the packages. */
const FILTERS = {
  packages: ["fleetwire", "./packages/*", "!@fleetwire/bench", "evaluation"].flatMap((project) => ["--filter", project]),
  all: [],
};

/** A hash of everything that an installation depends on. */
function wanted() {
  const folders = [
    ...["packages", "tests"].flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name))),
    "evaluation",
    "site",
  ];
  const manifests = folders.map((folder) => join(folder, "package.json"));
  const hash = createHash("sha256");
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ...manifests]) {
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/** Whether the last installation, recorded as `scope hash`, still covers a scope. */
function isInstalled(scope) {
  if (!existsSync(stamp)) return false;
  const [installed, hash] = readFileSync(stamp, "utf8").split(" ");
  return (installed === scope || installed === "all") && hash === wanted();
}

/** Runs a command, and shows its output only if it fails. */
function runQuietly(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env: { ...process.env, npm_config_loglevel: "error" } });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(status ?? 1);
}

const [scope = "all", project] = process.argv.slice(2);
if (!isInstalled(scope)) {
  console.error(`Installing ${scope === "all" ? "all dependencies" : "the packages' dependencies"} (once) ...`);
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // The committed lockfile is trusted: asking the registry when each of its entries was released can take longer than the rest. CI asks once.
  const args = ["-y", packageManager, ...FILTERS[scope], "install", "--frozen-lockfile", "--trust-lockfile", "--reporter=append-only"];
  runQuietly("npx", args);
  writeFileSync(stamp, `${scope} ${wanted()}`);
}
if (project !== undefined) {
  console.error("Building (quick if nothing has changed) ...");
  runQuietly("npx", ["nx", "build", project]);
}
