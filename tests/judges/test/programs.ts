import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import { BIN, cleanEnv } from "../../../packages/mcp-server/test/spawned-bin.ts";
import { runProgram } from "../../packaging/src/packed-package.ts";

export { BIN, cleanEnv };

type Env = Readonly<Record<string, string>>;

const SANDBOX_BIN = fileURLToPath(new URL("../../../packages/sandbox/dist/fleetwire-sandbox.js", import.meta.url));

/** A proxy where nothing listens, so that only this machine is reachable. */
export const NOWHERE = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1,localhost" };

/** A temporary folder with files, removed after the test. */
export async function folderWith(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-check-"));
  // A host may still be writing while it ends.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return folder;
}

/** Runs a command to its end. Returns its exit code, and stdout and stderr interleaved. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Env = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, {
    cwd,
    env: { ...cleanEnv({ NO_COLOR: "1" }), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 230_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: stripVTControlCharacters(output) };
}

/** The first run downloads packages from the npm registry; later ones use npm's cache. */
export const INSTALL_TIMEOUT = 300_000;
const installed = new Map<string, Promise<string>>();

/** The `node_modules` with the pinned packages, outside the workspace. Two files that run at once must not need the same ones: npx would install them twice. */
export function installPackages(packages: readonly string[]): Promise<string> {
  const key = packages.join(" ");
  const args = ["-y", ...packages.flatMap((name) => ["-p", name]), "--", "node", "-p", "process.env.PATH"];
  const installation =
    installed.get(key) ?? runProgram("npx", args, tmpdir(), INSTALL_TIMEOUT / 1_000 - 10).then((path) => dirname(path.split(":")[0] ?? ""));
  installed.set(key, installation);
  return installation;
}

/** A newer Node, for programs that need it. */
export const node24 = async (): Promise<string> => `${await installPackages(["node@24.21.0"])}/.bin/node`;

/** Runs a command of a package that needs Node 24. `proof` must match its output, to show that it really ran. */
export async function runOnNode24(packageName: string, [command = "", ...args]: readonly string[], proof: RegExp) {
  const [modules, node] = [await installPackages([packageName]), await node24()];
  const ended = await run(command, args, tmpdir(), { PATH: [`${modules}/.bin`, dirname(node), process.env["PATH"]].join(":") });
  if (!proof.test(ended.output)) throw new Error(`${packageName} did not run (exit code ${ended.code}).\n${ended.output.slice(-2_000)}`);
  return ended;
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(late);
}

/** Waits for a pattern in a program's output, and keeps reading so that the program never blocks. */
function until(child: ChildProcess, stream: Readable, pattern: RegExp): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      const [, wanted] = pattern.exec(output) ?? [];
      if (wanted !== undefined) resolve(wanted);
    });
    child.once("exit", (code) => reject(new Error(`exited with code ${code} before it was ready: ${output.slice(-500)}`)));
  });
}

export interface Served {
  url: string;
  stop(): Promise<void>;
}

/** The built server over HTTP. */
export async function serveHttp(env: Env, args: readonly string[] = []): Promise<Served> {
  const child = spawn(process.execPath, [BIN, "http", "--port", "0", ...args], { env: cleanEnv(env), stdio: ["ignore", "ignore", "pipe"] });
  return { url: await until(child, child.stderr, /ready at ([^\s"]+)["\n]/), stop: () => stopped(child) };
}

/** The same with the embedded sandbox. */
export const serveSandbox = (env: Env = {}): Promise<Served> => serveHttp({ FLEET_CONFIRM: "never", ...env }, ["--sandbox"]);

type Job = Readonly<Record<string, unknown>>;

/** The service as a separate process, with its job list read independently of client and tools. */
export interface Fleet {
  env: Record<string, string>;
  /** The created jobs with a value in a field. */
  jobsWith(field: string, value: string): Promise<Job[]>;
  stop(): Promise<void>;
}

export async function startFleet(): Promise<Fleet> {
  const args = [SANDBOX_BIN, "--port", "0", "--seed", "1", "--vehicles", "50"];
  const child = spawn(process.execPath, args, { env: cleanEnv(), stdio: ["ignore", "pipe", "ignore"] });
  const env = JSON.parse(await until(child, child.stdout, /^(\{.*\})\n/)) as Record<"env", Record<string, string>>;
  const { FLEET_CLIENT_ID, FLEET_CLIENT_SECRET, FLEET_AUTH_URL, FLEET_API_HOST, FLEET_CUSTOMER_ID } = env.env;
  const basic = { authorization: `Basic ${btoa(`${FLEET_CLIENT_ID}:${FLEET_CLIENT_SECRET}`)}` };
  return {
    env: env.env,
    jobsWith: async (field, value) => {
      const body = new URLSearchParams({ grant_type: "client_credentials" });
      const granted = await fetch(`${FLEET_AUTH_URL}/vendor-oauth/oauth/accessToken`, { method: "POST", headers: basic, body });
      const { accessToken } = (await granted.json()) as { accessToken: string };
      const url = `${FLEET_API_HOST}/job-management/v1/customer/${FLEET_CUSTOMER_ID}/jobs?limit=1000`;
      const response = await fetch(url, { headers: { "x-connect-token": `TOKEN ${accessToken}` } });
      return ((await response.json()) as { jobs: Job[] }).jobs.filter((job) => job[field] === value);
    },
    stop: () => stopped(child),
  };
}

/** How a client reaches the server: as a command or at a URL. */
export type ServerAt = { command: string; args: string[]; env: Record<string, string> } | { url: string };

const CACHE = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));

export const overStdio = (env: Env) => ({
  command: process.execPath,
  args: [BIN],
  // A server may outlive its session, and would then create its cache in a home that has been removed.
  env: cleanEnv({ FLEET_LOG: "silent", XDG_CACHE_HOME: CACHE, ...env }),
});
