import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServerLog } from "../../../packages/mcp-server/src/log.ts";
import { connectRedis } from "../../../packages/mcp-server/src/replicas/redis.ts";
import { temporaryFolder } from "../../vitest/temporary-folder.ts";
import { admin, SOON } from "./replica-pair.ts";
import { openRedis, redisPath } from "./setup.ts";

const DAY = 86_400_000;

/** A Redis, and a replica's connection to it with the lines that it logs. */
async function connected() {
  const server = await openRedis(temporaryFolder());
  onTestFinished(() => server.end("SIGKILL"));
  const lines: [level: string, line: object, text: string][] = [];
  const at = (level: string) => (line: object, text: string) => void lines.push([level, line, text]);
  const log = { info: at("info"), error: at("error") } as unknown as ServerLog;
  const redis = connectRedis(server.url, log);
  onTestFinished(() => redis.close());
  await expect.poll(redis.isReady, SOON).toBe(true);
  return { server, redis, lines };
}

type Admin = Awaited<ReturnType<typeof admin>>;

/** Identifies the replica's connection. */
const idOf = async (server: Admin) => /id=(\d+) [^\n]*name=fleetwire-mcp/.exec(String(await server.sendCommand(["CLIENT", "LIST"])))?.[1];

describe.skipIf(redisPath === undefined)("the commands that replicas use", () => {
  it("read and write values that expire, under names that begin with the product's", async () => {
    const { redis, server } = await connected();
    expect(await redis.get("a")).toBeUndefined();
    await redis.set("a", "1", DAY);
    await redis.set("a", "2", DAY);
    expect(await redis.get("a")).toBe("2");
    const all = await admin(server.url);
    expect(await all.keys("*")).toEqual(["fleetwire:a"]);
    expect(await all.pTTL("fleetwire:a")).toBeGreaterThan(DAY / 2);
    await redis.set("b", "1", 50);
    await expect.poll(() => redis.get("b"), SOON).toBeUndefined();
  });

  it("let one of them hold a name, until it gives it back or lets it expire", async () => {
    const { redis, server } = await connected();
    expect([await redis.add("a", "one", DAY), await redis.add("a", "other", DAY)]).toEqual([true, false]);
    expect([await redis.extend("a", "other", 1), await redis.extend("b", "one", 1)]).toEqual([false, false]);
    const all = await admin(server.url);
    expect(await all.pTTL("fleetwire:a")).toBeGreaterThan(DAY / 2);
    expect(await redis.extend("a", "one", 2 * DAY)).toBe(true);
    expect(await all.pTTL("fleetwire:a")).toBeGreaterThan(DAY);
    await redis.remove("a", "other");
    expect(await redis.get("a")).toBe("one");
    await redis.remove("a", "one");
    expect(await redis.get("a")).toBeUndefined();
    expect(await redis.add("b", "one", 50)).toBe(true);
    await expect.poll(() => redis.add("b", "other", DAY), SOON).toBe(true);
  });

  it("count in periods that begin with the first", async () => {
    const { redis } = await connected();
    const first = await redis.count("a", 300);
    expect(first.count).toBe(1);
    expect(first.left).toBeGreaterThan(0);
    expect(first.left).toBeLessThanOrEqual(300);
    await pause(20);
    const second = await redis.count("a", DAY);
    expect(second.count).toBe(2);
    expect(second.left).toBeLessThanOrEqual(first.left);
    await expect.poll(async () => (await redis.count("a", 300)).count, { ...SOON, interval: 100 }).toBe(1);
  });
});

describe.skipIf(redisPath === undefined)("the connection", () => {
  it("comes back by itself, is logged once each time without the address, and commands do not wait for it", async () => {
    const { redis, server, lines } = await connected();
    await server.end("SIGKILL");
    await expect.poll(redis.isReady, SOON).toBe(false);
    await expect(redis.get("a")).rejects.toThrow("offline");
    // Several attempts to connect fail.
    await pause(500);
    await server.restart();
    await expect.poll(redis.isReady, SOON).toBe(true);
    await redis.set("a", "1", DAY);
    expect(lines).toEqual([
      ["info", {}, "redis accepts writes"],
      ["error", { error: expect.stringMatching(/^\w+$/) }, "redis accepts no writes: they are rejected"],
      ["info", {}, "redis accepts writes"],
    ]);
  });

  it("fails a command that gets no reply, and is replaced if that lasts, even while commands are sent", async () => {
    const { redis, server, lines } = await connected();
    const all = await admin(server.url);
    const before = await idOf(all);
    server.signal("SIGSTOP");
    await expect(redis.get("a")).rejects.toThrow("Redis is slow");
    for (let at = 0; at < 30; at++) {
      redis.get("a").catch(() => {});
      await pause(200);
    }
    expect(redis.isReady()).toBe(false);
    server.signal("SIGCONT");
    await expect.poll(redis.isReady, SOON).toBe(true);
    expect(await idOf(all)).not.toBe(before);
    expect(lines.map(([level]) => level)).toEqual(["info", "error", "info"]);
  });

  it.each<[string, (server: Admin) => Promise<unknown>, (server: Admin) => Promise<unknown>]>([
    [
      "READONLY",
      (server) => server.sendCommand(["REPLICAOF", "127.0.0.1", "1"]),
      (server) => server.sendCommand(["REPLICAOF", "NO", "ONE"]),
    ],
    ["OOM", (server) => server.configSet({ maxmemory: "1" }), (server) => server.configSet({ maxmemory: "0" })],
    ["NOREPLICAS", (server) => server.configSet("min-replicas-to-write", "1"), (server) => server.configSet("min-replicas-to-write", "0")],
    ["SLOW", (server) => server.sendCommand(["CLIENT", "PAUSE", "3000", "WRITE"]), async () => {}],
  ])("that accepts no writes is noticed without one, logged once, and used again: %s", async (error, fail, recover) => {
    const { redis, server, lines } = await connected();
    const all = await admin(server.url);
    await redis.set("a", "1", DAY);
    await fail(all);
    await expect.poll(redis.isReady, SOON).toBe(false);
    for (const write of [redis.set("a", "2", DAY), redis.add("b", "1", DAY)]) await expect(write).rejects.toThrow();
    await pause(1_500);
    await recover(all);
    await expect.poll(redis.isReady, SOON).toBe(true);
    await redis.set("a", "3", DAY);
    expect(await all.get("fleetwire:probe")).toBeNull();
    expect(lines.map(([level, line]) => [level, line])).toEqual([
      ["info", {}],
      ["error", { error }],
      ["info", {}],
    ]);
  });

  it("is replaced after a failover on it, and leads to the server that has the address by then", async () => {
    const { redis, server } = await connected();
    const all = await admin(server.url);
    const before = await idOf(all);
    await all.sendCommand(["REPLICAOF", "127.0.0.1", "1"]);
    await expect.poll(() => idOf(all), SOON).not.toBe(before);
    await all.sendCommand(["REPLICAOF", "NO", "ONE"]);
    await expect.poll(redis.isReady, SOON).toBe(true);
  });

  it("reads another type of value as one that no replica has stored, and can remove it", async () => {
    const { redis, server, lines } = await connected();
    const all = await admin(server.url);
    await all.lPush("fleetwire:a", "1");
    expect([await redis.get("a"), await redis.add("a", "x", DAY), await redis.extend("a", "x", DAY)]).toEqual(["", false, false]);
    await redis.remove("a", "x");
    expect(await all.exists("fleetwire:a")).toBe(1);
    await redis.remove("a", "");
    expect(await redis.get("a")).toBeUndefined();
    expect([redis.isReady(), lines.length]).toEqual([true, 1]);
  });

  it("is given up when it is closed", async () => {
    const { redis, server } = await connected();
    await redis.close();
    const clients = await admin(server.url);
    await expect.poll(async () => String(await clients.sendCommand(["CLIENT", "LIST"])), SOON).not.toContain("fleetwire-mcp");
    expect(redis.isReady()).toBe(false);
    await expect(redis.get("a")).rejects.toThrow();
  });
});
