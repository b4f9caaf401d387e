// Writes everything that is generated from the contract and prints a line for each file that changed; `generate.mjs NAME...` writes only those.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generators } from "./generators.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !generators.some((generator) => generator.name === name));
if (unknown.length > 0) {
  console.error(`Nothing is generated under the name ${unknown[0]}: one of ${generators.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

/** The generated files that are there, by path below the root. */
function contentOf({ writes }) {
  const files = writes.flatMap((place) => {
    if (typeof place === "string") return [place];
    const [folder, pattern] = place;
    const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true }) : [];
    return names.filter((name) => pattern.test(name)).map((name) => `${folder}/${name}`);
  });
  return new Map(files.map((file) => [file, existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined]));
}

/** Runs a command quietly: what it says is needed only where it fails. */
function run(command, args) {
  const env = { ...process.env, NX_DAEMON: "false", npm_config_loglevel: "error", NO_COLOR: "1", FORCE_COLOR: "0" };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8", env, maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim();
}

function fail(name, script, said, advice) {
  console.error(`${said}\n\ngenerate: ${name} failed (${script}); ${advice}, then npm run generate again`);
  process.exit(1);
}

const built = new Set();
let changed = 0;
for (const generator of generators.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { name, builds, script } = generator;
  if (builds && !built.has(builds)) {
    const said = run("npx", ["nx", "build", builds, "--outputStyle", "static"]);
    if (said) fail(`building ${builds}`, "npx nx build", said, "the compiler says which file to open");
    built.add(builds);
  }
  const before = contentOf(generator);
  const said = run(process.execPath, [join(root, script)]);
  if (said) fail(name, script, said, "open the file that it names");
  for (const [file, text] of contentOf(generator)) {
    if (before.get(file) === text) continue;
    console.log(`${name.padEnd(16)}${file}`);
    changed++;
  }
}
console.log(changed === 0 ? "Every generated file is as it was." : `${changed} files are written; git diff shows what changed.`);
