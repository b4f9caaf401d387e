import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const built = (path: string) => fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url));

export const SERVER_BIN = built("mcp-server/dist/fleetwire-mcp.js");
const CACHE = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
const SANDBOX_BIN = built("sandbox/dist/fleetwire-sandbox.js");

/** An environment with only PATH from the test's own, so that no other variable interferes. */
export const cleanEnv = (env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ...env,
});

type Job = Readonly<Record<string, unknown>>;

/** The service as a separate process, with its job list read independently of client and tools. */
export interface Fleet {
  env: Record<string, string>;
  /** The created jobs with a value in a field. */
  jobsWith(field: string, value: string): Promise<Job[]>;
  stop(): Promise<void>;
}

async function stopped(child: ChildProcessByStdio<null, Readable | null, Readable | null>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(late);
}

/** Waits for a pattern in a program's output, and keeps reading so that the program never blocks. */
function until(child: ChildProcessByStdio<null, Readable | null, Readable | null>, stream: Readable, pattern: RegExp): Promise<string> {
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

export async function startFleet(args: readonly string[] = []): Promise<Fleet> {
  const child = spawn(process.execPath, [SANDBOX_BIN, "--port", "0", "--seed", "1", "--vehicles", "50", ...args], {
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { env } = JSON.parse(await until(child, child.stdout, /^(\{.*\})\n/)) as { env: Record<string, string> };
  const basic = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const token = async () => {
    const headers = { authorization: basic, "content-type": "application/x-www-form-urlencoded" };
    const url = `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`;
    const response = await fetch(url, { method: "POST", headers, body: "grant_type=client_credentials" });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  return {
    env,
    jobsWith: async (field, value) => {
      const url = `${env["FLEET_API_HOST"]}/job-management/v1/customer/${env["FLEET_CUSTOMER_ID"]}/jobs?limit=1000`;
      const response = await fetch(url, { headers: { "x-connect-token": `TOKEN ${await token()}` } });
      const { jobs } = (await response.json()) as { jobs: Job[] };
      return jobs.filter((job) => job[field] === value);
    },
    stop: () => stopped(child),
  };
}

/** How a client reaches the server: as a command or at a URL. */
export type ServerAt = { command: string; args: string[]; env: Record<string, string> } | { url: string };

export const overStdio = (env: Readonly<Record<string, string>>): ServerAt => ({
  command: process.execPath,
  args: [SERVER_BIN],
  // A server may outlive its session, and would then create its cache in a home that has been removed.
  env: cleanEnv({ FLEET_LOG: "silent", XDG_CACHE_HOME: CACHE, ...env }),
});

export interface Served {
  server: { url: string };
  stop(): Promise<void>;
}

/** The built server over HTTP. */
export async function serveHttp(env: Readonly<Record<string, string>>): Promise<Served> {
  const child = spawn(process.execPath, [SERVER_BIN, "http", "--port", "0"], { env: cleanEnv(env), stdio: ["ignore", "ignore", "pipe"] });
  const url = await until(child, child.stderr, /ready at ([^\s"]+)["\n]/);
  return { server: { url }, stop: () => stopped(child) };
}
