import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Program, SERVER, startProgram } from "@fleetwire/packaging/started-program";
import { expect, onTestFinished } from "vitest";
import { dataOf, failingVehicle, listening, SECRET } from "../../../packages/mcp-server/test/watch-under-test.ts";
import { temporaryFolder } from "../../vitest/temporary-folder.ts";
import { admin } from "./replica-pair.ts";
import { openRedis } from "./setup.ts";

const SOON = { timeout: 60_000, interval: 50 };

/** What happens to the process that watches, or to Redis. */
export type Blow = "killed" | "stopped" | "redis";

interface Watcher extends Pick<Program, "end" | "signal"> {
  isWatching(): boolean;
  /** What it has printed about its state. */
  said(): string[];
}

/** A watch whose state is in Redis, once it watches or waits. */
async function startWatch(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Watcher> {
  const said: string[] = [];
  let isWatching = false;
  const see = (line: string) => {
    if (line.includes("--state redis:")) said.push(line.replace(/^.*--state redis: /, ""));
    if (/ watching |this process watches now/.test(line)) isWatching = true;
    if (/another process watches|Redis fails/.test(line)) isWatching = false;
  };
  const program = await startProgram(process.execPath, {
    args: [SERVER, "watch", ...args],
    env,
    pattern: /(^.*(?: watching |another process watches).*$)/,
  });
  onTestFinished(() => program.end("SIGKILL"));
  see(program.ready);
  program.onLine(see);
  return { end: program.end, signal: program.signal, isWatching: () => isWatching, said: () => said };
}

/** Three watches with one state in Redis, and what their receiver has heard. */
export async function watches() {
  const fleet = await failingVehicle();
  const path = temporaryFolder();
  const redis = await openRedis(path, ["--appendfsync", "always"]);
  onTestFinished(() => redis.end("SIGKILL"));
  /** Codes of faults by the ids of their events. */
  const told = new Map<string, string>();
  const receiver = await listening((_, one) => {
    const { id, cause } = dataOf(one);
    told.set(id, cause.code);
    return { status: 204 };
  });
  const env = {
    ...fleet.env,
    FLEET_WEBHOOK_SECRET: SECRET,
    FLEET_REDIS_URL: redis.url,
    FLEET_SEAL_KEY: randomBytes(32).toString("base64"),
  };
  const args = ["--rules", fleet.rules, "--every", "0.2", "--state", "redis", "--webhook", receiver, "--webhook-private"];
  const start = (changes: Readonly<Record<string, string>> = {}) => startWatch(args, { ...env, ...changes });
  const watchers = await Promise.all([start(), start(), start()]);
  const leader = () => {
    const [one, ...others] = watchers.filter(({ isWatching }) => isWatching());
    expect(others).toEqual([]);
    return one as Watcher;
  };
  const hearsMore = async () => {
    const before = told.size;
    await expect.poll(() => told.size, SOON).toBeGreaterThan(before + 1);
  };

  const strike: Record<Blow, () => Promise<void>> = {
    killed: async () => {
      const one = leader();
      await one.end("SIGKILL");
      await hearsMore();
      watchers.splice(watchers.indexOf(one), 1, await start());
    },
    stopped: async () => {
      const one = leader();
      one.signal("SIGSTOP");
      const others = watchers.filter((other) => other !== one);
      await expect.poll(() => others.some(({ isWatching }) => isWatching()), SOON).toBe(true);
      one.signal("SIGCONT");
      // It was not asked, and may not write any more.
      await expect.poll(one.isWatching, SOON).toBe(false);
      await hearsMore();
    },
    redis: async () => {
      const one = leader();
      await redis.end("SIGKILL");
      await expect.poll(() => one.said().at(-1), SOON).toMatch(/^Redis fails \(\w+\): the watch pauses until it is back$/);
      await redis.restart();
      await hearsMore();
    },
  };

  return {
    env,
    args,
    /** What any of them has printed about its state. */
    said: () => watchers.flatMap((one) => one.said()),
    /** Begins a fault with each read, and strikes at random moments. Then every fault since the first poll that was saved has to be told once. */
    survive: async (blows: readonly Blow[]) => {
      fleet.fail(true);
      await hearsMore();
      for (const blow of blows) {
        await pause(Math.random() * 2_000);
        await strike[blow]();
      }
      fleet.fail(false);
      await expect.poll(() => [...told.values()], SOON).toContain(fleet.codes().at(-1));
      await expect.poll(() => [...told.values()].sort(), SOON).toEqual(fleet.codes().slice(-told.size));
    },
    stop: () => Promise.all(watchers.map(({ end }) => end())),
    admin: () => admin(redis.url),
  };
}
