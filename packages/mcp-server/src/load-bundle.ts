import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

// Node's own compile cache requires 22.8 or later and, by default, keeps the code in a temporary folder that others can write to.

type Wrapper = (exports: object, require: (id: string) => unknown, module: { exports: object }, file: string, folder: string) => void;

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "bundle");

/** The folder for compiled code. Code from it is executed, so nobody but this user may write to it. */
function cacheFolder(): string {
  const { env, platform } = process;
  const base = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  return join(base || join(homedir(), platform === "darwin" ? "Library/Caches" : ".cache"), "fleetwire-mcp");
}

function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Reads compiled code; undefined if there is none, or if others could have written it. */
function readCompiled(file: string): Buffer | undefined {
  try {
    return isPrivate(dirname(file)) ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes compiled code so that no other process reads half of it. Starting without it is only slower, so failures are ignored. */
function writeCompiled(file: string, code: Buffer): void {
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!isPrivate(dirname(file))) return;
    writeFileSync(temporary, code, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
  } catch {
    rmSync(temporary, { force: true });
  }
}

const loaded = new Map<string, { exports: object }>();
const uncached = new Map<string, Script>();

/** Runs when the process ends, to include code compiled on first use; skipped after a failure, when little code has run. */
function keepCompiled(file: string, script: Script): void {
  if (uncached.size === 0)
    process.once("exit", (code) => {
      if (code === 0) for (const [path, one] of uncached) writeCompiled(path, one.createCachedData());
    });
  uncached.set(file, script);
}

/** The file of each program. scripts/bundle.mjs fills them in. */
declare const BUNDLES: Readonly<Record<string, string>>;

/**
 * Loads a file or program of the bundle, which is CommonJS, using code compiled by an earlier process. V8 rejects compiled code of another version; the names of
 * the files contain a hash of their content.
 */
export function loadBundle(id: string): object {
  const name = BUNDLES[id] ?? id;
  const known = loaded.get(name);
  if (known) return known.exports;
  const file = join(FOLDER, name);
  const cached = process.env["NODE_DISABLE_COMPILE_CACHE"] ? undefined : join(cacheFolder(), `${name}-${process.version}-${process.arch}`);
  const compiled = cached === undefined ? undefined : readCompiled(cached);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`, {
    filename: file,
    ...(compiled && { cachedData: compiled }),
  });
  const module = { exports: {} };
  loaded.set(name, module);
  const require = createRequire(file);
  const run = script.runInThisContext() as Wrapper;
  run(module.exports, (other) => (other.startsWith("./") ? loadBundle(other.slice(2)) : require(other)), module, file, FOLDER);
  if (cached !== undefined && (compiled === undefined || script.cachedDataRejected)) keepCompiled(cached, script);
  return module.exports;
}
