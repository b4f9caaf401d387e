import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Program, SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { freePort } from "../../vitest/free-port.ts";
import { jobsOf } from "./jobs.ts";
import { startNginx } from "./nginx.ts";
import { openRedis, openSandbox, type Restartable, restartable, writeTokens } from "./services.ts";

export interface Deployment {
  /** The address of nginx. */
  url: string;
  /** A token for each caller. */
  tokens: readonly string[];
  replicas: readonly Restartable[];
  redis: Restartable;
  /** Numbers of the service's jobs by title, not read through Fleetwire. */
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

/** Half of the creations take long enough to kill a replica during one. */
const SANDBOX_FLAGS = ["--vehicles", "50", "--faults", "createJob:latency=300@0.5"];

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
