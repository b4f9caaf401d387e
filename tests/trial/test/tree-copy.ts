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

/** Files of the tree, those that are not committed yet among them. */
function filesOf(folder: string): string[] {
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: folder, encoding: "utf8" });
  return [...new Set(stdout.split("\0"))].filter((file) => file !== "" && existsSync(join(folder, file)));
}

const tree = realpathSync(root);

/**
 * Links what is installed in one folder: packages of the workspace to those of the copy, all others to where they are. What pnpm would write to is not
 * linked, so that nothing done in the copy can reach the tree.
 */
function linkInstalled(from: string, to: string, copy: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    const real = realpathSync(source);
    if (name === "@fleetwire") linkInstalled(source, join(to, name), copy);
    // nx reads it to learn how the packages were installed.
    else if (name === ".modules.yaml") cpSync(source, join(to, name));
    else if (name === ".bin" || !name.startsWith("."))
      symlinkSync(real.includes("/node_modules/") ? real : join(copy, relative(tree, real)), join(to, name));
  }
}

/** A copy of the tree in which an operation can be added: its files, what is installed linked. */
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

  /** Runs a command line as a person would, in the root of the copy or a folder of it. What is installed is taken as it is. */
  run(command: string, folder = ""): SpawnSyncReturns<string> {
    const { PATH = "", HOME = "" } = process.env;
    const env = { PATH, HOME, FLEETWIRE_INSTALLED: "1", NX_DAEMON: "false", NO_COLOR: "1", CI: "1" };
    return spawnSync(command, { cwd: this.path(folder), encoding: "utf8", env, shell: true, maxBuffer: 64 * 1024 * 1024 });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
