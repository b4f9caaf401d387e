import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { TestProject } from "vitest/node";

/** The first run downloads packages from the npm registry; later ones use npm's cache. */
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

/** Installs packages, or returns where they are installed. */
export function install(packages: readonly string[]): Promise<string> {
  const key = packages.join(" ");
  const installation = installed.get(key) ?? withLimit(() => npx(packages));
  // Avoids an unhandled rejection; callers get the error when they await it.
  installation.catch(() => {});
  installed.set(key, installation);
  return installation;
}

/** Installs for the test files of a run, which have processes of their own: npx must not install the same packages twice at the same time. */
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  await install(JSON.parse(body) as string[]).then(
    (folder) => response.end(folder),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});

export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("installations", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

export function teardown(): void {
  server.closeAllConnections();
  server.close();
}

declare module "vitest" {
  interface ProvidedContext {
    /** Where to ask for packages; not set where files run one at a time. */
    installations?: string;
  }
}
