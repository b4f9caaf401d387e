// Reports which small changes to a package's sources no test notices, with StrykerJS on Node 24. A report, not a check: it takes minutes to hours.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The sources worth the time, by package. */
const SOURCES = { "driving-time": "src/**/*.ts", core: "src/client/**/*.ts", tools: "src/writes/**/*.ts" };

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [name = "driving-time", mutate = SOURCES[name]] = process.argv.slice(2);
if (!Object.hasOwn(SOURCES, name)) {
  console.error(`Usage: npm run task -- mutants [PACKAGE] [FILES], where PACKAGE is one of ${Object.keys(SOURCES).join(", ")}`);
  process.exit(2);
}
const packages = ["node@24", "@stryker-mutator/core@10.1.1", "@stryker-mutator/vitest-runner@10.1.1", "vitest@4.1.12"];
const stryker = ["--testRunner", "vitest", "--plugins", "@stryker-mutator/vitest-runner", "--mutate", mutate, "--ignoreStatic"];
const where = ["--inPlace", "--concurrency", "1", "--reporters", "clear-text,progress"];
const { status } = spawnSync("npx", ["-y", ...packages.flatMap((name) => ["-p", name]), "stryker", "run", ...stryker, ...where], {
  cwd: join(root, "packages", name),
  stdio: "inherit",
});
process.exit(status ?? 1);
