// Reports every file in the repository that a process opens. vitest.opened-files.ts loads it into test workers, and NODE_OPTIONS loads it into the
// Node programs that they start. It is CommonJS because `--require` delays the start of programs less than `--import`.
const childProcess = require("node:child_process");
const fs = require("node:fs");
const { registerHooks, syncBuiltinESMExports } = require("node:module");
const { basename, dirname, join, relative, resolve, sep } = require("node:path");
const { fileURLToPath } = require("node:url");
const { threadId } = require("node:worker_threads");

/** The environment variable with the folder where programs started by tests log what they open. */
const LOG = "OPENED_FILES_LOG";
const { openSync, writeSync } = fs;
/** This process's own variables: a test that runs a program in its process replaces `process.env` meanwhile. */
const { env: ownEnv } = process;
const realpath = fs.realpathSync.native;
const root = realpath(dirname(__dirname));

let log;
/** Writes immediately, because tests kill programs. */
let report = (how, path) => {
  const folder = ownEnv[LOG];
  if (!folder) return;
  try {
    log ??= openSync(join(folder, `${process.pid}-${threadId}`), "a");
    writeSync(log, `${how} ${path}\n`);
  } catch {
    // The tests that started this program have finished.
  }
};

/** Cached by path, so that each is looked up and reported once. */
const inRepository = new Map();

/** A path relative to the repository's root, with links resolved; undefined for nonexistent paths and paths outside the repository. */
function pathInRepository(given) {
  const path = resolve(given);
  if (inRepository.has(path)) return inRepository.get(path);
  let found;
  try {
    const real = realpath(path);
    if (real === root || real.startsWith(root + sep)) found = relative(root, real) || ".";
  } catch {
    // A nonexistent path is not a dependency.
  }
  inRepository.set(path, found);
  return found;
}

const reported = new Set();

/** Records how a path was opened: as `file`, as `list` for the names in a folder, or as `tree` for everything below it. */
function saw(how, given) {
  let path;
  if (typeof given === "string") path = given.startsWith("file:") ? fileURLToPath(given) : given;
  else if (given instanceof URL && given.protocol === "file:") path = fileURLToPath(given);
  else if (Buffer.isBuffer(given)) path = given.toString();
  else return;
  const found = pathInRepository(path);
  if (found === undefined || /(^|\/)node_modules(\/|$)/.test(found)) return;
  const line = `${how} ${found}`;
  if (reported.has(line)) return;
  reported.add(line);
  report(how, found);
}

const isRecursive = (options) => options?.recursive === true;
const OPENING = {
  open: () => "file",
  openAsBlob: () => "file",
  readFile: () => "file",
  createReadStream: () => "file",
  copyFile: () => "file",
  cp: () => "tree",
  readdir: (options) => (isRecursive(options) ? "tree" : "list"),
  opendir: (options) => (isRecursive(options) ? "tree" : "list"),
};

for (const owner of [fs, fs.promises]) {
  for (const [name, how] of Object.entries(OPENING).flatMap(([name, how]) => [
    [name, how],
    [`${name}Sync`, how],
  ])) {
    const original = owner[name];
    if (typeof original !== "function") continue;
    owner[name] = function (...args) {
      saw(how(args[1]), args[0]);
      return original.apply(this, args);
    };
  }
}

// In versions without registerHooks, Node loads modules through the functions above.
registerHooks?.({
  load(url, context, next) {
    if (url.startsWith("file:")) saw("file", url);
    return next(url, context);
  },
});

/** Whether a program is run by Node and therefore reports its own files. */
function isNode(file) {
  if (file === process.execPath || /^(node|npm|npx|pnpm)$/.test(basename(file))) return true;
  try {
    return /^#!.*\bnode\b/.test(fs.readFileSync(file, "latin1").slice(0, 100));
  } catch {
    return false;
  }
}

/** For other programs: records the paths in the arguments and the whole working folder. */
function sawProgram(file, words, cwd) {
  if (isNode(file)) return;
  const folder = cwd instanceof URL ? fileURLToPath(cwd) : String(cwd ?? process.cwd());
  saw("tree", folder);
  for (const word of words) saw("tree", resolve(folder, word.replace(/^--?[\w-]+=/, "")));
}

const preload = `--require ${JSON.stringify(__filename)}`;
const optionsWith = (options = "") => (options.includes(preload) ? options : `${options} ${preload}`.trim());
const wordsOf = (args) => args.flatMap((arg) => String(arg).split(/\s+/));

const { spawn } = childProcess.ChildProcess.prototype;
childProcess.ChildProcess.prototype.spawn = function (options) {
  sawProgram(String(options.file), wordsOf((options.args ?? []).slice(1)), options.cwd);
  const env = Object.fromEntries((options.envPairs ?? []).map((pair) => [pair.slice(0, pair.indexOf("=")), pair]));
  const { NODE_OPTIONS: given, ...others } = env;
  const own = [`NODE_OPTIONS=${optionsWith(given?.slice("NODE_OPTIONS=".length))}`, `${LOG}=${ownEnv[LOG] ?? ""}`];
  return spawn.call(this, { ...options, envPairs: [...Object.values({ ...others, [LOG]: own[1] }), own[0]] });
};

for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  const original = childProcess[name];
  childProcess[name] = (file, ...rest) => {
    const args = Array.isArray(rest[0]) ? rest[0] : [];
    const options = (Array.isArray(rest[0]) ? rest[1] : rest[0]) ?? {};
    if (name === "execSync") sawProgram("sh", wordsOf([file]), options.cwd);
    else sawProgram(String(file), wordsOf(args), options.cwd);
    const env = options.env ?? process.env;
    const watched = { ...options, env: { ...env, NODE_OPTIONS: optionsWith(env.NODE_OPTIONS), [LOG]: ownEnv[LOG] ?? "" } };
    return name === "execSync" ? original(file, watched) : original(file, args, watched);
  };
}
syncBuiltinESMExports();

module.exports = {
  LOG,
  /** Reports everything that this process opens to a function, once per path. */
  reportTo: (listener) => {
    report = listener;
  },
};
