import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { createClient } from "@redis/client";
import { expect, onTestFinished } from "vitest";
import { connectCaller, type Era } from "./callers.ts";
import { jobsOf } from "./jobs.ts";
import { openRedis, openSandbox, writeTokens } from "./services.ts";

export const SOON = { timeout: 20_000, interval: 200 };

/** Two replicas that share a Redis, without a proxy. */
export async function replicaPair(redisServer: string, settings: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-shared-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const service = await openSandbox(["--vehicles", "50"]);
  onTestFinished(() => service.end());
  const redis = await openRedis(redisServer, folder);
  onTestFinished(() => redis.end("SIGKILL"));
  const tokensFile = join(folder, "tokens.json");
  const [token = ""] = writeTokens(tokensFile, [undefined]);
  const [variables = {}] = service.customers;
  const env: Record<string, string> = {
    ...variables,
    FLEET_CALLER_AUTH: "token",
    FLEET_TOKENS_FILE: tokensFile,
    FLEET_SEAL_KEY: randomBytes(32).toString("base64"),
    FLEET_REDIS_URL: redis.url,
    FLEET_SNAPSHOT_SECONDS: "0",
    FLEET_LOG: "info",
    ...settings,
  };
  const logged: string[] = [];
  const replicas = await Promise.all(
    [1, 2].map(async () => {
      const replica = await startProgram(process.execPath, {
        args: [SERVER, "http", "--port", "0"],
        env,
        pattern: /ready at ([^\s"]+)["\n]/,
      });
      onTestFinished(() => replica.end());
      replica.onLine((line) => logged.push(line));
      return replica;
    }),
  );
  const urls = replicas.map((replica) => replica.ready);
  const ready = async (url = urls[0]) => (await (await fetch(new URL("/readyz", url))).json()) as { ready: boolean; writes: boolean };
  for (const url of urls) await expect.poll(() => ready(url), SOON).toMatchObject({ ready: true, writes: true });
  const admin = async () => {
    const client = createClient({ url: redis.url });
    // It is killed.
    client.on("error", () => {});
    await client.connect();
    onTestFinished(() => client.destroy());
    return client;
  };
  const callers = async (era: Era) => {
    const both = await Promise.all(urls.map((url) => connectCaller(era, url, token)));
    onTestFinished(async () => void (await Promise.all(both.map((caller) => caller.close()))));
    return both;
  };
  return {
    urls,
    service,
    replicas,
    token,
    env,
    logged,
    ready,
    admin,
    callers,
    jobs: jobsOf(variables),
    redis,
  };
}
