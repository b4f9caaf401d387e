import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNginx } from "./nginx.ts";
import { freePort, type Program, SERVER, startProgram } from "./programs.ts";
import { openRedis, openSandbox, type Restartable, restartable, writeTokens } from "./services.ts";

export interface Deployment {
  /** The address of nginx. */
  url: string;
  /** A token for each caller. */
  tokens: readonly string[];
  replicas: readonly Restartable[];
  redis: Restartable;
  /** Numbers of the service's jobs by title, read without Fleetwire. */
  jobs(): Promise<Map<string, string[]>>;
  /** What nginx has logged. */
  logged(): string;
  close(): Promise<void>;
}

interface DeploymentOptions {
  /** The paths of the programs. */
  nginx: string;
  redis: string;
  callers: number;
}

const PAGE = 1_000;

/** Half of the creations take so long that a replica can be killed during one. */
const SANDBOX_FLAGS = ["--vehicles", "50", "--faults", "createJob:latency=300@0.5"];

/** Returns a function that reads the service's jobs, page by page. */
export function jobsOf(env: Readonly<Record<string, string>>): Deployment["jobs"] {
  const basic = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const accessToken = async () => {
    const headers = { authorization: basic, "content-type": "application/x-www-form-urlencoded" };
    const url = `${env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`;
    const response = await fetch(url, { method: "POST", headers, body: "grant_type=client_credentials" });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  return async () => {
    const headers = { "x-connect-token": `TOKEN ${await accessToken()}` };
    const found = new Map<string, string[]>();
    for (let skip = 0; ; skip += PAGE) {
      const url = `${env["FLEET_API_HOST"]}/job-management/v1/customer/${env["FLEET_CUSTOMER_ID"]}/jobs?limit=${PAGE}&skip=${skip}`;
      const { jobs } = (await (await fetch(url, { headers })).json()) as { jobs: { jobNumber: string; jobTitle: string }[] };
      for (const { jobTitle, jobNumber } of jobs) found.set(jobTitle, [...(found.get(jobTitle) ?? []), jobNumber]);
      if (jobs.length < PAGE) return found;
    }
  };
}

/** The example deployment on this machine: nginx, three replicas and Redis, in front of a sandbox. */
export async function openDeployment({ nginx: nginxPath, redis: redisPath, callers }: DeploymentOptions): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-replicas-"));
  const started: Pick<Program, "end">[] = [];
  const close = async () => {
    await Promise.all(started.map(({ end }) => end()));
    rmSync(folder, { recursive: true, force: true });
  };
  const closing = <Started extends Pick<Program, "end">>(program: Started) => {
    started.push(program);
    return program;
  };
  try {
    const { customers } = closing(await openSandbox(SANDBOX_FLAGS));
    const [service = {}] = customers;
    const redis = closing(await openRedis(redisPath, folder));
    const ports = [await freePort(), await freePort(), await freePort()];
    const nginx = closing(await startNginx({ path: nginxPath, folder, replicas: ports.map((port) => `127.0.0.1:${port}`) }));
    const url = `http://127.0.0.1:${nginx.port}/mcp`;
    const tokensFile = join(folder, "tokens.json");
    const tokens = writeTokens(tokensFile, Array(callers).fill(undefined));
    const env = {
      ...service,
      FLEET_CALLER_AUTH: "token",
      FLEET_TOKENS_FILE: tokensFile,
      FLEET_PUBLIC_URL: url,
      FLEET_TRUSTED_PROXIES: "127.0.0.1",
      FLEET_SEAL_KEY: randomBytes(32).toString("base64"),
      FLEET_CALLER_RATE: "100000",
      FLEET_LOG: "info",
      FLEET_REDIS_URL: redis.url,
    };
    const startReplica = (port: number) =>
      startProgram(process.execPath, { args: [SERVER, "http", "--port", `${port}`], env, pattern: /ready at/ });
    const opened = ports.map(async (port, at) => closing(await restartable(`replica ${at + 1}`, () => startReplica(port))));
    const replicas = await Promise.all(opened);
    return { url, tokens, replicas, redis, jobs: jobsOf(service), logged: nginx.logged, close };
  } catch (error) {
    await close();
    throw error;
  }
}
