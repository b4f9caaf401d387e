import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname } from "node:path";

/** The first run downloads packages from the npm registry; later ones use npm's cache. */
export const INSTALL_TIMEOUT = 300_000;
const SECONDS = 290;
const MAX_CONCURRENT = 3;
const installed = new Map<string, Promise<string>>();
let running = 0;
const waiting: (() => void)[] = [];

async function withLimit<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function npx(packages: readonly string[]): Promise<string> {
  // With an unreachable registry, npm would retry for longer than the test's timeout.
  const npm = { npm_config_loglevel: "error", npm_config_fetch_retries: "1", npm_config_fetch_retry_mintimeout: "2000" };
  const args = ["-y", ...packages.flatMap((name) => ["-p", name]), "--", "node", "-p", "process.env.PATH"];
  const child = spawn("npx", args, {
    cwd: tmpdir(),
    env: { ...process.env, ...npm, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: SECONDS * 1_000,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [bin] = stdout.trim().split(":");
  if (code === 0 && bin?.endsWith("/node_modules/.bin")) return dirname(bin);
  throw new Error(
    `npx could not install ${packages.join(", ")} (exit code ${code}): is the npm registry reachable?\n${stderr.slice(-1_000)}`,
  );
}

/**
 * The `node_modules` with the pinned packages, outside the workspace. Two files that run at the same time must not need the same packages, since npx
 * would install them twice.
 */
export function installPackages(packages: readonly string[]): Promise<string> {
  const key = packages.join(" ");
  const installation = installed.get(key) ?? withLimit(() => npx(packages));
  // Avoids an unhandled rejection; callers get the error when they await it.
  installation.catch(() => {});
  installed.set(key, installation);
  return installation;
}

const NODE_24 = ["node@24.21.0"];

/** A newer Node, for hosts that need it. */
export const node24 = async (): Promise<string> => `${await installPackages(NODE_24)}/.bin/node`;
