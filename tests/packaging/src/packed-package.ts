import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface PackedPackage {
  tarball: string;
  remove(): Promise<void>;
}

type Program = [program: string, args: readonly string[], cwd: string, seconds?: number, env?: NodeJS.ProcessEnv];

/** Runs a program with a timeout and without colours. If it fails, the error includes its output. */
export async function runWithMessages(...[program, args, cwd, seconds = 120, more]: Program): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", npm_config_loglevel: "error", ...more };
  return run(program, args, { cwd, env, timeout: seconds * 1000, maxBuffer: 2 ** 26 }).catch(({ stdout, stderr, code }) => {
    throw new Error(`${program} ${args.join(" ")} exited with ${code}\n${stdout}\n${stderr}`);
  });
}

export const runProgram = async (...program: Program): Promise<string> => (await runWithMessages(...program)).stdout;

let path: Promise<string> | undefined;
/** The path of the pinned pnpm: npx takes as long to start as pnpm to pack. */
export function pnpmPath(): Promise<string> {
  path ??= readFile(join(root, "package.json"), "utf8").then(async (text) => {
    const { packageManager } = JSON.parse(text) as { packageManager: string };
    return (await runProgram("npx", ["-y", "-p", packageManager, "--", "which", "pnpm"], tmpdir())).trim();
  });
  return path;
}

/** Packs a built package as for publishing. */
export async function packPackage(name: string): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-pack-"));
  const args = ["pack", "--json", "--pack-destination", folder];
  const { filename } = JSON.parse(await runProgram(await pnpmPath(), args, join(root, "packages", name))) as { filename: string };
  return { tarball: filename, remove: () => rm(folder, { recursive: true }) };
}
