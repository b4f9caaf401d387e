// `npm run generate [-- NAME...]` writes all derived files, or those of the named generators; with --check it lists stale files and writes nothing.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { staleFiles, writeFiles } from "./generated-files.ts";
import { generate, generators } from "./generators.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({ options: { check: { type: "boolean", default: false } }, allowPositionals: true });

function fail(problem: string, exitCode = 1): never {
  console.error(problem);
  process.exit(exitCode);
}

/** Builds packages quietly: compiler output matters only on failure. */
function build(name: string): void {
  const { status, stdout, stderr } = spawnSync("npx", ["nx", "run-many", "-t", "build", "-p", name, "--outputStyle", "static"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NX_DAEMON: "false", NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  if (status !== 0) fail(`${stdout}${stderr}\n${name} does not build: fix the errors above, then run npm run generate again`);
}

const unknown = positionals.find((name) => !generators.some((generator) => generator.name === name));
if (unknown !== undefined) fail(`There is no generator ${unknown}; choose one of ${generators.map(({ name }) => name).join(", ")}`, 2);

let count = 0;
for (const generator of generators) {
  const { name, runsBuild } = generator;
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (runsBuild) build(runsBuild);
  try {
    const files = await generate(generator);
    const stale = staleFiles(files, root);
    for (const file of stale) console.log(`${name.padEnd(16)}${file}${files[file] === undefined ? " (no longer generated)" : ""}`);
    if (!values.check) writeFiles(files, root);
    count += stale.length;
  } catch (error) {
    fail(`generate ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
const files = count === 1 ? "1 file" : `${count} files`;
if (values.check && count > 0) fail(`${files} out of date: run npm run generate, then review git diff`);
console.log(count === 0 ? "Every generated file is up to date." : `${files} changed: review them in git diff.`);
