import { startServer } from "@fleetwire/packaging/started-program";
import { createClient } from "@redis/client";
import { expect, onTestFinished } from "vitest";
import { temporaryFolder } from "../../vitest/temporary-folder.ts";
import { connectCaller, type Era } from "./callers.ts";
import { openShared } from "./setup.ts";

export const SOON = { timeout: 20_000, interval: 50 };

/** A connection to Redis that sees what is stored. */
export async function admin(url: string) {
  const client = createClient({ url });
  // It is killed.
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

/** Two replicas that share a Redis, without a proxy. */
export async function replicaPair(settings: Readonly<Record<string, string>> = {}) {
  const shared = await openShared(temporaryFolder(), [], 1);
  const { service, redis } = shared;
  onTestFinished(async () => void (await Promise.all([service.end(), redis.end("SIGKILL")])));
  const env: Readonly<Record<string, string | undefined>> & typeof shared.env = { ...shared.env, FLEET_SNAPSHOT_SECONDS: "0", ...settings };
  const [token = ""] = shared.tokens;
  const logged: string[] = [];
  const start = async () => {
    const replica = await startServer(env);
    onTestFinished(() => replica.end());
    replica.onLine((line) => logged.push(line));
    return replica;
  };
  const replicas = await Promise.all([start(), start()]);
  const urls = replicas.map(({ ready }) => ready);
  const ready = async (url = urls[0]) => (await (await fetch(new URL("/readyz", url))).json()) as { ready: boolean; writes: boolean };
  for (const url of urls) await expect.poll(() => ready(url), SOON).toMatchObject({ ready: true, writes: true });
  const callers = async (era: Era) => {
    const both = await Promise.all(urls.map((url) => connectCaller(era, url, token)));
    onTestFinished(async () => void (await Promise.all(both.map((caller) => caller.close()))));
    return both as [(typeof both)[number], (typeof both)[number]];
  };
  return { ...shared, env, token, urls, replicas, logged, ready, callers };
}
