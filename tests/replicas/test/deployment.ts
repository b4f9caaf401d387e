import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNginx } from "./nginx.ts";
import { freePort, type Program, SANDBOX, SERVER, startProgram } from "./programs.ts";

/** A program that can be killed and started again at the same address. */
export interface Member {
  name: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Called with each line that it logs, even after a restart. */
  onLine(listener: (line: string) => void): void;
}

export interface Deployment {
  /** The address of nginx. */
  url: string;
  /** A token for each caller. */
  tokens: readonly string[];
  replicas: readonly Member[];
  redis: Member | undefined;
  /** Numbers of the service's jobs by title, not read through Fleetwire. */
  jobs(): Promise<Map<string, string[]>>;
  /** What nginx has logged. */
  logged(): string;
  close(): Promise<void>;
}

interface DeploymentOptions {
  nginx: string;
  /** Without it, replicas share nothing. */
  redis: string | undefined;
  callers: number;
}

async function member(name: string, start: () => Promise<Program>): Promise<Member & { end: () => Promise<void> }> {
  const listeners: ((line: string) => void)[] = [];
  let program = await start();
  return {
    name,
    kill: () => program.end("SIGKILL"),
    restart: async () => {
      program = await start();
      for (const listener of listeners) program.onLine(listener);
    },
    onLine: (listener) => {
      listeners.push(listener);
      program.onLine(listener);
    },
    end: () => program.end(),
  };
}

const PAGE = 1_000;

/** Half of the creations take long enough to kill a replica during one. */
const SANDBOX_ARGS = "--port 0 --seed 1 --vehicles 50 --faults createJob:latency=300@0.5".split(" ");

export async function startSandbox(): Promise<Pick<Deployment, "jobs"> & { env: Record<string, string>; end: () => Promise<void> }> {
  const program = await startProgram(process.execPath, { args: [SANDBOX, ...SANDBOX_ARGS], pattern: /^(\{.*\})$/ });
  const { env } = JSON.parse(program.ready) as { env: Record<string, string> };
  const basic = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const accessToken = async () => {
    const headers = { authorization: basic, "content-type": "application/x-www-form-urlencoded" };
    const url = `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`;
    const response = await fetch(url, { method: "POST", headers, body: "grant_type=client_credentials" });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  const jobs = async () => {
    const headers = { "x-connect-token": `TOKEN ${await accessToken()}` };
    const found = new Map<string, string[]>();
    for (let skip = 0; ; skip += PAGE) {
      const url = `${env["FLEET_API_HOST"]}/job-management/v1/customer/${env["FLEET_CUSTOMER_ID"]}/jobs?limit=${PAGE}&skip=${skip}`;
      const page = (await (await fetch(url, { headers })).json()) as { jobs: { jobNumber: string; jobTitle: string }[] };
      for (const { jobTitle, jobNumber } of page.jobs) found.set(jobTitle, [...(found.get(jobTitle) ?? []), jobNumber]);
      if (page.jobs.length < PAGE) return found;
    }
  };
  return { env, jobs, end: () => program.end() };
}

/** Writes a file with a token for each caller, as `fleetwire-mcp token` does, and returns the tokens. */
export function writeTokens(path: string, callers: number): string[] {
  const tokens = Array.from({ length: callers }, () => `fwt_canary-${randomBytes(24).toString("base64url")}`);
  const entries = tokens.map((token, at) => ({
    name: `caller-${at}`,
    hash: createHash("sha256").update(token).digest("base64url"),
    scopes: ["fleet:read", "fleet:write"],
  }));
  writeFileSync(path, JSON.stringify({ tokens: entries }), { mode: 0o600 });
  return tokens;
}

/** The example deployment on this machine: nginx, three replicas and Redis, in front of a sandbox. */
export async function openDeployment({ nginx: nginxPath, redis: redisPath, callers }: DeploymentOptions): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-replicas-"));
  const ends: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(ends.map((end) => end()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const sandbox = await startSandbox();
    ends.push(sandbox.end);
    const redisPort = await freePort();
    const redisArgs = ["--port", `${redisPort}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", folder];
    const redis =
      redisPath === undefined
        ? undefined
        : await member("redis", () => startProgram(redisPath, { args: redisArgs, pattern: /Ready to accept connections/ }));
    if (redis) ends.push(redis.end);

    const ports = [await freePort(), await freePort(), await freePort()];
    const nginx = await startNginx({ path: nginxPath, folder, replicas: ports.map((port) => `127.0.0.1:${port}`) });
    ends.push(nginx.end);
    const url = `http://127.0.0.1:${nginx.port}/mcp`;
    const tokensFile = join(folder, "tokens.json");
    const tokens = writeTokens(tokensFile, callers);
    const env = {
      ...sandbox.env,
      FLEET_CALLER_AUTH: "token",
      FLEET_TOKENS_FILE: tokensFile,
      FLEET_PUBLIC_URL: url,
      FLEET_TRUSTED_PROXIES: "127.0.0.1",
      FLEET_SEAL_KEY: randomBytes(32).toString("base64"),
      FLEET_CALLER_RATE: "100000",
      FLEET_LOG: "info",
      ...(redis && { FLEET_REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
    };
    const replicas = await Promise.all(
      ports.map((port, at) =>
        member(`replica ${at + 1}`, () =>
          startProgram(process.execPath, { args: [SERVER, "http", "--port", `${port}`], env, pattern: /ready at/ }),
        ),
      ),
    );
    ends.push(...replicas.map(({ end }) => end));
    return { url, tokens, replicas, redis, jobs: sandbox.jobs, logged: nginx.logged, close };
  } catch (error) {
    await close();
    throw error;
  }
}
