import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Files of the repository, including uncommitted ones. */
function filesOf(folder: string): string[] {
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: folder, encoding: "utf8" });
  return [...new Set(stdout.split("\0"))].filter((file) => file !== "" && existsSync(join(folder, file)));
}

const tree = realpathSync(root);

/**
 * Links the installed packages of a folder: workspace packages to those of the copy, others to their location. Files that pnpm writes to are not
 * linked, so that nothing in the copy can affect the repository.
 */
function linkInstalled(from: string, to: string, copy: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    const real = realpathSync(source);
    if (name === "@fleetwire") linkInstalled(source, join(to, name), copy);
    // nx needs it to detect how the packages were installed.
    else if (name === ".modules.yaml") cpSync(source, join(to, name));
    else if (name === ".bin" || !name.startsWith("."))
      symlinkSync(real.includes("/node_modules/") ? real : join(copy, relative(tree, real)), join(to, name));
  }
}

/** A copy of the repository with links to the installed packages. */
export class TreeCopy {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "fleetwire-trial-")));

  constructor() {
    const files = filesOf(root);
    for (const file of files) cpSync(join(root, file), this.path(file), { recursive: true });
    for (const file of files.filter((name) => basename(name) === "package.json")) {
      const installed = join(root, dirname(file), "node_modules");
      if (existsSync(installed) && lstatSync(installed).isDirectory())
        linkInstalled(installed, this.path(dirname(file), "node_modules"), this.folder);
    }
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
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
