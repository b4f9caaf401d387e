// What a deployment consists of: a service, Redis, replicas, and nginx in front of them.
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { type Program, SANDBOX, SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { freePort } from "../../vitest/free-port.ts";
import { startNginx } from "./nginx.ts";

type Variables = Readonly<Record<string, string>>;

export const redisPath: string | undefined = await debianProgram("redis-server");

/** Starts the built sandbox as a fleet service, with the variables of each of its customers. */
export async function openSandbox(flags: readonly string[]): Promise<Program & { customers: readonly Variables[] }> {
  const program = await startProgram(process.execPath, { args: [SANDBOX, "--port", "0", "--seed", "1", ...flags], pattern: /^(\{.*\})$/ });
  const { env, otherCustomers = [] } = JSON.parse(program.ready) as { env: Variables; otherCustomers?: Variables[] };
  return { ...program, customers: [env, ...otherCustomers] };
}

/** A program that can be killed and started again at the same address. */
export interface Restartable extends Pick<Program, "end" | "signal" | "onLine"> {
  name: string;
  pid(): number;
  restart(): Promise<void>;
}

async function restartable(name: string, start: () => Promise<Program>): Promise<Restartable> {
  const listeners: ((line: string) => void)[] = [];
  let program = await start();
  return {
    name,
    pid: () => program.pid,
    end: (signal) => program.end(signal),
    signal: (signal) => program.signal(signal),
    restart: async () => {
      program = await start();
      for (const listener of listeners) program.onLine(listener);
    },
    onLine: (listener) => {
      listeners.push(listener);
      program.onLine(listener);
    },
  };
}

/** Starts Redis with an append-only file in the folder, which it reads when it is started again. */
export async function openRedis(folder: string, flags: readonly string[] = []): Promise<Restartable & { url: string }> {
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", folder, ...flags];
  const redis = await restartable("redis", () => startProgram(redisPath as string, { args, pattern: /Ready to accept connections/ }));
  return { ...redis, url: `redis://127.0.0.1:${port}` };
}

/** Writes a file with a token that may write for each tenant, or for callers of the only customer, and returns the tokens. */
export function writeTokens(path: string, tenants: readonly (string | undefined)[]): string[] {
  const tokens = tenants.map(() => `fwt_canary-${randomBytes(24).toString("base64url")}`);
  const entries = tokens.map((token, at) => ({
    name: `caller-${at}`,
    hash: createHash("sha256").update(token).digest("base64url"),
    scopes: ["fleet:read", "fleet:write"],
    ...(tenants[at] !== undefined && { tenant: tenants[at] }),
  }));
  writeFileSync(path, JSON.stringify({ tokens: entries }), { mode: 0o600 });
  return tokens;
}

const PAGE = 1_000;

/** Reads the numbers of the service's jobs by title, not through Fleetwire. */
async function jobsOf(env: Variables): Promise<Map<string, string[]>> {
  const authorization = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const asked = { authorization, "content-type": "application/x-www-form-urlencoded" };
  const tokenUrl = `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`;
  const response = await fetch(tokenUrl, { method: "POST", headers: asked, body: "grant_type=client_credentials" });
  const headers = { "x-connect-token": `TOKEN ${((await response.json()) as { accessToken: string }).accessToken}` };
  const found = new Map<string, string[]>();
  for (let skip = 0; ; skip += PAGE) {
    const url = `${env["FLEET_API_HOST"]}/job-management/v1/customer/${env["FLEET_CUSTOMER_ID"]}/jobs?limit=${PAGE}&skip=${skip}`;
    const { jobs } = (await (await fetch(url, { headers })).json()) as { jobs: { jobNumber: string; jobTitle: string }[] };
    for (const { jobTitle, jobNumber } of jobs) found.set(jobTitle, [...(found.get(jobTitle) ?? []), jobNumber]);
    if (jobs.length < PAGE) return found;
  }
}

/** A service, Redis, and what replicas need to share. */
export async function openShared(folder: string, flags: readonly string[], callers: number) {
  const service = await openSandbox(["--vehicles", "50", ...flags]);
  const redis = await openRedis(folder);
  const [variables = {}] = service.customers;
  const tokensFile = join(folder, "tokens.json");
  const tokens = writeTokens(tokensFile, Array(callers).fill(undefined));
  const env: Variables = {
    ...variables,
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: tokensFile,
    FLEET_SEAL_KEY: randomBytes(32).toString("base64"),
    FLEET_REDIS_URL: redis.url,
    FLEET_LOG: "info",
  };
  return { service, redis, tokens, env, jobs: () => jobsOf(variables) };
}

/** The example deployment on this machine: nginx, three replicas and Redis, in front of a sandbox. */
export async function openDeployment(nginxPath: string, callers: number) {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-replicas-"));
  // Half of the creations take long enough to kill a replica during one.
  const { service, redis, env, ...shared } = await openShared(folder, ["--faults", "createJob:latency=300@0.5"], callers);
  const ports = [await freePort(), await freePort(), await freePort()];
  const nginx = await startNginx({ path: nginxPath, folder, replicas: ports.map((port) => `127.0.0.1:${port}`) });
  const url = `http://127.0.0.1:${nginx.port}/mcp`;
  const proxied = { ...env, FLEET_PUBLIC_URL: url, FLEET_TRUSTED_PROXIES: "127.0.0.1", FLEET_CALLER_RATE: "100000" };
  const start = (port: number) =>
    startProgram(process.execPath, { args: [SERVER, "http", "--port", `${port}`], env: proxied, pattern: /ready at/ });
  const replicas = await Promise.all(ports.map((port, at) => restartable(`replica ${at + 1}`, () => start(port))));
  const close = async () => {
    await Promise.all([service, redis, nginx, ...replicas].map((program) => program.end()));
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...shared, redis, url, replicas, logged: nginx.logged, close };
}

export type Deployment = Awaited<ReturnType<typeof openDeployment>>;
