import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname } from "node:path";

/** The first run brings packages from the npm registry; later ones find them in npm's cache. */
export const BRING_TIMEOUT = 300_000;

const AT_ONCE = 3;
const brought = new Map<string, Promise<string>>();
let underWay = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
    waiting.shift()?.();
  }
}

async function npx(packages: readonly string[]): Promise<string> {
  // npm's own patience with a registry out of reach is longer than a test's.
  const npm = { npm_config_loglevel: "error", npm_config_fetch_retries: "1", npm_config_fetch_retry_mintimeout: "2000" };
  const args = ["-y", ...packages.flatMap((name) => ["-p", name]), "--", "node", "-p", "process.env.PATH"];
  const child = spawn("npx", args, {
    cwd: tmpdir(),
    env: { ...process.env, ...npm, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: BRING_TIMEOUT - 10_000,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [bin] = stdout.trim().split(":");
  if (code === 0 && bin?.endsWith("/node_modules/.bin")) return dirname(bin);
  throw new Error(`npx could not bring ${packages.join(", ")} (exit code ${code}): is the npm registry in reach?\n${stderr.slice(-1_000)}`);
}

/** The `node_modules` that pinned packages stand in, outside the workspace. */
export function bring(packages: readonly string[]): Promise<string> {
  const key = packages.join(" ");
  const known = brought.get(key);
  if (known) return known;
  const coming = inTurn(() => npx(packages));
  // Whoever waits for it hears of it; a host whose turn comes later does so later.
  coming.catch(() => {});
  brought.set(key, coming);
  return coming;
}

const NODE_24 = ["node@24.21.0"];

/** A newer Node, for hosts that do not run on the one that runs the tests. */
export const node24 = async (): Promise<string> => `${await bring(NODE_24)}/.bin/node`;
