import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PackedPackage, packPackage, runProgram } from "@fleetwire/packaging";
import type { Framework } from "./frameworks.ts";

/** The first run downloads packages from the npm registry; later ones use npm's cache. */
export const INSTALL_TIMEOUT = 300_000;
const SECONDS = 280;
const MAX_CONCURRENT = 2;

export interface Installed {
  /** The folder of a framework, with the packed tarballs and its packages installed as a user would. */
  folder(framework: Framework): Promise<string>;
  /** A Node that the framework supports. */
  node(framework: Framework): Promise<string>;
  remove(): Promise<void>;
}

async function install({ driver, packages }: Framework, packed: readonly PackedPackage[], root: string): Promise<string> {
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

/** Starts to install frameworks, in this order. */
export function startInstalling(frameworks: readonly Framework[]): Installed {
  const root = mkdtemp(join(tmpdir(), "fleetwire-frameworks-"));
  const packed = Promise.all([packPackage("core"), packPackage("driving-time"), packPackage("tools")]);
  const slots = Array.from({ length: MAX_CONCURRENT }, () => Promise.resolve<unknown>(undefined));
  const folders = new Map(
    frameworks.map((framework, at) => {
      const slot = at % MAX_CONCURRENT;
      const folder = Promise.resolve(slots[slot]).then(async () => install(framework, await packed, await root));
      slots[slot] = folder.catch(() => {});
      return [framework, folder];
    }),
  );
  const node24 = frameworks.some(({ needsNode24 }) => needsNode24)
    ? runProgram("npx", ["-y", "-p", "node@24.21.0", "--", "node", "-p", "process.execPath"], tmpdir(), SECONDS)
    : undefined;
  node24?.catch(() => {});
  return {
    folder: async (framework) => (await folders.get(framework)) ?? "",
    node: async ({ needsNode24 }) => (needsNode24 && node24 ? (await node24).trim() : process.execPath),
    remove: async () => {
      await Promise.all(slots);
      for (const { remove } of await packed) await remove();
      await rm(await root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
