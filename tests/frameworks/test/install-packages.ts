import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PackedPackage, packPackage, runProgram } from "@fleetwire/packaging";

/** The first run downloads packages from the npm registry; later ones use npm's cache. */
export const INSTALL_TIMEOUT = 300_000;
const SECONDS = 280;
const MAX_CONCURRENT = 2;

/** Packages to install in a folder, next to the packed tarballs. */
export interface Installation {
  /** Name of the folder and, for a framework, in drivers/agent.mjs. */
  driver: string;
  /** Pinned packages; for a framework, those that docs/agents.md installs. */
  packages: readonly string[];
  needsNode24: boolean;
}

export interface Installed {
  /** The folder of an installation: the packed tarballs and the packages, installed as a user would. */
  folder(installation: Installation): Promise<string>;
  /** The path of a Node version that a framework supports. */
  node(framework: Pick<Installation, "needsNode24">): Promise<string>;
  remove(): Promise<void>;
}

async function install({ driver, packages }: Installation, packed: readonly PackedPackage[], root: string): Promise<string> {
  const folder = join(root, driver);
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "agent", private: true, type: "module" }));
  const tarballs = packed.map(({ tarball }) => tarball);
  await runProgram("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs, ...packages], folder, SECONDS);
  const types = join(folder, "node_modules/@types");
  await mkdir(types, { recursive: true });
  await rm(join(types, "node"), { recursive: true, force: true });
  await symlink(fileURLToPath(new URL("../../../node_modules/@types/node", import.meta.url)), join(types, "node"));
  return folder;
}

/** The path of Node 24. */
export const node24Path = async (): Promise<string> =>
  (await runProgram("npx", ["-y", "-p", "node@24.21.0", "--", "node", "-p", "process.execPath"], tmpdir(), SECONDS)).trim();

/** Starts installing frameworks and other packages, in this order. */
export function startInstalling(installations: readonly Installation[]): Installed {
  const root = mkdtemp(join(tmpdir(), "fleetwire-frameworks-"));
  const packed = Promise.all(["core", "driving-time", "tools", "sandbox"].map(packPackage));
  const slots = Array.from({ length: MAX_CONCURRENT }, () => Promise.resolve<unknown>(undefined));
  const folders = new Map<Installation, Promise<string>>(
    installations.map((installation, at) => {
      const slot = at % MAX_CONCURRENT;
      const folder = Promise.resolve(slots[slot]).then(async () => install(installation, await packed, await root));
      slots[slot] = folder.catch(() => {});
      return [installation, folder] as const;
    }),
  );
  const node24 = installations.some(({ needsNode24 }) => needsNode24) ? node24Path() : undefined;
  node24?.catch(() => {});
  return {
    folder: async (installation) => (await folders.get(installation)) ?? "",
    node: async ({ needsNode24 }) => (needsNode24 && node24 ? node24 : process.execPath),
    remove: async () => {
      await Promise.all(slots);
      for (const { remove } of await packed) await remove();
      await rm(await root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
