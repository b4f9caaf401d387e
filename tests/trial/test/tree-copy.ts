import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A copy of the repository with its uncommitted changes and installed packages, but without what was built. */
export class TreeCopy {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "fleetwire-trial-")));

  constructor() {
    const skipped = [".git", ".nx", "node_modules"].map((name) => join(root, name));
    const filter = (file: string) => !skipped.includes(file) && basename(file) !== "dist";
    // pnpm's links are relative: those between the packages stay in the copy, all others pass through its node_modules.
    cpSync(root, this.folder, { recursive: true, verbatimSymlinks: true, filter });
    mkdirSync(this.path("node_modules"));
    for (const name of readdirSync(join(root, "node_modules")))
      symlinkSync(join(root, "node_modules", name), this.path("node_modules", name));
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  replace(file: string, from: string | RegExp, to: string): void {
    const before = this.read(file);
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(this.path(file), after);
  }

  /** Runs a command line in the copy's root or a folder, without reinstalling packages. */
  run(command: string, folder = ""): SpawnSyncReturns<string> {
    const { PATH = "", HOME = "" } = process.env;
    const env = { PATH, HOME, FLEETWIRE_INSTALLED: "1", NX_DAEMON: "false", NO_COLOR: "1", CI: "1" };
    return spawnSync(command, { cwd: this.path(folder), encoding: "utf8", env, shell: true, maxBuffer: 64 * 1024 * 1024 });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
