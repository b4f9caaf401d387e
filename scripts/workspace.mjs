// Runs a root task on a machine that has only Node and npm: brings pnpm through npx, installs what is missing, then hands over to nx.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".fleetwire-installed");

const nx = (...targets) => ["npx", "nx", "run-many", "-t", ...targets, "--outputStyle", "static"];

/** Runs TypeScript from sources, those of the workspace's packages too. */
const typescript = ["node", "--conditions=fleetwire-source", "--import", "tsx"];

const outsidePackages = readdirSync(root).filter(
  (name) => /^(scripts|docs|\.changeset|\.vscode)$|\.(jsonc?|ts|md)$/.test(name) && name !== "package.json",
);

/** Each task's commands, run one after the other until one fails. */
const tasks = {
  build: [nx("build")],
  test: [nx("test")],
  "test:long": [nx("test:long")],
  typecheck: [nx("typecheck"), ["npx", "tsc", "-p", "tsconfig.json"]],
  lint: [
    nx("lint"),
    ["npx", "biome", "ci", "--error-on-warnings", ...outsidePackages],
    ["npx", "knip", "--no-progress", "--treat-config-hints-as-errors"],
  ],
  format: [["npx", "biome", "check", "--write", "."]],
  generate: [[...typescript, "scripts/generate.ts"]],
  contract: [nx("build", "-p", "@fleetwire/contract-tests"), ["node", "packages/contract-tests/dist/fleetwire-contract.js"]],
  draft: [[...typescript, "packages/contract-tests/scripts/draft.ts"]],
  mutants: [["node", "tests/mutation/scripts/run-source.mjs", "src/command.ts"]],
  "release-baseline": [["node", "packages/contract-tests/scripts/take-release-baseline.mjs"]],
  changeset: [["npx", "changeset"]],
  demo: [
    [...nx("build", "-p", "@fleetwire/mcp-server"), "--quiet"],
    ["node", "scripts/demo.mjs"],
  ],
  bench: [nx("bench")],
};
tasks.ci = [...tasks.lint, ...tasks.typecheck, ...tasks.test, ...tasks.build];

function run([command, ...args], quiet = false) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ["inherit", "pipe", "pipe"] : "inherit",
    env: {
      ...process.env,
      NX_DAEMON: "false",
      npm_config_loglevel: "error",
      ...(process.stdout.isTTY ? {} : { NO_COLOR: "1", FORCE_COLOR: "0" }),
    },
  });
  // What was kept quiet is needed once something failed.
  if (quiet && status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}

/** What an installation depends on: a change of any of these makes it stale. */
function wanted() {
  const folders = ["packages", "tests"].flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)));
  const manifests = folders.map((folder) => join(folder, "package.json"));
  const hash = createHash("sha256");
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ...manifests]) {
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function install() {
  // Whoever has installed everything in another way says so.
  if (process.env["FLEETWIRE_INSTALLED"]) return 0;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted()) return 0;
  console.error("Installing what is needed (once; a minute or less on a fast line) ...");
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const status = run(["npx", "-y", packageManager, "install", "--frozen-lockfile", "--reporter=append-only"], true);
  if (status === 0) writeFileSync(stamp, wanted());
  return status;
}

const [task, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task)) {
  console.error(`Unknown task ${task ?? ""}: one of ${Object.keys(tasks).join(", ")}`);
  process.exit(2);
}
let status = install();
if (status === 0 && task === "demo") console.error("Building (quick when nothing changed) ...");
for (const [at, command] of tasks[task].entries()) {
  if (status !== 0) break;
  const last = at === tasks[task].length - 1;
  status = run(last ? [...command, ...rest] : command, (task === "demo" || task === "contract") && !last);
}
process.exit(status);
