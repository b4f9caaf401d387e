// Runs a root task on a machine with only Node and npm: installs missing dependencies, then starts nx.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./install.mjs";
import { notePart, noteTestEnd, printTimings, timed } from "./timings.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const nx = (...targets) => ["npx", "nx", "run-many", "-t", ...targets, "--outputStyle", "static"];

/** Runs TypeScript from sources, including those of the workspace's packages. */
const typescript = ["node", "--conditions=fleetwire-source", "--import", "tsx"];

const vitepress = (verb) => ["node", "site/node_modules/vitepress/bin/vitepress.js", verb, "site"];

// Packages are tested two at a time, since each starts one or two workers; projects that run one program after another, and wait for installations, three at a
// time; others one at a time, since they start several hosts, servers or browsers at once.
const packageTests = nx("test", "-p", "packages/*", "--parallel", "2");
const SEQUENTIAL = "@fleetwire/packaging,@fleetwire/frameworks,evaluation";
const sequentialTests = nx("test", "-p", SEQUENTIAL, "--parallel", "3");
const otherTests = nx("test", "-p", `tests/*,${SEQUENTIAL.replaceAll(/(^|,)/g, "$1!")}`, "--parallel", "1");

const outsidePackages = readdirSync(root).filter(
  (name) => /^(scripts|docs|examples|\.changeset|\.vscode)$|\.(jsonc?|ts|md)$/.test(name) && name !== "package.json",
);

/** The commands of each task, run in sequence until one fails. */
const tasks = {
  build: [nx("build")],
  test: [packageTests],
  "test:all": [packageTests, sequentialTests, otherTests],
  // The smoke run of the benchmarks tests their measuring.
  "test:long": [nx("test:long", "smoke", "--parallel", "1")],
  typecheck: [nx("typecheck"), ["npx", "tsc", "-p", "tsconfig.json"]],
  lint: [
    ["node", "scripts/folder-order.mjs"],
    nx("lint"),
    ["npx", "biome", "ci", "--error-on-warnings", ...outsidePackages, "tests/vitest"],
    ["npx", "knip", "--no-progress", "--treat-config-hints-as-errors"],
  ],
  format: [["npx", "biome", "check", "--write", "."]],
  generate: [[...typescript, "scripts/generate.ts"]],
  contract: [nx("build", "-p", "@fleetwire/contract-tests"), ["node", "packages/contract-tests/dist/fleetwire-contract.js"]],
  mutants: [["node", "scripts/mutants.mjs"]],
  changeset: [["npx", "changeset"]],
  release: [["node", "scripts/release.mjs"]],
  sit: [[...typescript, "evaluation/sit.ts"]],
  exam: [[...typescript, "evaluation/exam.ts"]],
  demo: [nx("build", "-p", "@fleetwire/mcp-server"), ["node", "scripts/demo.mjs"]],
  console: [nx("build", "-p", "@fleetwire/sandbox"), ["node", "scripts/console.mjs"]],
  screenshots: [
    nx("build", "-p", "@fleetwire/mcp-server"),
    [...typescript, "tests/browser/scripts/screenshots.ts"],
    [...typescript, "tests/browser/scripts/console-screenshots.ts"],
  ],
  capacity: [nx("build", "-p", "@fleetwire/mcp-server,@fleetwire/sandbox"), [...typescript, "tests/replicas/scripts/capacity.ts"]],
  replicas: [nx("build", "-p", "@fleetwire/mcp-server,@fleetwire/sandbox"), [...typescript, "tests/replicas/scripts/replicas.ts"]],
  site: [vitepress("build"), vitepress("preview")],
  bench: [nx("bench")],
};
tasks.ci = [...tasks.lint, ...tasks.typecheck, ...tasks["test:all"], ...tasks.build];

/** Tasks whose build is not worth reading. */
const BUILT_QUIETLY = ["demo", "console", "contract", "replicas", "capacity"];

/** Tasks that need only the packages' dependencies. */
const OF_PACKAGES = ["test", "demo", "console", "contract", "changeset", "release", "format"];

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
  // Show the suppressed output after a failure.
  if (quiet && status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}

const [task, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task)) {
  console.error(`Unknown task ${task ?? ""}. Tasks: ${Object.keys(tasks).join(", ")}`);
  process.exit(2);
}
const isTimed = task.startsWith("test");
const began = Date.now();
let status = install(OF_PACKAGES.includes(task) ? "packages" : "all");
notePart("installation", (Date.now() - began) / 1000);
if (status === 0 && (task === "demo" || task === "console")) console.error("Building (quick if nothing has changed) ...");
for (const [at, command] of tasks[task].entries()) {
  if (status !== 0) break;
  const last = at === tasks[task].length - 1;
  const start = () => run(last ? [...command, ...rest] : command, BUILT_QUIETLY.includes(task) && !last);
  status = isTimed ? timed(start) : start();
  if (command === packageTests) noteTestEnd();
}
if (isTimed) printTimings();
process.exit(status);
